/* What objects compiled on a current Debian ask of a glibc newer than 2.28, for which a release is linked. */
#define _GNU_SOURCE
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/random.h>

/* glibc 2.32: whether the process has only one thread. "Perhaps more" is always right. */
char __libc_single_threaded = 0;

/* glibc 2.35: how the unwinder of GCC 12 and later finds the tables of the code at an address. It has no other way, so
 * that without an answer every C++ exception would end the program. */
struct found_object {
  unsigned long long flags;
  void *start, *end;
  struct link_map *map;
  void *tables;
  unsigned long long reserved[7];
};

struct search {
  uintptr_t address;
  struct found_object *found;
};

static int look(struct dl_phdr_info *object, size_t size, void *data) {
  (void)size;
  struct search *search = data;
  const ElfW(Phdr) *tables = NULL;
  uintptr_t low = UINTPTR_MAX, high = 0;
  int is_inside = 0;
  for (int place = 0; place < object->dlpi_phnum; place++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[place];
    if (part->p_type == PT_GNU_EH_FRAME) tables = part;
    if (part->p_type != PT_LOAD) continue;
    const uintptr_t start = object->dlpi_addr + part->p_vaddr, end = start + part->p_memsz;
    if (start < low) low = start;
    if (end > high) high = end;
    if (search->address >= start && search->address < end) is_inside = 1;
  }
  if (!is_inside || !tables) return 0;
  *search->found = (struct found_object){
      .start = (void *)low, .end = (void *)high, .tables = (void *)(object->dlpi_addr + tables->p_vaddr)};
  return 1;
}

/* The headers that this is compiled with may declare it with a type of their own. */
int find_object(void *address, struct found_object *result) __asm__("_dl_find_object");
int find_object(void *address, struct found_object *result) {
  struct search search = {(uintptr_t)address, result};
  return dl_iterate_phdr(look, &search) == 1 ? 0 : -1;
}

/* glibc 2.36: random bytes, which libXdmcp takes for a key of the X server's. */
void arc4random_buf(void *bytes, size_t count) {
  for (size_t place = 0; place < count;) {
    const ssize_t got = getrandom((char *)bytes + place, count - place, 0);
    if (got > 0) place += (size_t)got;
  }
}

// Lets the n-th call of one kind on files below a folder fail: a library that scripts/fault-injection loads before all
// others. FAULT_CALL is read, write, open, mmap, fsync or rename, or full, which lets
// all writes from the n-th on fail as those on a full disk do; FAULT_NUMBER is n, FAULT_FOLDER the folder, and
// FAULT_TOLD a file that is made when the fault happened. Other calls, and other files, are left alone.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_int calls;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int is_below(const char *path) {
  const char *folder = getenv("FAULT_FOLDER");
  if (!folder || !path) return 0;
  if (path[0] == '/') return strncmp(path, folder, strlen(folder)) == 0;
  char here[4096];
  return getcwd(here, sizeof here) && strncmp(here, folder, strlen(folder)) == 0;
}

static int is_file_below(int file) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return path[0] == '/' && is_below(path);
}

// Whether this call is the one that fails.
static int fails(const char *call, int counts) {
  const char *wanted = getenv("FAULT_CALL"), *number = getenv("FAULT_NUMBER");
  if (!wanted || !number || !counts) return 0;
  int is_full = !strcmp(wanted, "full");
  if (strcmp(is_full ? "write" : wanted, call)) return 0;
  int count = atomic_fetch_add(&calls, 1) + 1;
  if (is_full ? count < atoi(number) : count != atoi(number)) return 0;
  const char *told = getenv("FAULT_TOLD");
  if (told) {
    int file = REAL(open)(told, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    if (file >= 0) REAL(close)(file);
  }
  return 1;
}

#define FAIL(call, counts, error)  \
  if (fails(call, counts)) {       \
    errno = error;                 \
    return -1;                     \
  }

ssize_t read(int file, void *bytes, size_t count) {
  FAIL("read", is_file_below(file), EIO)
  return REAL(read)(file, bytes, count);
}

ssize_t pread(int file, void *bytes, size_t count, off_t place) {
  FAIL("read", is_file_below(file), EIO)
  return REAL(pread)(file, bytes, count, place);
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t place) {
  FAIL("read", is_file_below(file), EIO)
  return REAL(pread64)(file, bytes, count, place);
}

ssize_t write(int file, const void *bytes, size_t count) {
  FAIL("write", is_file_below(file), ENOSPC)
  return REAL(write)(file, bytes, count);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  FAIL("write", is_file_below(file), ENOSPC)
  return REAL(writev)(file, parts, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t place) {
  FAIL("write", is_file_below(file), ENOSPC)
  return REAL(pwrite)(file, bytes, count, place);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t place) {
  FAIL("write", is_file_below(file), ENOSPC)
  return REAL(pwrite64)(file, bytes, count, place);
}

int ftruncate(int file, off_t size) {
  FAIL("write", is_file_below(file), ENOSPC)
  return REAL(ftruncate)(file, size);
}

int ftruncate64(int file, off64_t size) {
  FAIL("write", is_file_below(file), ENOSPC)
  return REAL(ftruncate64)(file, size);
}

#define MODE(flags)                        \
  mode_t mode = 0;                         \
  if ((flags) & (O_CREAT | O_TMPFILE)) {   \
    va_list rest;                          \
    va_start(rest, flags);                 \
    mode = va_arg(rest, mode_t);           \
    va_end(rest);                          \
  }

int open(const char *path, int flags, ...) {
  MODE(flags)
  FAIL("open", is_below(path), EMFILE)
  return REAL(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE(flags)
  FAIL("open", is_below(path), EMFILE)
  return REAL(open64)(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  MODE(flags)
  FAIL("open", is_below(path), EMFILE)
  return REAL(openat)(folder, path, flags, mode);
}

void *mmap(void *place, size_t size, int protection, int flags, int file, off_t start) {
  if (fails("mmap", file >= 0 && is_file_below(file))) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return REAL(mmap)(place, size, protection, flags, file, start);
}

void *mmap64(void *place, size_t size, int protection, int flags, int file, off64_t start) {
  if (fails("mmap", file >= 0 && is_file_below(file))) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return REAL(mmap64)(place, size, protection, flags, file, start);
}

int fsync(int file) {
  FAIL("fsync", is_file_below(file), EIO)
  return REAL(fsync)(file);
}

int fdatasync(int file) {
  FAIL("fsync", is_file_below(file), EIO)
  return REAL(fdatasync)(file);
}

int rename(const char *from, const char *to) {
  FAIL("rename", is_below(to), EIO)
  return REAL(rename)(from, to);
}

int renameat(int one, const char *from, int other, const char *to) {
  FAIL("rename", is_below(to), EIO)
  return REAL(renameat)(one, from, other, to);
}

int link(const char *from, const char *to) {
  FAIL("rename", is_below(to), EIO)
  return REAL(link)(from, to);
}

#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "content.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int content_copy(int file) { return fcntl(file, F_DUPFD_CLOEXEC, 0); }

int64_t content_size(int file) {
  struct stat about;
  return fstat(file, &about) == 0 && S_ISREG(about.st_mode) ? (int64_t)about.st_size : -1;
}

int content_of_bytes(const unsigned char *bytes, size_t count) {
#if defined(__linux__)
  const int file = memfd_create("frametool", MFD_CLOEXEC);
#else
  // Other systems do not use such a file.
  const int file = -1;
#endif
  size_t done = 0;
  while (file >= 0 && done < count) {
    const ssize_t written = write(file, bytes + done, count - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      close(file);
      return -1;
    }
    done += (size_t)written;
  }
  return file;
}

static int read_all(int file, unsigned char *bytes, size_t count, int64_t place) {
  size_t done = 0;
  while (done < count) {
    const ssize_t found = pread(file, bytes + done, count - done, place + (int64_t)done);
    if (found < 0 && errno == EINTR) continue;
    if (found <= 0) return -1;
    done += (size_t)found;
  }
  return 0;
}

/// Mixes some bytes of a row into a digest, eight at a time.
static uint64_t mix(uint64_t digest, const unsigned char *bytes, size_t count, uint64_t mask) {
  size_t place = 0;
  for (; place + 8 <= count; place += 8) {
    uint64_t word;
    memcpy(&word, bytes + place, 8);
    digest = (digest ^ (word & mask)) * 0x9e3779b97f4a7c15ull;
    digest ^= digest >> 29;
  }
  if (place < count) {
    uint64_t word = 0;
    memcpy(&word, bytes + place, count - place);
    digest = (digest ^ (word & mask)) * 0x9e3779b97f4a7c15ull;
    digest ^= digest >> 29;
  }
  return digest;
}

int content_digest(int file, const content_image *image, uint64_t *digests) {
  const int64_t columns = (image->row_bytes + image->tile_bytes - 1) / image->tile_bytes;
  const int64_t tile_rows = (image->rows + image->tile_rows - 1) / image->tile_rows;
  for (int64_t tile = 0; tile < columns * tile_rows; tile++) digests[tile] = 0;
  unsigned char *row = malloc((size_t)image->row_bytes);
  if (!row) return -1;
  int failure = 0;
  for (int64_t line = 0; line < image->rows && failure == 0; line += image->step) {
    failure = read_all(file, row, (size_t)image->row_bytes, image->offset + line * image->stride);
    uint64_t *tiles = digests + line / image->tile_rows * columns;
    for (int64_t column = 0; column < columns && failure == 0; column++) {
      const int64_t start = column * image->tile_bytes;
      const int64_t rest = image->row_bytes - start;
      const int64_t count = rest < image->tile_bytes ? rest : image->tile_bytes;
      tiles[column] = mix(tiles[column], row + start, (size_t)count, image->mask);
    }
  }
  free(row);
  return failure;
}

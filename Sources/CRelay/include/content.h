// What a program shows of a file that it shares with its compositor.
//
// Why this exists: such files come as numbers over a socket, and are read without mapping them, so that a
// program that makes one shorter meanwhile ends nobody. A picture is millions of bytes, sixty times a second.
//
// It needs the C library only.
#ifndef FRAMETOOL_CONTENT_H
#define FRAMETOOL_CONTENT_H

#include <stddef.h>
#include <stdint.h>

/// A number of one's own for an open file; below 0 when there can be none.
int content_copy(int file);

/// How many bytes a file has; below 0 for what is no file of bytes.
int64_t content_size(int file);

/// A file without a name that holds bytes; below 0 when there can be none.
int content_of_bytes(const unsigned char *bytes, size_t count);

/// Where a picture lies in a file, and the tiles that it is divided into.
typedef struct {
  int64_t offset, row_bytes, rows, stride;
  /// Every how many rows one is read.
  int64_t step;
  int64_t tile_bytes, tile_rows;
  /// The bits of eight bytes that are seen.
  uint64_t mask;
} content_image;

/// A number for each tile, row by row, that differs where what is read of the tiles does.
/// Returns 0, or below 0 where the file does not hold all of the picture.
int content_digest(int file, const content_image *image, uint64_t *digests);

#endif

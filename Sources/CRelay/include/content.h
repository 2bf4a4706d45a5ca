// Reads the content of files that a program shares with its compositor.
//
// Purpose: such files arrive as descriptors over a socket. They are read without mapping, so that a
// program that truncates its file cannot crash the reader. A picture has millions of bytes, sixty
// times a second.
//
// It needs only the C library.
#ifndef FRAMETOOL_CONTENT_H
#define FRAMETOOL_CONTENT_H

#include <stddef.h>
#include <stdint.h>

/// A duplicate descriptor of an open file; negative on failure.
int content_copy(int file);

/// The size of a file in bytes; negative if it is not a regular file.
int64_t content_size(int file);

/// An anonymous file with the given bytes; negative on failure.
int content_of_bytes(const unsigned char *bytes, size_t count);

/// The location of a picture in a file, and the tiles into which it is divided.
typedef struct {
  int64_t offset, row_bytes, rows, stride;
  /// The row step: one in this many rows is read.
  int64_t step;
  int64_t tile_bytes, tile_rows;
  /// The visible bits of eight bytes.
  uint64_t mask;
} content_image;

/// A hash for each tile, row by row; it changes if the bytes read from the tile change.
/// Returns 0, or a negative value if the file does not contain the complete picture.
int content_digest(int file, const content_image *image, uint64_t *digests);

#endif

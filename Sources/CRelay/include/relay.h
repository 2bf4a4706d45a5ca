// Local sockets whose messages carry file descriptors, like those of Wayland.
//
// Purpose: descriptors sent over a socket are packed and unpacked by macros that Swift cannot call, and the structures
// around them differ between systems. Each function here is one step. content.h reads the content of files that are
// received this way.
//
// It needs only the C library.
#ifndef FRAMETOOL_RELAY_H
#define FRAMETOOL_RELAY_H

#include <stddef.h>
#include <stdint.h>

/// The maximum number of descriptors that one call sends, which is libwayland's limit, and receives, which is Linux's
/// limit.
enum { RELAY_MOST_SENT = 28, RELAY_MOST_RECEIVED = 253 };

/// A socket that listens at a path, for this user only; negative on failure, with `errno` set. A socket left at the
/// path by a process that has ended is replaced.
int relay_listen(const char *path);

/// A connection to the socket at a path; negative on failure, with `errno` set.
int relay_connect(const char *path);

/// The next connection; negative if none is pending.
int relay_accept(int socket);

/// The process at the other end; 0 if the system does not report it.
int relay_peer(int socket);

/// Receives pending data, at most `count` bytes, without waiting. `files` has room for
/// RELAY_MOST_RECEIVED descriptors, which the caller must close.
/// Returns the number of bytes received, 0 if there are none now, and a negative value if the other
/// end is closed.
int64_t relay_receive(int socket, unsigned char *bytes, size_t count, int *files, int *file_count);

/// Sends as much as the other end accepts, without waiting; the descriptors, at most RELAY_MOST_SENT, are sent with the
/// first byte.
/// Returns the number of bytes sent, 0 if none can be sent now, and a negative value if the other
/// end is closed.
int64_t relay_send(
    int socket, const unsigned char *bytes, size_t count, const int *files, int file_count);

/// A file descriptor to wait for.
typedef struct {
  int file;
  /// Whether to wait until the descriptor can be read, and until it can be written.
  int reads, writes;
  /// Whether the descriptor can be read or written now; a closed connection counts as readable.
  int can_read, can_write;
} relay_wait;

/// Waits until one of the descriptors is ready, at most for the given time.
void relay_poll(relay_wait *waits, size_t count, int milliseconds);

void relay_close(int file);

#endif

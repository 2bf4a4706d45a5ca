// Local sockets whose messages carry open files, as Wayland's do.
//
// Why this exists: files that travel over a socket are packed and unpacked by macros that Swift cannot
// call, and the structures around them differ between systems. Each function here is one step. What is in such
// files, content.h reads.
//
// It needs the C library only.
#ifndef FRAMETOOL_RELAY_H
#define FRAMETOOL_RELAY_H

#include <stddef.h>
#include <stdint.h>

/// The most files that one call sends: what libwayland has room for; and receives: what Linux lets through.
enum { RELAY_MOST_SENT = 28, RELAY_MOST_RECEIVED = 253 };

/// A socket that waits for connections under a path, for this user only; below 0, with `errno`, when there
/// can be none. Whatever was left under the path by a process that is gone is replaced.
int relay_listen(const char *path);

/// A connection to the socket under a path; below 0, with `errno`, when there is none.
int relay_connect(const char *path);

/// The next connection; below 0 when none waits.
int relay_accept(int socket);

/// The process at the other end; 0 when the system does not tell.
int relay_peer(int socket);

/// Receives what is there, at most so many bytes, without waiting. `files` has room for
/// RELAY_MOST_RECEIVED, which are the caller's to close.
/// Returns how many bytes came, 0 for none now, below 0 when the other end is gone.
int64_t relay_receive(int socket, unsigned char *bytes, size_t count, int *files, int *file_count);

/// Sends as much as the other end takes, without waiting; the files, at most RELAY_MOST_SENT, go with the
/// first byte.
/// Returns how many bytes went, 0 for none now, below 0 when the other end is gone.
int64_t relay_send(
    int socket, const unsigned char *bytes, size_t count, const int *files, int file_count);

/// One file that is waited for.
typedef struct {
  int file;
  /// Whether it is to be read from, and written to.
  int reads, writes;
  /// Whether it can be now. The end of a connection can be read.
  int can_read, can_write;
} relay_wait;

/// Waits until one of the files is ready, at most so long.
void relay_poll(relay_wait *waits, size_t count, int milliseconds);

void relay_close(int file);

#endif

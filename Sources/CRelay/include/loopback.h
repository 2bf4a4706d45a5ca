// Sockets that only programs of this machine reach.
//
// Purpose: the structures of internet addresses differ between systems, and Swift sees them only through
// pointers. What is sent and received goes through relay.h.
//
// It needs only the C library.
#ifndef FRAMETOOL_LOOPBACK_H
#define FRAMETOOL_LOOPBACK_H

/// A socket that listens on a port of 127.0.0.1; 0 for any free port. On failure negative, with `errno` set.
int loopback_listen(int port);

/// The port that a socket listens on; negative on failure.
int loopback_port(int socket);

#endif

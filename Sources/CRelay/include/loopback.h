// Sockets that only programs on this machine can reach.
//
// Purpose: the structures of internet addresses differ between systems, and Swift sees them only through pointers. Data
// is sent and received through relay.h.
//
// It needs only the C library.
#ifndef FRAMETOOL_LOOPBACK_H
#define FRAMETOOL_LOOPBACK_H

/// A socket that listens on a port of 127.0.0.1; 0 for any free port. Negative on failure, with `errno` set.
int loopback_listen(int port);

/// The port that a socket listens on; negative on failure.
int loopback_port(int socket);

#endif

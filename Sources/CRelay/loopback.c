#include "loopback.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int loopback_listen(int port) {
  const int file = socket(AF_INET, SOCK_STREAM, 0);
  if (file < 0) return -1;
  fcntl(file, F_SETFD, FD_CLOEXEC);
  fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK);
  // A recently used port can be used again.
  const int yes = 1;
  setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons((uint16_t)port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(file, (struct sockaddr *)&address, sizeof address) != 0 || listen(file, 64) != 0) {
    const int reason = errno;
    close(file);
    errno = reason;
    return -1;
  }
  return file;
}

int loopback_port(int socket) {
  struct sockaddr_in address;
  socklen_t size = sizeof address;
  if (getsockname(socket, (struct sockaddr *)&address, &size) != 0) return -1;
  return ntohs(address.sin_port);
}

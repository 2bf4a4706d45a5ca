#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "relay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#if defined(MSG_NOSIGNAL)
enum { QUIET = MSG_NOSIGNAL };
#else
// The tool ignores SIGPIPE.
enum { QUIET = 0 };
#endif
#if !defined(MSG_CMSG_CLOEXEC)
#define MSG_CMSG_CLOEXEC 0
#endif

/// Sets close-on-exec and non-blocking mode.
static int prepare(int file) {
  if (file < 0) return file;
  fcntl(file, F_SETFD, FD_CLOEXEC);
  fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK);
  return file;
}

static int address_of(const char *path, struct sockaddr_un *address) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (strlen(path) >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address->sun_path, path);
  return 0;
}

static int failed(int file) {
  const int reason = errno;
  if (file >= 0) close(file);
  errno = reason;
  return -1;
}

int relay_listen(const char *path) {
  struct sockaddr_un address;
  if (address_of(path, &address) != 0) return -1;
  const int file = prepare(socket(AF_UNIX, SOCK_STREAM, 0));
  if (file < 0) return -1;
  unlink(path);
  const mode_t mask = umask(0077);
  const int failure = bind(file, (struct sockaddr *)&address, sizeof address);
  umask(mask);
  return failure != 0 || listen(file, 128) != 0 ? failed(file) : file;
}

int relay_connect(const char *path) {
  struct sockaddr_un address;
  if (address_of(path, &address) != 0) return -1;
  const int file = socket(AF_UNIX, SOCK_STREAM, 0);
  if (file < 0) return -1;
  if (connect(file, (struct sockaddr *)&address, sizeof address) != 0) return failed(file);
  return prepare(file);
}

int relay_accept(int socket) { return prepare(accept(socket, NULL, NULL)); }

int relay_peer(int socket) {
#if defined(SO_PEERCRED)
  struct ucred other;
  socklen_t size = sizeof other;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &other, &size) == 0 ? other.pid : 0;
#else
  (void)socket;
  return 0;
#endif
}

int64_t relay_receive(int socket, unsigned char *bytes, size_t count, int *files, int *file_count) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(RELAY_MOST_RECEIVED * sizeof(int))];
  } control;
  struct iovec part = {bytes, count};
  struct msghdr message;
  memset(&message, 0, sizeof message);
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes;
  message.msg_controllen = sizeof control.bytes;
  *file_count = 0;
  ssize_t found;
  do {
    found = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (found < 0 && errno == EINTR);
  if (found < 0) return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -1;
  if (found == 0) return -1;
  for (struct cmsghdr *part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const size_t size = part->cmsg_len - CMSG_LEN(0);
    *file_count = (int)(size / sizeof(int));
    memcpy(files, CMSG_DATA(part), size);
  }
  return found;
}

int64_t relay_send(
    int socket, const unsigned char *bytes, size_t count, const int *files, int file_count) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(RELAY_MOST_SENT * sizeof(int))];
  } control;
  struct iovec part = {(void *)bytes, count};
  struct msghdr message;
  memset(&message, 0, sizeof message);
  memset(&control, 0, sizeof control);
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (file_count > 0) {
    const size_t size = (size_t)file_count * sizeof(int);
    message.msg_control = control.bytes;
    message.msg_controllen = CMSG_SPACE(size);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(size);
    memcpy(CMSG_DATA(header), files, size);
  }
  ssize_t sent;
  do {
    sent = sendmsg(socket, &message, QUIET);
  } while (sent < 0 && errno == EINTR);
  if (sent >= 0) return sent;
  return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -1;
}

void relay_poll(relay_wait *waits, size_t count, int milliseconds) {
  struct pollfd some[64];
  struct pollfd *files = count <= 64 ? some : calloc(count, sizeof *files);
  for (size_t place = 0; place < count; place++) {
    waits[place].can_read = waits[place].can_write = 0;
    if (!files) continue;
    const short events =
        (short)((waits[place].reads ? POLLIN : 0) | (waits[place].writes ? POLLOUT : 0));
    // Without requested events, a closed connection would still wake the poll repeatedly.
    files[place] = (struct pollfd){events ? waits[place].file : -1, events, 0};
  }
  if (files && poll(files, count, milliseconds) > 0) {
    for (size_t place = 0; place < count; place++) {
      const short found = files[place].revents;
      const short ended = found & (POLLHUP | POLLERR | POLLNVAL);
      waits[place].can_read = waits[place].reads && (found & POLLIN || ended);
      waits[place].can_write = waits[place].writes && (found & POLLOUT || ended);
    }
  }
  if (files != some) free(files);
}

void relay_close(int file) {
  if (file >= 0) close(file);
}

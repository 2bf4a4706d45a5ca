// What the windows of other programs present through an X server (the extensions Present, RECORD and X-Resource).
//
// Why this exists: xcb gives events and replies as pointers to memory of several sizes, which end with data that no
// structure of Swift's describes. Each function here gives one value.
//
// It needs libxcb (Debian: libxcb-present-dev, libxcb-record0-dev, libxcb-res0-dev); elsewhere than on Linux, nothing
// can be opened.
#ifndef FRAMETOOL_X11_PRESENT_H
#define FRAMETOOL_X11_PRESENT_H

#include <stddef.h>
#include <stdint.h>

typedef struct x11_present x11_present;

enum x11_kind {
  /// A program asked the server to present a pixmap.
  X11_PRESENT = 1,
  /// The server says when a pixmap was shown, and how.
  X11_COMPLETE,
  /// A pixmap may be drawn to again.
  X11_IDLE,
  /// A program connected to the server, or its connection ended.
  X11_CONNECTED,
  X11_GONE,
  /// A program asked to be told when a window's pixmaps were shown, as it does before it presents the first one.
  X11_SELECTED,
  /// A program made a window on the screen itself. This comes at once, the others when the server sends something.
  X11_CREATED,
};

typedef struct x11_event {
  enum x11_kind kind;
  /// When this process read it, in ns of the monotonic clock.
  int64_t arrival;
  /// The server's time in ms, which wraps after 2^32; only of X11_PRESENT.
  uint32_t server_time;
  /// What all numbers of a program's resources begin with: the program. Not of X11_COMPLETE and X11_IDLE.
  uint32_t client;
  uint32_t window, serial, pixmap;
  /// Of X11_PRESENT: the options, and the refresh that was asked for.
  uint32_t options;
  uint64_t target_msc;
  /// Of X11_COMPLETE: the number of the refresh, its time in ns of the server's clock, and how it was shown (0 copy,
  /// 1 flip, 2 skip, 3 copy where a flip was possible).
  uint64_t msc;
  int64_t ust;
  uint32_t mode;
} x11_event;

/// Begins to follow all programs of a display; `display` may be NULL for the one that DISPLAY names.
/// Returns NULL where there can be none, with the reason in `problem`, which has room for `count` bytes.
x11_present *x11_present_open(const char *display, char *problem, size_t count);

void x11_present_close(x11_present *session);

/// The files that become readable when there is something to read.
void x11_present_files(const x11_present *session, int files[2]);

/// The programs that are connected now, as many as there is room for. Returns how many there are.
size_t x11_present_clients(x11_present *session, uint32_t *clients, size_t count);

/// Reads the next event. Returns 1 with an event, 0 if there is none now, and below 0 if the server is gone.
int x11_present_next(x11_present *session, x11_event *event);

/// Makes the server send what it has: RECORD's data waits until something else is sent.
void x11_present_wake(x11_present *session);

/// Asks to be told when a window's pixmaps were shown. Returns 0, or below 0 if there is no such window.
int x11_present_follow(x11_present *session, uint32_t window);

/// The process of a program; 0 if the server does not know it.
int32_t x11_present_process(x11_present *session, uint32_t client);

/// The title of a window in UTF-8; an empty text if it has none. `count` is the room in `text`.
void x11_present_title(x11_present *session, uint32_t window, char *text, size_t count);

#endif

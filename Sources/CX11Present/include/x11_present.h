// Records what the windows of other programs present through an X server (the extensions Present, RECORD and
// X-Resource).
//
// Why this exists: xcb returns events and replies as pointers to memory of several sizes, ending with data that no
// Swift structure describes. Each function here returns one value.
//
// It needs libxcb (Debian: libxcb-present-dev, libxcb-record0-dev, libxcb-res0-dev); on systems other than Linux,
// nothing can be opened.
#ifndef FRAMETOOL_X11_PRESENT_H
#define FRAMETOOL_X11_PRESENT_H

#include <stddef.h>
#include <stdint.h>

typedef struct x11_present x11_present;

enum x11_kind {
  /// A program asked the server to present a pixmap.
  X11_PRESENT = 1,
  /// The server reports when and how a pixmap was shown.
  X11_COMPLETE,
  /// A pixmap may be drawn to again.
  X11_IDLE,
  /// A program connected to the server, or its connection ended.
  X11_CONNECTED,
  X11_GONE,
  /// A program requested events about when a window's pixmaps were shown, as it does before it presents the first
  /// pixmap.
  X11_SELECTED,
  /// A program created a window directly on the screen. This event comes immediately; the others come when the server
  /// sends data.
  X11_CREATED,
};

typedef struct x11_event {
  enum x11_kind kind;
  /// When this process read the event, in ns of the monotonic clock.
  int64_t arrival;
  /// The server's time in ms, which wraps after 2^32; only for X11_PRESENT.
  uint32_t server_time;
  /// The common prefix of a program's resource numbers, which identifies the program. Not for X11_COMPLETE and
  /// X11_IDLE.
  uint32_t client;
  uint32_t window, serial, pixmap;
  /// For X11_PRESENT: the options, and the requested refresh.
  uint32_t options;
  uint64_t target_msc;
  /// For X11_COMPLETE: the number of the refresh, its time in ns of the server's clock, and how the pixmap was shown (0
  /// copy, 1 flip, 2 skip, 3 copy where a flip was possible).
  uint64_t msc;
  int64_t ust;
  uint32_t mode;
} x11_event;

/// Starts to follow all programs of a display; `display` may be NULL for the display named by DISPLAY. Returns NULL on
/// failure, with the reason in `problem`, which has room for `count` bytes.
x11_present *x11_present_open(const char *display, char *problem, size_t count);

void x11_present_close(x11_present *session);

/// The files that become readable when data arrives.
void x11_present_files(const x11_present *session, int files[2]);

/// The programs that are connected now, up to the given number. Returns the number of connected programs.
size_t x11_present_clients(x11_present *session, uint32_t *clients, size_t count);

/// Reads the next event. Returns 1 with an event, 0 if none is pending, and a negative value if the server has exited.
int x11_present_next(x11_present *session, x11_event *event);

/// Makes the server send its pending data: RECORD's data waits until other data is sent.
void x11_present_wake(x11_present *session);

/// Requests events about when a window's pixmaps were shown. Returns 0, or a negative value if the window does not
/// exist.
int x11_present_follow(x11_present *session, uint32_t window);

/// The process of a program; 0 if the server does not know it.
int32_t x11_present_process(x11_present *session, uint32_t client);

/// The title of a window in UTF-8; an empty string if the window has none. `count` is the room in `text`.
void x11_present_title(x11_present *session, uint32_t window, char *text, size_t count);

#endif

// Inputs by way of GNOME's remote desktop (org.gnome.Mutter.RemoteDesktop on the session bus).
//
// Why this exists: the arguments of a call on D-Bus are put together by functions that take pointers to
// values of every type. Each function here is one call.
//
// It needs libdbus (Debian: libdbus-1-dev); elsewhere than on Linux, nothing can be opened.
#ifndef FRAMETOOL_REMOTE_DESKTOP_H
#define FRAMETOOL_REMOTE_DESKTOP_H

#include <stddef.h>
#include <stdint.h>

typedef struct remote_desktop remote_desktop;

/// Begins a session, in which the first monitor's coordinates are used.
/// Returns NULL where there can be none, with the reason in `problem`, which has room for `count` bytes.
remote_desktop *remote_desktop_open(char *problem, size_t count);

/// Ends the session.
void remote_desktop_close(remote_desktop *session);

/// The first finger comes down at a place, or is lifted. 0, or below 0 when the session is over.
int remote_desktop_touch(remote_desktop *session, int is_down, double x, double y);

/// The pointer goes to a place.
int remote_desktop_move(remote_desktop *session, double x, double y);

/// A button of the pointer's, and a key; numbers of linux/input-event-codes.h.
int remote_desktop_button(remote_desktop *session, int32_t button, int is_down);
int remote_desktop_key(remote_desktop *session, uint32_t key, int is_down);

#endif

// Injects inputs through GNOME's remote desktop (org.gnome.Mutter.RemoteDesktop on the session bus).
//
// Why this exists: the arguments of a D-Bus call are assembled by functions that take pointers to values of every type.
// Each function here is one call.
//
// It needs libdbus (Debian: libdbus-1-dev); on systems other than Linux, nothing can be opened.
#ifndef FRAMETOOL_REMOTE_DESKTOP_H
#define FRAMETOOL_REMOTE_DESKTOP_H

#include <stddef.h>
#include <stdint.h>

typedef struct remote_desktop remote_desktop;

/// Starts a session that uses the first monitor's coordinates.
/// Returns NULL on failure, with the reason in `problem`, which has room for `count` bytes.
remote_desktop *remote_desktop_open(char *problem, size_t count);

/// Ends the session.
void remote_desktop_close(remote_desktop *session);

/// Presses the first finger at a point, or lifts it. Returns 0, or a negative value if the session has ended.
int remote_desktop_touch(remote_desktop *session, int is_down, double x, double y);

/// Moves the pointer to a point.
int remote_desktop_move(remote_desktop *session, double x, double y);

/// Presses or releases a button of the pointer, or a key; the numbers are from linux/input-event-codes.h.
int remote_desktop_button(remote_desktop *session, int32_t button, int is_down);
int remote_desktop_key(remote_desktop *session, uint32_t key, int is_down);

#endif

// What the game and the driver of the stand-in know of its compositor.

/// Whether the game has not closed its connection.
extern int connection_is_open;
/// Whether the driver has read what the compositor sent.
extern int driver_has_read;
/// How often the layer waited for the compositor, and how many objects it has not destroyed.
extern int wayland_roundtrips, wayland_left;

// D-Bus, for requests to Linux desktops (Debian: libdbus-1-dev; not used on macOS).
#include <dbus/dbus.h>

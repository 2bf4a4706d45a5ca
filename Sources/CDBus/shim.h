// D-Bus, which desktops of Linux are asked by (Debian: libdbus-1-dev; not used on macOS).
#include <dbus/dbus.h>

// SQLite databases (Debian: libsqlite3-dev, macOS: brew sqlite).
#include <sqlite3.h>

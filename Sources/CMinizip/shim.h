// zip input (Debian: libminizip-dev, macOS: brew minizip). Chosen over libzip, which
// pulls OpenSSL in and with it several milliseconds of start-up.
#include <unzip.h>

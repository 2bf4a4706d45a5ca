// zip input (Debian: libminizip-dev, macOS: brew minizip). Chosen over libzip, which pulls in OpenSSL and thus several
// milliseconds of startup time.
#include <unzip.h>

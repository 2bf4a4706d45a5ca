// gzip input (Debian: zlib1g-dev, macOS: the SDK's own or brew zlib).
#include <zlib.h>

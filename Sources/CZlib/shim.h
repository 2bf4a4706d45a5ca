// gzip input (Debian: zlib1g-dev, macOS: the SDK's zlib or brew zlib).
#include <zlib.h>

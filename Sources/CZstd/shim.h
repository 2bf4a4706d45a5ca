// zstd input (Debian: libzstd-dev, macOS: brew zstd).
#include <zstd.h>

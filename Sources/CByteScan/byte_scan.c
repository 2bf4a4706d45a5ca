// A header-only target; the package manager wants one source file.
#include "byte_scan.h"

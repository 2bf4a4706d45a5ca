// A header-only target; the package manager requires one source file.
#include "byte_scan.h"

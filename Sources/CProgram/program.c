#include "program.h"

#include <libxml/xmlversion.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <zlib.h>
#include <zstd.h>

static int count;
static char **arguments;

/// The C library of Linux and the loader of macOS also pass the arguments of main to constructors.
__attribute__((constructor)) static void keep(int argc, char **argv) {
#if defined(__GLIBC__) || defined(__APPLE__)
  count = argc;
  arguments = argv;
#else
  (void)argc;
  (void)argv;
#endif
}

int program_argument_count(void) { return count; }

const char *program_argument(int place) { return place >= 0 && place < count ? arguments[place] : NULL; }

const char *program_commit(void) {
#ifdef FRAMETOOL_COMMIT
  return FRAMETOOL_COMMIT;
#else
  return NULL;
#endif
}

const char *program_libraries(void) {
  static char text[200];
  snprintf(
      text, sizeof text, "zlib %s, zstd %s, SQLite %s, libxml2 %s", zlibVersion(), ZSTD_versionString(),
      sqlite3_libversion(), LIBXML_DOTTED_VERSION);
  return text;
}

const char *program_system(void) {
  static char text[300];
  struct utsname names;
  if (uname(&names) != 0) return NULL;
  snprintf(text, sizeof text, "%s %s %s", names.sysname, names.release, names.machine);
  return text;
}

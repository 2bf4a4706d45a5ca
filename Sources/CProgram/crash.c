// Prints one line and sets an exit status where the program would otherwise be ended silently by a signal: Swift has no
// way to survive a lack of memory. Only calls functions that are allowed in a signal handler.
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/// The statuses of sysexits.h that the documentation lists.
enum { internal_error = 70, input_output_error = 74, worker_memory_error = 75 };

/// The status for a lack of memory, which a worker distinguishes from other input and output errors.
static int memory_error = input_output_error;

static void print(const char *text) {
  const ssize_t written = write(2, text, strlen(text));
  (void)written;
}

/// The file that the thread is reading; empty for none. A path that is too long is truncated.
static _Thread_local char current_file[1024];

/// Whether crashes are reported, which needs a stack for the handler in every thread.
static int reports_crashes;

/// Gives the calling thread a stack for the handler, which cannot run on an overflowed stack.
static void add_handler_stack(void) {
  static _Thread_local char stack[1 << 15];
  static _Thread_local int is_added;
  if (is_added) return;
  is_added = 1;
  const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&other, NULL);
}

void program_begins_work(void) {
  if (reports_crashes) add_handler_stack();
}

void program_reads_file(const char *path) {
  program_begins_work();
  strncpy(current_file, path, sizeof current_file - 1);
}

const char *program_file(void) { return current_file; }

static void print_error(const char *text) {
  print("error: ");
  if (current_file[0]) {
    print(current_file);
    print(": ");
  }
  print(text);
}

/// The size of the process's address space in bytes; 0 if the system does not report it.
static rlim_t address_space(void) {
  char text[32] = {0};
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  rlim_t pages = 0;
  for (ssize_t place = 0; place < count && text[place] >= '0' && text[place] <= '9'; place++) {
    pages = pages * 10 + (rlim_t)(text[place] - '0');
  }
  return pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/// Whether memory is limited and may have run out: a growing array requests twice its size, so a third of the limit can
/// be in use when the request fails.
static int is_out_of_memory(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 0;
  return address_space() > limit.rlim_cur / 3;
}

/// Whether no file can be opened: the system's work queues need some files, and cannot report that they got none.
static int is_out_of_files(void) {
  const int file = open("/", O_RDONLY | O_CLOEXEC);
  if (file >= 0) close(file);
  return file < 0 && (errno == EMFILE || errno == ENFILE);
}

static void end(int number) {
  if (is_out_of_files()) {
    print_error("too many open files\nhelp: raise the limit (ulimit -n)\n");
    _exit(input_output_error);
  }
  if (is_out_of_memory()) {
    print_error("out of memory\nhelp: raise the limit (ulimit -v), or read a part of the trace\n");
    _exit(memory_error);
  }
  char text[] = "frametool failed (signal 00), a defect in frametool\nhelp: please report it with the file\n";
  char *digits = strstr(text, "00");
  digits[0] = (char)('0' + number / 10 % 10);
  digits[1] = (char)('0' + number % 10);
  print_error(text);
  _exit(internal_error);
}

void program_report_crashes(void) {
  const char *backtraces = getenv("SWIFT_BACKTRACE");
  if (backtraces && strstr(backtraces, "enable=yes")) return;
#if defined(__GLIBC__) || defined(__APPLE__)
  // Swift's runtime prints its message and a backtrace through this stream; this program writes to the descriptor.
  static char dropped[512];
  FILE *const nowhere = fmemopen(dropped, sizeof dropped, "w");
  if (nowhere) stderr = nowhere;
#endif
  if (getenv("FRAMETOOL_WORKER_MEMORY")) memory_error = worker_memory_error;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = end;
  sigfillset(&action.sa_mask);
  action.sa_flags = SA_ONSTACK;
  reports_crashes = 1;
  add_handler_stack();
  const int numbers[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
  for (size_t place = 0; place < sizeof numbers / sizeof *numbers; place++) sigaction(numbers[place], &action, NULL);
}

// Starts programs to measure how long they take to launch.
//
// Why this exists: starting a process takes a dozen calls whose types differ between systems, some of them macros and
// variadic functions that Swift cannot call. Each function here is one step and reports failures as the system's error
// numbers.
//
// It needs only the C library.
#ifndef FRAMETOOL_LAUNCH_H
#define FRAMETOOL_LAUNCH_H

#include <stddef.h>
#include <stdint.h>

/// The destination of a program's output.
enum launch_output {
  /// Nowhere.
  LAUNCH_OUTPUT_NONE,
  /// To the tool's standard error.
  LAUNCH_OUTPUT_SHOWN,
  /// To a separate terminal that the tool reads, so that each line arrives immediately.
  LAUNCH_OUTPUT_TERMINAL,
  /// Standard error to a pipe that the tool reads; other output is discarded.
  LAUNCH_OUTPUT_ERRORS,
  /// All output to a pipe that the tool reads.
  LAUNCH_OUTPUT_EVERYTHING,
  /// Nowhere, but descriptor 4 is a pipe that the tool reads, and descriptor 3 a pipe that the tool writes.
  LAUNCH_OUTPUT_CONVERSATION,
};

/// A started program.
typedef struct {
  /// The system's error number if the program could not be started; otherwise 0.
  int failure;
  /// The process, which leads a separate process group.
  int pid;
  /// The descriptor from which the program's output can be read; -1 if it cannot be read.
  int output;
  /// The descriptor to which data for the program is written in a conversation; -1 without a conversation.
  int input;
  /// The instant before the program was started, on `CLOCK_MONOTONIC`, in nanoseconds.
  int64_t started;
} launch_child;

/// How a program ended.
typedef struct {
  /// The time of the end, on `CLOCK_MONOTONIC`, in nanoseconds.
  int64_t time;
  /// The exit status; -1 if a signal ended the program.
  int status;
  /// The signal that ended the program; 0 if none did.
  int signal;
  /// The processor time of the program's threads, and of the children for which it waited, in nanoseconds.
  int64_t cpu;
  /// The number of bytes read from disk for the program; -1 if the system does not report it.
  int64_t bytes_read;
} launch_exit;

/// Starts a program, looked up in PATH, with empty standard input.
/// `changes`, which ends with a null pointer and may be a null pointer, changes the program's environment: `NAME=value`
/// sets a variable, `NAME` removes it.
launch_child launch_start(
    char *const arguments[], char *const changes[], enum launch_output output);

/// Starts a program through the shell that shows what is written to standard output from then on, and replaces standard
/// output with a pipe to the program. Returns the process ID; a negative value if the program could not be started, in
/// which case standard output is unchanged.
int launch_pager(const char *command);

/// Ends the output and waits until the user has left the program.
void launch_pager_end(int pid);

/// Waits until the program has ended.
launch_exit launch_wait(int pid);

/// Waits until one of two descriptors can be read, at most for the given time; either may be -1.
/// Returns 1 for the first, 2 for the second, 3 for both, and 0 if the time has passed.
int launch_poll(int output, int wake, int milliseconds);

/// Reads the available data; returns 0 at the end, including the end of a terminal whose program has ended.
size_t launch_read(int file, unsigned char *bytes, size_t count);

/// Writes all bytes, however long it takes; returns 0 if the reader still exists.
int launch_write(int file, const unsigned char *bytes, size_t count);

/// A pipe that wakes a polling thread; returns 0 if the pipe was created.
int launch_wake_open(int ends[2]);
void launch_wake(int end);
void launch_close(int file);

/// Sends a signal to the program and its process group.
void launch_signal(int pid, int signal);

/// Limits the memory that this process may use, in bytes; systems other than Linux may ignore the limit.
void launch_limit_memory(int64_t bytes);

/// Starts a thread that calls `work` with `context`. The system's queues would wait indefinitely for a thread's memory.
/// Returns 0, or the error number.
int launch_thread(void (*work)(void *), void *context);

/// The number of additional threads, at most `most`, for which there is memory, with `heap` bytes for each.
int launch_thread_room(int most, size_t heap);

/// Declares that a program's group must be ended if this process ends, even by SIGKILL, or with `ends` that the program
/// has ended. The first call starts a process that waits for the end of this process. The caller must make only one
/// call at a time.
void launch_guard(int pid, int ends);

/// A POSIX extended regular expression.
typedef struct launch_pattern launch_pattern;

/// Compiles an expression; a null pointer if the string is not a valid expression. Without back references, which the
/// caller refuses, a search takes time linear in the length of the line: the C library follows all alternatives at
/// once.
launch_pattern *launch_pattern_make(const char *text);

/// Whether a part of a line, which ends with a zero, matches.
int launch_pattern_matches(const launch_pattern *pattern, const char *line);
void launch_pattern_free(launch_pattern *pattern);

/// The processor time of a process's threads so far, in nanoseconds; -1 if the process has ended, or the system does
/// not report the time.
int64_t launch_cpu(int pid);

/// The time on a clock, identified by the number that Wayland compositors use, in nanoseconds; -1 if the clock does not
/// exist.
int64_t launch_time(uint32_t clock);

// The numbers of the real-time clock and of the monotonic clock.
uint32_t launch_real_clock(void);
uint32_t launch_monotonic_clock(void);

// Whether a process of any user is running.
int32_t launch_is_running(int32_t process);

/// Makes this process the parent of orphaned descendants, if the system supports it.
void launch_adopt(void);

/// Finds the file to which a name in PATH or a path leads, with links resolved.
/// Returns the length of the file's path; 0 if there is no file, or no room for the path.
size_t launch_find(const char *name, char *path, size_t size);

/// The part of a file in the page cache.
typedef struct {
  /// Whether the system was asked to drop the file.
  int dropped;
  /// The number of bytes in memory, before and after; -1 if unknown.
  int64_t before, after;
} launch_cached;

/// Asks the system to drop a file from the page cache. Does nothing on systems without
/// `posix_fadvise`, where both numbers are -1.
launch_cached launch_drop(const char *path);

/// Lets this process reuse memory blocks of up to the given size instead of returning them to the system, which would
/// have to clear each block when it is allocated again. Does nothing without glibc.
void launch_reuse_memory(size_t most);

#endif

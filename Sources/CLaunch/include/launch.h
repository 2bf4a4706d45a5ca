// Starts programs to measure how long they take to launch.
//
// Why this exists: starting a process takes a dozen calls whose types differ between systems, some
// of them macros and variadic functions that Swift cannot call. Each function here is one step and
// reports failures as the system's numbers.
//
// It needs the C library only.
#ifndef FRAMETOOL_LAUNCH_H
#define FRAMETOOL_LAUNCH_H

#include <stddef.h>
#include <stdint.h>

/// Where what a program prints goes.
enum launch_output {
  /// Nowhere.
  LAUNCH_OUTPUT_NONE,
  /// To the tool's standard error.
  LAUNCH_OUTPUT_SHOWN,
  /// To a terminal of its own that the tool reads, so that each line comes at once.
  LAUNCH_OUTPUT_TERMINAL,
  /// Standard error to a pipe that the tool reads, the rest nowhere.
  LAUNCH_OUTPUT_ERRORS,
  /// All of it to a pipe that the tool reads.
  LAUNCH_OUTPUT_EVERYTHING,
  /// Nowhere; but its file 4 is a pipe that the tool reads, and its file 3 one that the tool writes.
  LAUNCH_OUTPUT_CONVERSATION,
};

/// A program that was started.
typedef struct {
  /// The system's number of why it could not be started; 0 when it could.
  int failure;
  /// The process, which leads a group of its own.
  int pid;
  /// What it prints can be read from here; -1 when it cannot.
  int output;
  /// What is sent to it in a conversation is written here; -1 without one.
  int input;
  /// The instant before it was started, on `CLOCK_MONOTONIC`, in nanoseconds.
  int64_t started;
} launch_child;

/// How a program ended.
typedef struct {
  /// When, on `CLOCK_MONOTONIC`, in nanoseconds.
  int64_t time;
  /// What it exited with; -1 when a signal ended it.
  int status;
  /// The signal that ended it; 0 when none did.
  int signal;
  /// The processor time of its threads, and of children that it waited for, in nanoseconds.
  int64_t cpu;
  /// How many bytes were read from disk for it; -1 when the system does not tell.
  int64_t bytes_read;
} launch_exit;

/// Starts a program, looked up in PATH, with nothing as its standard input.
/// `changes`, which ends with a null pointer and may be one, changes its environment: `NAME=value` sets a
/// variable, `NAME` takes it away.
launch_child launch_start(
    char *const arguments[], char *const changes[], enum launch_output output);

/// Starts a program by the shell that shows what is written to standard output from then on, and
/// puts the way to it in place of standard output. Returns its process; below 0 when it could not
/// be started, and then standard output is what it was.
int launch_pager(const char *command);

/// Ends what is shown and waits until the reader has left the program.
void launch_pager_end(int pid);

/// Waits until the program is gone.
launch_exit launch_wait(int pid);

/// Waits until one of two files can be read, at most so long; either may be -1.
/// Returns 1 for the first, 2 for the second, 3 for both, 0 when the time is over.
int launch_poll(int output, int wake, int milliseconds);

/// Reads what there is; 0 at the end, also that of a terminal whose program is gone.
size_t launch_read(int file, unsigned char *bytes, size_t count);

/// Writes all of it, however long it takes; 0 when the reader is there.
int launch_write(int file, const unsigned char *bytes, size_t count);

/// A pipe to wake who polls; 0 when it could be made.
int launch_wake_open(int ends[2]);
void launch_wake(int end);
void launch_close(int file);

/// Sends a signal to the program and all of its group.
void launch_signal(int pid, int signal);

/// Limits the memory that this process may take, in bytes; systems other than Linux may not keep to it.
void launch_limit_memory(int64_t bytes);

/// Starts a thread that calls `work` with `context`. The system's queues would wait forever for memory for a thread.
/// Returns 0, or the number of the error.
int launch_thread(void (*work)(void *), void *context);

/// For how many more threads, at most `most`, there is memory, with `heap` bytes for each.
int launch_thread_room(int most, size_t heap);

/// Says that a program's group is to be ended if this process is, even by SIGKILL, or with `ends` that it has ended.
/// The first call starts a process that waits for that. The caller makes one call at a time.
void launch_guard(int pid, int ends);

/// A POSIX extended regular expression.
typedef struct launch_pattern launch_pattern;

/// Reads an expression; a null pointer if it is none. Without back references, which the caller refuses, a search
/// takes time linear in the line: the C library follows all alternatives at once.
launch_pattern *launch_pattern_make(const char *text);

/// Whether a part of a line, which ends with a zero, matches.
int launch_pattern_matches(const launch_pattern *pattern, const char *line);
void launch_pattern_free(launch_pattern *pattern);

/// The processor time of a process's threads so far, in nanoseconds; -1 when it is gone, or the
/// system does not tell.
int64_t launch_cpu(int pid);

/// The time on a clock by the number that Wayland compositors give it, in nanoseconds; -1 when
/// there is no such clock.
int64_t launch_time(uint32_t clock);

// The numbers of the clock of real time and of the monotonic one.
uint32_t launch_real_clock(void);
uint32_t launch_monotonic_clock(void);

// Whether a process runs, of whatever user.
int32_t launch_is_running(int32_t process);

/// Makes this process the parent of those whose own parent ends before they do, where the system can.
void launch_adopt(void);

/// Finds the file that a name in PATH or a path leads to, links followed.
/// Returns how long its path is; 0 when there is none, or no room for it.
size_t launch_find(const char *name, char *path, size_t size);

/// What a file takes of the page cache.
typedef struct {
  /// Whether the system was asked to drop it.
  int dropped;
  /// How many bytes are in memory, before and after; -1 when that cannot be told.
  int64_t before, after;
} launch_cached;

/// Asks the system to drop a file from the page cache. Does nothing on systems without
/// `posix_fadvise`, where both numbers are -1.
launch_cached launch_drop(const char *path);

/// Lets blocks of memory of up to so many bytes be used again by this process and not be given back to the system,
/// which would have to clear each when it is taken anew. Does nothing without glibc.
void launch_reuse_memory(size_t most);

#endif

// One run of gnuplot, through gnuplot-iostream.
//
// Why this exists: gnuplot-iostream is C++ that throws, and Swift can neither call it nor catch its exceptions. Each
// function is one call and reports failures as numbers.
//
// gnuplot-iostream writes the script and its numbers to unnamed files, one of which is gnuplot's standard input; the
// picture and gnuplot's messages are written to such files as well. No pipe can fill up, gnuplot cannot interpret any
// name from the user as code, and it cannot interpret any number as a command. The program is started directly, without
// a shell.
//
// Debian: libgnuplot-iostream-dev gnuplot-nox; macOS: brew install gnuplot, and gnuplot-iostream.h from its project in
// the compiler's include path.
#ifndef FRAMETOOL_GNUPLOT_H
#define FRAMETOOL_GNUPLOT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A run that is being prepared, or has ended.
typedef struct gnuplot_run gnuplot_run;

/// How a run ended.
typedef struct {
  /// The system's error number if the run could not be started or waited for; otherwise 0.
  int failure;
  /// Whether the run was stopped because it took too long.
  int timed_out;
  /// The signal that ended the run; 0 if none did.
  int signal;
  /// The exit status.
  int status;
} gnuplot_end;

/// Begins a run; a null pointer if there is no memory or no file for it.
gnuplot_run *gnuplot_begin(void);
/// Frees a run.
void gnuplot_free(gnuplot_run *run);

/// Writes numbers for gnuplot to read.
/// Returns the path under which gnuplot finds the numbers, valid as long as the run; a null pointer if they cannot be
/// written.
const char *gnuplot_add_numbers(gnuplot_run *run, const double *numbers, size_t count);
/// The path to which gnuplot must write the picture, valid as long as the run.
const char *gnuplot_picture_path(const gnuplot_run *run);

/// Runs a program with a script as its input and waits for its end, at most for the given time. If the script is a null
/// pointer, the program's version is requested and becomes the picture.
gnuplot_end gnuplot_finish(
    gnuplot_run *run, const char *program, const char *script, size_t length, int milliseconds);

/// The size of the picture in bytes; 0 if there is none.
size_t gnuplot_picture_size(const gnuplot_run *run);
/// The size of gnuplot's messages in bytes, at most 4096.
size_t gnuplot_messages_size(const gnuplot_run *run);
/// Copies at most the given number of bytes of the picture; returns the number of bytes copied.
size_t gnuplot_copy_picture(const gnuplot_run *run, unsigned char *bytes, size_t count);
/// Copies at most the given number of bytes of gnuplot's messages; returns the number of bytes copied.
size_t gnuplot_copy_messages(const gnuplot_run *run, unsigned char *bytes, size_t count);

#ifdef __cplusplus
}
#endif

#endif

// One run of gnuplot, through gnuplot-iostream.
//
// Why this exists: gnuplot-iostream is C++ that throws, and Swift can neither call nor catch
// that. Each function is one call and reports failures as numbers.
//
// The script and the numbers it draws are written by gnuplot-iostream to files without a
// name, one of them gnuplot's standard input; so are the picture and what gnuplot says. There
// is no pipe that could fill up, no name of the user's that gnuplot could take for code, and
// no number that it could take for a command. The program is started by itself, without a
// shell.
//
// Debian: libgnuplot-iostream-dev gnuplot-nox; macOS: brew install gnuplot, and
// gnuplot-iostream.h from its project in the compiler's path.
#ifndef FRAMETOOL_GNUPLOT_H
#define FRAMETOOL_GNUPLOT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A run that is being put together, or is over.
typedef struct gnuplot_run gnuplot_run;

/// How a run ended.
typedef struct {
  /// The system's number of why it could not be started or waited for; 0 when it could.
  int failure;
  /// Whether it was stopped, as it took too long.
  int timed_out;
  /// The signal that it died of; 0 when it did not.
  int signal;
  /// What it exited with.
  int status;
} gnuplot_end;

/// Begins a run; a null pointer when there is no memory or no file for it.
gnuplot_run *gnuplot_begin(void);
/// Frees a run.
void gnuplot_free(gnuplot_run *run);

/// Writes numbers for gnuplot to read.
/// Returns the path under which gnuplot finds them, valid as long as the run; a null pointer
/// when they cannot be written.
const char *gnuplot_add_numbers(gnuplot_run *run, const double *numbers, size_t count);
/// The path that gnuplot has to write the picture to, valid as long as the run.
const char *gnuplot_picture_path(const gnuplot_run *run);

/// Runs a program with a script as its input and waits for its end, at most so long. With a
/// null pointer for the script the program is asked for its version, which becomes the picture.
gnuplot_end gnuplot_finish(
    gnuplot_run *run, const char *program, const char *script, size_t length, int milliseconds);

/// How many bytes the picture has; 0 when there is none.
size_t gnuplot_picture_size(const gnuplot_run *run);
/// How many bytes gnuplot said, at most 4096.
size_t gnuplot_messages_size(const gnuplot_run *run);
/// Copies so many bytes of the picture; returns how many there were.
size_t gnuplot_copy_picture(const gnuplot_run *run, unsigned char *bytes, size_t count);
/// Copies so many bytes of what gnuplot said; returns how many there were.
size_t gnuplot_copy_messages(const gnuplot_run *run, unsigned char *bytes, size_t count);

#ifdef __cplusplus
}
#endif

#endif

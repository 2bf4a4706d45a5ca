// Information about the program itself: the arguments with which it was started, and its build.
//
// Why this exists: Swift reads a program's arguments from /proc, which is not mounted in every container, and has no
// constant that a build can set.
#ifndef FRAMETOOL_PROGRAM_H
#define FRAMETOOL_PROGRAM_H

/// The number of arguments, including the program's name; 0 if the system did not report it.
int program_argument_count(void);
/// An argument, valid as long as the program runs.
const char *program_argument(int place);

/// The commit that the program was built from; a null pointer for a build from a checkout.
const char *program_commit(void);
/// The names and versions of the libraries in use, separated by commas.
const char *program_libraries(void);
/// The system's name and version, and the machine's architecture.
const char *program_system(void);

/// Makes a crash print one line and exit with 74 if memory has run out, or else with 70. Does nothing if the variable
/// SWIFT_BACKTRACE requests backtraces with enable=yes.
void program_report_crashes(void);

/// Enables the report of stack overflows of the calling thread; other crashes are reported on any thread.
void program_begins_work(void);

/// Sets the file that the calling thread is reading, for the crash report; empty for none.
void program_reads_file(const char *path);

/// The file that the calling thread is reading, until the thread sets another; empty for none.
const char *program_file(void);

#endif

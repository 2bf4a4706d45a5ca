// What the program knows of itself: the arguments that it was started with, and its build.
//
// Why this exists: Swift reads a program's arguments from /proc, which is not mounted in every container, and has no
// constant that a build can set.
#ifndef FRAMETOOL_PROGRAM_H
#define FRAMETOOL_PROGRAM_H

/// The number of arguments, the program's name included; 0 when the system did not tell.
int program_argument_count(void);
/// An argument, valid as long as the program runs.
const char *program_argument(int place);

/// The commit that the program was built from; a null pointer for a build from a checkout.
const char *program_commit(void);
/// The names and versions of the libraries that it runs with, separated by commas.
const char *program_libraries(void);
/// The system's name and version, and the machine's architecture.
const char *program_system(void);

/// Makes a crash print one line and exit with 74 if memory has run out, else with 70. Does nothing if the variable
/// SWIFT_BACKTRACE asks for backtraces with enable=yes.
void program_report_crashes(void);

/// Has an overflow of the calling thread's stack reported, as other crashes are on any thread.
void program_begins_work(void);

/// States the file that the calling thread reads, for the line of a crash; empty for none.
void program_reads_file(const char *path);

/// The file that the calling thread reads, until it states another; empty for none.
const char *program_file(void);

#endif

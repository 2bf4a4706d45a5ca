#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "launch.h"

#if defined(__GLIBC__)
#include <dlfcn.h>
#endif
#include <errno.h>
#include <fcntl.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <poll.h>
#include <pthread.h>
#include <regex.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t now(clockid_t clock) {
  struct timespec time;
  if (clock_gettime(clock, &time) != 0) return -1;
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/// Prevents started programs from inheriting a file, and moves it away from the descriptors used for their files.
static int keep(int file) {
  if (file < 0) return file;
  const int high = fcntl(file, F_DUPFD_CLOEXEC, 5);
  close(file);
  return high;
}

/// Opens a terminal; stores the name of its other end in `name`.
static int open_terminal(char *name, size_t size) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0) return -1;
  const char *found = NULL;
  if (grantpt(terminal) == 0 && unlockpt(terminal) == 0) found = ptsname(terminal);
  if (!found || strlen(found) >= size) {
    close(terminal);
    return -1;
  }
  strcpy(name, found);
  return keep(terminal);
}

/// Closes the descriptors from a given number on in the program. glibc supports this since 2.34; before that,
/// descriptors that are open now are closed, and one that another thread opens during the call stays open.
static int close_from(posix_spawn_file_actions_t *actions, int first) {
#ifdef __GLIBC__
  int (*const all)(posix_spawn_file_actions_t *, int) = (int (*)(posix_spawn_file_actions_t *, int))dlsym(
      RTLD_DEFAULT, "posix_spawn_file_actions_addclosefrom_np");
  if (all) return all(actions, first);
  const long most = sysconf(_SC_OPEN_MAX);
  for (int file = first; file < (most < 4096 ? most : 4096); file++) {
    if (fcntl(file, F_GETFD) < 0) continue;
    const int failure = posix_spawn_file_actions_addclose(actions, file);
    if (failure) return failure;
  }
#else
  (void)actions;
  (void)first;
#endif
  return 0;
}

/// Sets up descriptors 3 and 4 of the program.
static int direct_conversation(
    posix_spawn_file_actions_t *actions, launch_child *child, int inherited[2]) {
  int ends[2];
  if (launch_wake_open(ends) != 0) return errno;
  child->input = ends[1];
  inherited[1] = ends[0];
  int failure = posix_spawn_file_actions_adddup2(actions, 1, 2);
  if (!failure) failure = posix_spawn_file_actions_adddup2(actions, inherited[1], 3);
  if (!failure) failure = posix_spawn_file_actions_adddup2(actions, inherited[0], 4);
  // A browser runs for a long time: a file that another thread is writing must not stay open in the browser, because a
  // program that is open for writing cannot be started.
  if (!failure) failure = close_from(actions, 5);
  return failure;
}

/// Sets the destinations of the program's streams. Returns the system's error number.
static int direct(
    posix_spawn_file_actions_t *actions, enum launch_output output, launch_child *child,
    int inherited[2]) {
  static const char nowhere[] = "/dev/null";
  int failure = posix_spawn_file_actions_addopen(actions, 0, nowhere, O_RDONLY, 0);
  if (failure) return failure;
  if (output == LAUNCH_OUTPUT_SHOWN && fcntl(2, F_GETFD) >= 0) return posix_spawn_file_actions_adddup2(actions, 2, 1);
  if (output == LAUNCH_OUTPUT_TERMINAL) {
    char name[256];
    child->output = open_terminal(name, sizeof name);
    if (child->output < 0) return errno;
    failure = posix_spawn_file_actions_addopen(actions, 1, name, O_RDWR | O_NOCTTY, 0);
    return failure ? failure : posix_spawn_file_actions_adddup2(actions, 1, 2);
  }
  failure = posix_spawn_file_actions_addopen(actions, 1, nowhere, O_WRONLY, 0);
  if (failure) return failure;
  if (output < LAUNCH_OUTPUT_ERRORS) return posix_spawn_file_actions_adddup2(actions, 1, 2);
  int ends[2];
  if (launch_wake_open(ends) != 0) return errno;
  child->output = ends[0];
  inherited[0] = ends[1];
  if (output == LAUNCH_OUTPUT_CONVERSATION) return direct_conversation(actions, child, inherited);
  failure = posix_spawn_file_actions_adddup2(actions, ends[1], 2);
  if (failure || output == LAUNCH_OUTPUT_ERRORS) return failure;
  return posix_spawn_file_actions_adddup2(actions, ends[1], 1);
}

#if defined(__APPLE__)
// A bundle, such as a bundle of tests, has no such variable.
#include <crt_externs.h>
#define environ (*_NSGetEnviron())
#else
extern char **environ;
#endif

/// Whether an entry of the environment assigns the variable that `change` sets or removes.
static int is_changed(const char *entry, const char *change) {
  const size_t name = strcspn(change, "=");
  return strncmp(entry, change, name) == 0 && entry[name] == '=';
}

/// The environment with changed variables; a null pointer if there is no memory. The caller owns the list, but not its
/// strings.
static char **environment_with(char *const changes[]) {
  size_t count = 0, change_count = 0;
  while (environ[count]) count++;
  while (changes && changes[change_count]) change_count++;
  char **list = malloc((count + change_count + 1) * sizeof *list);
  if (!list) return NULL;
  size_t kept = 0;
  for (size_t place = 0; place < count; place++) {
    int stays = 1;
    for (size_t change = 0; change < change_count; change++) {
      if (is_changed(environ[place], changes[change])) stays = 0;
    }
    if (stays) list[kept++] = environ[place];
  }
  for (size_t change = 0; change < change_count; change++) {
    if (strchr(changes[change], '=')) list[kept++] = changes[change];
  }
  list[kept] = NULL;
  return list;
}

launch_child launch_start(
    char *const arguments[], char *const changes[], enum launch_output output) {
  launch_child child = {0, 0, -1, -1, 0};
  char **environment = environment_with(changes);
  if (!environment) {
    child.failure = ENOMEM;
    return child;
  }
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  int inherited[2] = {-1, -1};
  child.failure = direct(&actions, output, &child, inherited);
  // The tool may ignore or block signals; the program has no reason to.
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  // In a separate session, the program has no terminal of the user that could stop it, and leads a group.
  posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
  if (child.failure == 0) {
    pid_t pid = 0;
    int tries = 0;
    do {
      // A program that was just written may still be open in a child that another thread starts.
      if (tries > 0) usleep(10000);
      child.started = now(CLOCK_MONOTONIC);
      child.failure =
          posix_spawnp(&pid, arguments[0], &actions, &attributes, arguments, environment);
    } while (child.failure == ETXTBSY && ++tries < 200);
    child.pid = pid;
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  free(environment);
  launch_close(inherited[0]);
  launch_close(inherited[1]);
  if (child.failure != 0) {
    launch_close(child.output);
    launch_close(child.input);
    child.output = child.input = -1;
  }
  return child;
}

launch_exit launch_wait(int pid) {
  launch_exit end = {0, -1, 0, 0, -1};
  struct rusage usage;
  int status = 0;
  pid_t found;
  do {
    found = wait4(pid, &status, 0, &usage);
  } while (found < 0 && errno == EINTR);
  end.time = now(CLOCK_MONOTONIC);
  if (found < 0) return end;
  if (WIFSIGNALED(status)) {
    end.signal = WTERMSIG(status);
  } else {
    end.status = WEXITSTATUS(status);
  }
  end.cpu = ((int64_t)usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000 +
            ((int64_t)usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000;
#if defined(__linux__)
  // The unit is blocks of 512 bytes, regardless of the disk's block size.
  end.bytes_read = (int64_t)usage.ru_inblock * 512;
#endif
  return end;
}

int launch_poll(int output, int wake, int milliseconds) {
  struct pollfd files[2] = {{output, POLLIN, 0}, {wake, POLLIN, 0}};
  if (poll(files, 2, milliseconds) <= 0) return 0;
  return (files[0].revents ? 1 : 0) + (files[1].revents ? 2 : 0);
}

size_t launch_read(int file, unsigned char *bytes, size_t count) {
  ssize_t found;
  do {
    found = read(file, bytes, count);
  } while (found < 0 && errno == EINTR);
  return found > 0 ? (size_t)found : 0;
}

int launch_write(int file, const unsigned char *bytes, size_t count) {
  while (count > 0) {
    const ssize_t written = write(file, bytes, count);
    if (written < 0 && errno != EINTR) return -1;
    if (written < 0) continue;
    bytes += written;
    count -= (size_t)written;
  }
  return 0;
}

int launch_wake_open(int ends[2]) {
  if (pipe(ends) != 0) return -1;
  ends[0] = keep(ends[0]);
  ends[1] = keep(ends[1]);
  if (ends[0] >= 0 && ends[1] >= 0) return 0;
  launch_close(ends[0]);
  launch_close(ends[1]);
  return -1;
}

void launch_wake(int end) {
  ssize_t written;
  do {
    written = write(end, "", 1);
  } while (written < 0 && errno == EINTR);
}

void launch_close(int file) {
  if (file >= 0) close(file);
}

void launch_signal(int pid, int signal) {
  if (pid > 1) kill(-pid, signal);
}

int64_t launch_cpu(int pid) {
#if defined(__linux__)
  clockid_t clock;
  return clock_getcpuclockid(pid, &clock) == 0 ? now(clock) : -1;
#else
  (void)pid;
  return -1;
#endif
}

int64_t launch_time(uint32_t clock) { return now((clockid_t)clock); }

uint32_t launch_real_clock(void) { return (uint32_t)CLOCK_REALTIME; }

uint32_t launch_monotonic_clock(void) { return (uint32_t)CLOCK_MONOTONIC; }

int32_t launch_is_running(int32_t process) {
  return process > 0 && (kill(process, 0) == 0 || errno == EPERM);
}

void launch_adopt(void) {
#if defined(__linux__)
  prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
}

/// Copies the path to which a path leads.
static size_t find_at(const char *path, char *found, size_t size) {
  char *real = realpath(path, NULL);
  const size_t length = real ? strlen(real) : 0;
  if (length > 0 && length < size) memcpy(found, real, length + 1);
  free(real);
  return length < size ? length : 0;
}

size_t launch_find(const char *name, char *path, size_t size) {
  if (strchr(name, '/')) return find_at(name, path, size);
  const char *folders = getenv("PATH");
  while (folders && *folders) {
    const size_t length = strcspn(folders, ":");
    char candidate[4096];
    if (length + strlen(name) + 2 <= sizeof candidate) {
      memcpy(candidate, folders, length);
      candidate[length] = '/';
      strcpy(candidate + length + 1, name);
      if (length > 0 && access(candidate, X_OK) == 0) return find_at(candidate, path, size);
    }
    folders += length + (folders[length] == ':');
  }
  return 0;
}

#if defined(__linux__)
/// The number of bytes of a file in memory; -1 if unknown.
static int64_t resident(int file, size_t size, const struct stat *status) {
  // For files that the user may not write, Linux reports that they are completely in memory.
  const int isOwn = geteuid() == 0 || status->st_uid == geteuid();
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  if (!isOwn && access(path, W_OK) != 0) return -1;
  void *map = mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0);
  if (map == MAP_FAILED) return -1;
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const size_t pages = (size + page - 1) / page;
  unsigned char *states = malloc(pages);
  int64_t count = -1;
  if (states && mincore(map, size, states) == 0) {
    count = 0;
    for (size_t place = 0; place < pages; place++) count += states[place] & 1;
  }
  free(states);
  munmap(map, size);
  return count < 0 ? -1 : count * (int64_t)page;
}
#endif

launch_cached launch_drop(const char *path) {
  launch_cached cached = {0, -1, -1};
#if defined(__linux__)
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return cached;
  struct stat status;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    const size_t size = (size_t)status.st_size;
    cached.before = resident(file, size, &status);
    // Pages that are not on disk yet cannot be dropped.
    fdatasync(file);
    cached.dropped = posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0;
    cached.after = resident(file, size, &status);
  }
  close(file);
#else
  (void)path;
#endif
  return cached;
}

int launch_pager(const char *command) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) {
    close(ends[0]);
    close(ends[1]);
    return -1;
  }
  posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  char shell[] = "sh", option[] = "-c";
  char *copy = strdup(command);
  char *arguments[] = {shell, option, copy, NULL};
  // As git does: quit if everything fits on a screen, let colors through, and leave the screen unchanged.
  setenv("LESS", "FRX", 0);
  pid_t pid = -1;
  const int failure =
      copy ? posix_spawn(&pid, "/bin/sh", &actions, NULL, arguments, environ) : ENOMEM;
  free(copy);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  if (failure == 0 && dup2(ends[1], 1) < 0) {
    close(ends[1]);
    return -1;
  }
  close(ends[1]);
  return failure == 0 ? (int)pid : -1;
}

void launch_pager_end(int pid) {
  close(1);
  while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
  }
}

void launch_reuse_memory(size_t most) {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, (int)most);
  mallopt(M_TRIM_THRESHOLD, (int)most);
#else
  (void)most;
#endif
}

void launch_limit_memory(int64_t bytes) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0) return;
  if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > (rlim_t)bytes) limit.rlim_cur = (rlim_t)bytes;
  setrlimit(RLIMIT_AS, &limit);
}

/// The work of a thread.
typedef struct {
  void (*work)(void *);
  void *context;
} thread_work;

static void *do_work(void *place) {
  const thread_work work = *(thread_work *)place;
  free(place);
  work.work(work.context);
  return NULL;
}

int launch_thread(void (*work)(void *), void *context) {
  thread_work *const place = malloc(sizeof *place);
  if (!place) return ENOMEM;
  *place = (thread_work){work, context};
  pthread_t thread;
  const int failure = pthread_create(&thread, NULL, do_work, place);
  if (failure == 0) {
    pthread_detach(thread);
  } else {
    free(place);
  }
  return failure;
}

int launch_thread_room(int most, size_t heap) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return most;
  struct rlimit stack;
  size_t size = (size_t)8 << 20;
  if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur != RLIM_INFINITY) size = stack.rlim_cur;
  size += heap;
  for (int count = most; count > 0; count--) {
    void *const place = mmap(NULL, size * (size_t)count, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) continue;
    munmap(place, size * (size_t)count);
    return count;
  }
  return 0;
}

/// The pipe to the guard process; -1 before the guard is started.
static int guard = -1;

/// Waits for process groups, and ends them when the other end of a pipe is closed, which happens when this process
/// ends. Only calls functions that are allowed between fork and exec, because other threads may have held any lock.
static void keep_guard(int told) {
  static int groups[1024];
  const int most = sizeof groups / sizeof *groups;
  int count = 0;
  int group;
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  setsid();
  // A program that waits for the end of this process's output must not wait for the guard.
  dup2(told, 0);
  told = 0;
#if defined(SYS_close_range)
  const int is_closed = syscall(SYS_close_range, 1U, ~0U, 0) == 0;
#else
  const int is_closed = 0;
#endif
  for (int file = 1; !is_closed && file < 65536; file++) close(file);
  for (;;) {
    const ssize_t read_count = read(told, &group, sizeof group);
    if (read_count < 0 && errno == EINTR) continue;
    if (read_count != sizeof group) break;
    // The process ends normally, and anything that it leaves running, such as a browser, is intended to stay.
    if (group == 0) _exit(0);
    if (group > 0 && count < most) groups[count++] = group;
    for (int place = 0; group < 0 && place < count; place++) {
      if (groups[place] == -group) groups[place--] = groups[--count];
    }
  }
  for (int place = 0; place < count; place++) kill(-groups[place], SIGKILL);
  _exit(0);
}

static void dismiss_guard(void) {
  const int nobody = 0;
  launch_write(guard, (const unsigned char *)&nobody, sizeof nobody);
}

void launch_guard(int pid, int ends) {
  if (guard < 0) {
    int pair[2];
    if (ends || launch_wake_open(pair) != 0) return;
    const pid_t child = fork();
    if (child == 0) {
      close(pair[1]);
      keep_guard(pair[0]);
    }
    close(pair[0]);
    if (child < 0) {
      close(pair[1]);
      return;
    }
    guard = pair[1];
    atexit(dismiss_guard);
  }
  const int group = ends ? -pid : pid;
  launch_write(guard, (const unsigned char *)&group, sizeof group);
}

struct launch_pattern {
  regex_t expression;
};

launch_pattern *launch_pattern_make(const char *text) {
  launch_pattern *pattern = malloc(sizeof *pattern);
  if (pattern && regcomp(&pattern->expression, text, REG_EXTENDED | REG_NOSUB) != 0) {
    free(pattern);
    return NULL;
  }
  return pattern;
}

int launch_pattern_matches(const launch_pattern *pattern, const char *line) {
  return regexec(&pattern->expression, line, 0, NULL, 0) == 0;
}

void launch_pattern_free(launch_pattern *pattern) {
  if (pattern) regfree(&pattern->expression);
  free(pattern);
}

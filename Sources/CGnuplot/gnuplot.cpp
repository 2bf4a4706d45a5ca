#include "gnuplot.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <vector>

#include <gnuplot-iostream.h>

#include "ScratchFile.h"

namespace {

/// Numbers of the caller's, as a container that gnuplot-iostream takes.
struct Numbers {
  typedef double value_type;
  typedef const double *const_iterator;
  const double *first;
  const double *last;
  const_iterator begin() const { return first; }
  const_iterator end() const { return last; }
};

/// A pipe that tells when a child is gone: the child holds its other end.
struct Liveness {
  int ends[2] = {-1, -1};
  bool open() {
#if defined(__linux__)
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
#else
    if (pipe(ends) != 0) return false;
    for (int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
#endif
    for (int &end : ends) end = ScratchFile::aboveStandard(end);
    return ends[0] >= 0 && ends[1] >= 0;
  }
  void closeChildsEnd() {
    if (ends[1] >= 0) close(ends[1]);
    ends[1] = -1;
  }
  ~Liveness() {
    closeChildsEnd();
    if (ends[0] >= 0) close(ends[0]);
  }
};

}  // namespace

struct gnuplot_run {
  ScratchFile script, picture, messages;
  std::vector<std::unique_ptr<ScratchFile>> numbers;
};

namespace {

/// Writes through gnuplot-iostream; false when not all of it went through.
template <typename Write>
bool writeTo(const ScratchFile &file, Write write) {
  const int copy = fcntl(file.number(), F_DUPFD_CLOEXEC, 0);
  if (copy < 0) return false;
  std::FILE *stream = fdopen(copy, "w");
  if (!stream) {
    close(copy);
    return false;
  }
  Gnuplot gnuplot(stream);
  write(gnuplot);
  gnuplot.flush();
  return gnuplot.good();
}

/// Lets the child find a file under the same number.
void inherit(posix_spawn_file_actions_t *actions, int number) {
#if defined(__APPLE__)
  posix_spawn_file_actions_addinherit_np(actions, number);
#else
  posix_spawn_file_actions_adddup2(actions, number, number);
#endif
}

/// What the child sees of the environment: where programs and fonts are, and a locale in which
/// numbers have a point.
std::vector<std::string> environment() {
  std::vector<std::string> variables = {"LC_ALL=C.UTF-8"};
  for (const char *name : {"PATH", "HOME", "TMPDIR", "FONTCONFIG_FILE", "FONTCONFIG_PATH"}) {
    if (const char *value = std::getenv(name)) variables.push_back(std::string(name) + "=" + value);
  }
  return variables;
}

int start(const gnuplot_run &run, const char *program, bool asksVersion, int liveness, pid_t *child) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  const ScratchFile &output = asksVersion ? run.picture : run.messages;
  posix_spawn_file_actions_adddup2(&actions, run.script.number(), 0);
  posix_spawn_file_actions_adddup2(&actions, output.number(), 1);
  posix_spawn_file_actions_adddup2(&actions, run.messages.number(), 2);
  inherit(&actions, run.picture.number());
  for (const auto &file : run.numbers) inherit(&actions, file->number());
  inherit(&actions, liveness);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  sigaddset(&signals, SIGXFSZ);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  // The tool may hold signals back; gnuplot has no reason to.
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  std::vector<std::string> words = {program};
  // -d leaves start-up files of the user and the system out.
  if (asksVersion) {
    words.push_back("--version");
  } else {
    words.insert(words.end(), {"-d", "-"});
  }
  std::vector<std::string> variables = environment();
  std::vector<char *> arguments, names;
  for (auto &word : words) arguments.push_back(&word[0]);
  for (auto &variable : variables) names.push_back(&variable[0]);
  arguments.push_back(nullptr);
  names.push_back(nullptr);
  int failure;
  int tries = 0;
  do {
    // A program written a moment ago may still be open in a child that another thread starts.
    if (tries > 0) usleep(10000);
    failure =
        posix_spawnp(child, program, &actions, &attributes, arguments.data(), names.data());
  } while (failure == ETXTBSY && ++tries < 200);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}

/// Waits until the child is gone; stops it when it takes too long.
gnuplot_end wait(pid_t child, int liveness, int milliseconds) {
  gnuplot_end end = {0, 0, 0, 0};
  struct pollfd gone = {liveness, POLLIN, 0};
  int ready;
  do {
    ready = poll(&gone, 1, milliseconds);
  } while (ready < 0 && errno == EINTR);
  if (ready == 0) {
    end.timed_out = 1;
    kill(child, SIGKILL);
  }
  int status = 0;
  pid_t found;
  do {
    found = waitpid(child, &status, 0);
  } while (found < 0 && errno == EINTR);
  if (found < 0) {
    end.failure = errno;
  } else if (WIFSIGNALED(status)) {
    end.signal = WTERMSIG(status);
  } else {
    end.status = WEXITSTATUS(status);
  }
  return end;
}

}  // namespace

gnuplot_run *gnuplot_begin(void) {
  try {
    std::unique_ptr<gnuplot_run> run(new gnuplot_run);
    const bool isOpen = run->script.isOpen() && run->picture.isOpen() && run->messages.isOpen();
    return isOpen ? run.release() : nullptr;
  } catch (...) {
    return nullptr;
  }
}

void gnuplot_free(gnuplot_run *run) { delete run; }

const char *gnuplot_add_numbers(gnuplot_run *run, const double *numbers, size_t count) {
  try {
    std::unique_ptr<ScratchFile> file(new ScratchFile);
    if (!file->isOpen()) return nullptr;
    const bool isWritten = writeTo(*file, [&](Gnuplot &gnuplot) {
      gnuplot.sendBinary1d(Numbers{numbers, numbers + count});
    });
    if (!isWritten || file->size() != count * sizeof(double)) return nullptr;
    run->numbers.push_back(std::move(file));
    return run->numbers.back()->path().c_str();
  } catch (...) {
    return nullptr;
  }
}

const char *gnuplot_picture_path(const gnuplot_run *run) { return run->picture.path().c_str(); }

gnuplot_end gnuplot_finish(
    gnuplot_run *run, const char *program, const char *script, size_t length, int milliseconds) {
  gnuplot_end end = {EIO, 0, 0, 0};
  try {
    if (script) {
      const bool isWritten = writeTo(run->script, [&](Gnuplot &gnuplot) {
        gnuplot.write(script, static_cast<std::streamsize>(length));
      });
      if (!isWritten || run->script.size() != length) return end;
    }
    lseek(run->script.number(), 0, SEEK_SET);
    Liveness liveness;
    if (!liveness.open()) {
      end.failure = errno;
      return end;
    }
    pid_t child = 0;
    end.failure = start(*run, program, script == nullptr, liveness.ends[1], &child);
    if (end.failure != 0) return end;
    liveness.closeChildsEnd();
    return wait(child, liveness.ends[0], milliseconds);
  } catch (...) {
    return end;
  }
}

size_t gnuplot_picture_size(const gnuplot_run *run) { return run->picture.size(); }

size_t gnuplot_messages_size(const gnuplot_run *run) {
  return std::min<size_t>(run->messages.size(), 4096);
}

size_t gnuplot_copy_picture(const gnuplot_run *run, unsigned char *bytes, size_t count) {
  return run->picture.copy(bytes, count);
}

size_t gnuplot_copy_messages(const gnuplot_run *run, unsigned char *bytes, size_t count) {
  return run->messages.copy(bytes, count);
}

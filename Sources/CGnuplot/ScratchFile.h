// A file for one run, which other programs find by a path and nobody finds afterwards.
#ifndef FRAMETOOL_SCRATCH_FILE_H
#define FRAMETOOL_SCRATCH_FILE_H

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#if defined(__linux__)
#include <sys/mman.h>
#endif

class ScratchFile {
 public:
  ScratchFile() {
#if defined(__linux__)
    // In memory, under a path that stays the same in a child that inherits the number.
    number_ = aboveStandard(memfd_create("frametool", MFD_CLOEXEC));
    path_ = "/proc/self/fd/" + std::to_string(number_);
#else
    const char *folder = std::getenv("TMPDIR");
    path_ = std::string(folder && folder[0] == '/' ? folder : "/tmp") + "/frametool-XXXXXX";
    number_ = aboveStandard(mkstemp(&path_[0]));
    if (number_ >= 0) fcntl(number_, F_SETFD, FD_CLOEXEC);
    hasName_ = number_ >= 0;
#endif
  }

  ~ScratchFile() {
    if (number_ >= 0) close(number_);
    if (hasName_) unlink(path_.c_str());
  }

  ScratchFile(const ScratchFile &) = delete;
  ScratchFile &operator=(const ScratchFile &) = delete;

  /// The same file under a number that is not one of the standard streams', which a program
  /// started without some of them would give out.
  static int aboveStandard(int number) {
    if (number < 0 || number > 2) return number;
    const int other = fcntl(number, F_DUPFD_CLOEXEC, 3);
    close(number);
    return other;
  }

  bool isOpen() const { return number_ >= 0; }
  int number() const { return number_; }
  const std::string &path() const { return path_; }

  size_t size() const {
    struct stat status;
    return fstat(number_, &status) == 0 && status.st_size > 0
        ? static_cast<size_t>(status.st_size)
        : 0;
  }

  /// Reads from the start; returns how many bytes there were.
  size_t copy(unsigned char *bytes, size_t count) const {
    size_t done = 0;
    while (done < count) {
      const ssize_t got = pread(number_, bytes + done, count - done, static_cast<off_t>(done));
      if (got <= 0) break;
      done += static_cast<size_t>(got);
    }
    return done;
  }

 private:
  int number_ = -1;
  std::string path_;
  bool hasName_ = false;
};

#endif

// A temporary file for one run, which other programs find by its path and which no longer exists afterwards.
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
    // The file is in memory, under a path that stays the same in a child that inherits the descriptor.
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

  /// The same file under a descriptor above those of the standard streams, which a program started without some of them
  /// would be given.
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

  /// Reads from the start; returns the number of bytes read.
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

// The system's calls to start a process and to learn what it used have no other interface.
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What one run of a command used.
struct Cost {
  /// Time on a processor, in the command and in the system for it, in milliseconds.
  let cpu: Double
  /// Time until it ended, in milliseconds.
  let wall: Double
  /// The most memory held at once, in bytes.
  let peakMemory: Int
}

/// Runs commands of a shell and measures them.
enum ChildProcess {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs `command` with its output thrown away.
  static func run(_ command: String) throws(Failure) -> Cost {
    var process = pid_t()
    let line = "exec \(command) >/dev/null 2>&1"
    let texts: [String] = ["/bin/sh", "-c", line]
    let words: [UnsafeMutablePointer<CChar>?] = unsafe texts.map { unsafe strdup($0) } + [nil]
    defer { for index in texts.indices { unsafe free(words[index]) } }
    let started = ContinuousClock.now
    guard unsafe posix_spawn(&process, "/bin/sh", nil, nil, words, environ) == 0 else {
      throw Failure(description: "cannot start: \(command)")
    }
    var status: Int32 = 0
    var usage = rusage()
    guard unsafe wait4(process, &status, 0, &usage) == process, status == 0 else {
      throw Failure(description: "ended with an error: \(command)")
    }
    let elapsed = (ContinuousClock.now - started).components
    return Cost(
      cpu: milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime),
      wall: Double(elapsed.seconds) * 1e3 + Double(elapsed.attoseconds) / 1e15,
      peakMemory: Int(usage.ru_maxrss) * memoryUnit)
  }

  private static func milliseconds(_ time: timeval) -> Double {
    Double(time.tv_sec) * 1e3 + Double(time.tv_usec) / 1e3
  }

  /// What the system counts memory in: bytes on Darwin, kibibytes on Linux.
  private static var memoryUnit: Int {
    #if canImport(Darwin)
      1
    #else
      1024
    #endif
  }
}

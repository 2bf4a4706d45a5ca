// Only the system's C calls can start a process and report what it used.
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The resources that one run of a command used.
struct Cost {
  /// Processor time of the command, in user mode and in the system, in milliseconds.
  let cpu: Double
  /// Elapsed time until it ended, in milliseconds.
  let wall: Double
  /// The peak memory, in bytes.
  let peakMemory: Int
}

/// Runs shell commands and measures them.
enum ChildProcess {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs `command` and discards its output.
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

  /// The unit in which the system counts memory: bytes on Darwin, kibibytes on Linux.
  private static var memoryUnit: Int {
    #if canImport(Darwin)
      1
    #else
      1024
    #endif
  }
}

import CLaunch
import FrameKit
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A child process with its output and its end. This is the only code that calls CLaunch's C interface.
@safe final class LaunchedProcess: Sendable {
  /// The destination of the process's output.
  enum Output {
    case none
    /// To standard error.
    case shown
    /// To a separate terminal that is read here.
    case terminal
    /// Standard error only, to a pipe that is read here.
    case errors
    /// All output, to a pipe that is read here.
    case everything
    /// A conversation: the process writes to file descriptor 4, and reads from file descriptor 3.
    case conversation

    fileprivate var raw: launch_output {
      switch self {
      case .none: LAUNCH_OUTPUT_NONE
      case .shown: LAUNCH_OUTPUT_SHOWN
      case .terminal: LAUNCH_OUTPUT_TERMINAL
      case .errors: LAUNCH_OUTPUT_ERRORS
      case .everything: LAUNCH_OUTPUT_EVERYTHING
      case .conversation: LAUNCH_OUTPUT_CONVERSATION
      }
    }
  }

  /// The end of the process.
  struct End: Sendable {
    /// The time on the monotonic clock, in nanoseconds, like all times here.
    let time: Int64
    /// The exit status; `nil` if a signal ended the process.
    let status: Int32?
    let signal: Int32
    let cpu: Int64
    /// The number of bytes that the process read from disk; `nil` if the system does not report it.
    let bytesRead: Int64?
  }

  /// An event while the process runs.
  enum Event {
    /// The process printed something, which was read at the given time.
    case printed([UInt8], at: Int64)
    case ended(End)
    case timeOver
  }

  let identifier: Int32
  let started: Int64
  private let output: Int32
  private let input: Int32
  /// A file descriptor that becomes readable when the process has ended.
  let wake: Int32
  private let end = Mutex<End?>(nil)
  private let hasOutput: Mutex<Bool>

  /// Starts the process.
  /// - Parameter changes: Changes to the process's environment: `NAME=value`, or `NAME` to remove a variable.
  /// - Throws: The error number, if the process cannot be started.
  init(
    _ arguments: [String], changes: [String] = [], output: Output
  ) throws(SystemError) {
    let ends = try Self.pipe()
    let child = Interruption.start {
      let child = Self.start(arguments, changes, output)
      return (child, child.failure == 0 ? child.pid : nil)
    }
    identifier = child.pid
    started = child.started
    (self.output, input) = (child.output, child.input)
    hasOutput = Mutex(child.output >= 0)
    wake = ends.read
    guard child.failure == 0 else {
      // The other end is closed when this object is destroyed.
      launch_close(ends.write)
      throw SystemError(number: child.failure)
    }
    // Only a dedicated thread notices the end immediately.
    let watches = Self.startThread { [self] in
      awaitEnd()
      launch_wake(ends.write)
      launch_close(ends.write)
    }
    guard watches else {
      launch_close(ends.write)
      endGroup()
      awaitEnd()
      throw SystemError(number: ENOMEM)
    }
  }

  /// Waits until the process has ended, and records how it ended.
  private func awaitEnd() {
    let end = launch_wait(identifier)
    Interruption.forget(process: identifier)
    self.end.withLock {
      $0 = End(
        time: end.time, status: end.status < 0 ? nil : end.status, signal: end.signal,
        cpu: end.cpu, bytesRead: end.bytes_read < 0 ? nil : end.bytes_read)
    }
  }

  deinit {
    for file in [output, input, wake] { launch_close(file) }
  }

  /// Sends data to the process in a conversation.
  /// - Returns: Whether the data was accepted.
  func send(_ bytes: [UInt8]) -> Bool { unsafe launch_write(input, bytes, bytes.count) == 0 }

  fileprivate static func pipe() throws(SystemError) -> (read: Int32, write: Int32) {
    var ends: (Int32, Int32) = (-1, -1)
    let status = unsafe withUnsafeMutableBytes(of: &ends) { bytes in
      unsafe launch_wake_open(bytes.baseAddress?.assumingMemoryBound(to: Int32.self))
    }
    guard status == 0 else { throw SystemError(number: errno) }
    return (ends.0, ends.1)
  }

  private static func start(
    _ arguments: [String], _ changes: [String], _ output: Output
  ) -> launch_child {
    let words = unsafe arguments.map { unsafe strdup($0) }
    let variables = unsafe changes.map { unsafe strdup($0) }
    defer {
      for position in arguments.indices { unsafe free(words[position]) }
      for position in changes.indices { unsafe free(variables[position]) }
    }
    return unsafe launch_start(words + [nil], variables + [nil], output.raw)
  }

  /// The end of the process; `nil` while it runs.
  var ending: End? { end.withLock { $0 } }

  /// Waits for the next event, at most until a given time.
  func next(until limit: Int64) -> Event {
    while true {
      let now = Self.now
      let reads = hasOutput.withLock { $0 }
      let milliseconds = max(0, min(limit - now, 3_600_000_000_000) / 1_000_000 + 1)
      let ready = now >= limit ? 0 : launch_poll(reads ? output : -1, wake, Int32(milliseconds))
      if ready & 1 != 0 {
        let bytes = read()
        if !bytes.isEmpty { return .printed(bytes, at: Self.now) }
        hasOutput.withLock { $0 = false }
      } else if ready & 2 != 0, let end = end.withLock({ $0 }) {
        return .ended(end)
      } else if Self.now >= limit {
        return .timeOver
      }
    }
  }

  private func read() -> [UInt8] {
    unsafe Array(unsafeUninitializedCapacity: 1 << 16) { bytes, count in
      count = unsafe launch_read(output, bytes.baseAddress, bytes.count)
    }
  }

  /// Ends the process and its children: first with a request, then forcibly.
  /// - Parameters:
  ///   - signal: The signal of the request.
  ///   - patience: The time that the process has to end, in nanoseconds.
  ///   - taking: Receives the process's output while it ends.
  /// - Returns: The end of the process.
  func stop(
    by signal: Int32 = SIGTERM, patience: Int64 = 2_000_000_000,
    taking: ([UInt8]) -> Void = { _ in }
  ) -> End {
    for (signal, patience) in [(signal, patience), (SIGKILL, .max / 2)] {
      launch_signal(identifier, signal)
      let limit = Self.now + patience
      while Self.now < limit {
        switch next(until: limit) {
        case .printed(let bytes, _): taking(bytes)
        case .timeOver: break
        case .ended(let end):
          endGroup()
          return end
        }
      }
    }
    return End(time: Self.now, status: nil, signal: SIGKILL, cpu: 0, bytesRead: nil)
  }

  /// The next data from the program that started this process in a conversation; empty at its end.
  static func hear() -> [UInt8] {
    unsafe Array(unsafeUninitializedCapacity: 1 << 16) { bytes, count in
      count = unsafe launch_read(3, bytes.baseAddress, bytes.count)
    }
  }

  /// Answers the program that started this process in a conversation.
  /// - Returns: Whether the answer was accepted.
  static func answer(_ bytes: [UInt8]) -> Bool { unsafe launch_write(4, bytes, bytes.count) == 0 }

  /// Starts a thread for a closure.
  ///
  /// A dispatch queue would wait forever if there is no memory for a thread.
  /// - Returns: Whether the thread was started. Without memory for a thread, the closure is not called.
  static func startThread(_ work: @escaping @Sendable () -> Void) -> Bool {
    final class Work: Sendable {
      let work: @Sendable () -> Void
      init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
    let held = unsafe Unmanaged.passRetained(Work(work))
    let failure = unsafe launch_thread(
      {
        if let position = unsafe $0 {
          unsafe Unmanaged<Work>.fromOpaque(position).takeRetainedValue().work()
        }
      },
      held.toOpaque())
    if failure != 0 { unsafe held.release() }
    return failure == 0
  }

  /// The number of additional threads, at most `most`, for which there is memory.
  /// - Parameter heap: The memory that each thread allocates or reserves.
  static func threadRoom(_ most: Int, heap: Int) -> Int {
    Int(launch_thread_room(Int32(clamping: min(most, 1024)), heap))
  }

  /// Limits the memory of this process.
  static func limitMemory(to bytes: Int64) { launch_limit_memory(bytes) }

  /// The file of this program; `nil` if the system does not report it.
  static var ownProgram: String? { PageCache.file(named: "/proc/self/exe") }

  /// The value of an environment variable; `nil` if it is not set.
  static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// Starts a pager through the shell and redirects standard output to it.
  /// - Returns: The pager's process ID; negative if the pager cannot be started.
  static func startPager(_ command: String) -> Int32 { unsafe launch_pager(command) }

  /// Waits until the user leaves the pager.
  static func endPager(_ process: Int32) { launch_pager_end(process) }

  /// Asks the process and its children to end, or kills them.
  func end(politely: Bool) { launch_signal(identifier, politely ? SIGTERM : SIGKILL) }

  /// Kills the process's remaining children.
  func endGroup() { launch_signal(identifier, SIGKILL) }

  /// Ensures that a process's group is ended even if the tool is killed.
  static func guardGroup(of process: Int32) { launch_guard(process, 0) }

  /// Declares that a process has ended.
  static func unguardGroup(of process: Int32) { launch_guard(process, 1) }

  /// The processor time of the process's threads so far, in nanoseconds; `nil` if unknown.
  var cpu: Int64? {
    let time = launch_cpu(identifier)
    return time < 0 ? nil : time
  }

  /// The system's name of a process; `nil` if unknown.
  static func name(of process: Int) -> String? {
    let file = try? InputFile(path: "/proc/\(process)/comm")
    guard let bytes = try? file?.readAll(atMost: 4096, of: "names") else { return nil }
    let name = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return name.isEmpty ? nil : name
  }

  /// Makes this process the parent of orphaned processes of programs that it started, so that they are attributed to
  /// those programs.
  static func adopt() { launch_adopt() }

  /// The running processes that this process started or adopted, except the process that ends them if this process is
  /// killed; empty if the system does not report them.
  static var children: Set<Int> {
    let own = "/proc/\(ownIdentifier)/task"
    let threads = ((try? FileFolder.files(in: own)) ?? nil) ?? []
    let all = threads.flatMap { thread in
      let file = try? InputFile(path: "\(thread)/children")
      let bytes = try? file?.readAll(atMost: 1 << 20, of: "processes")
      return String(decoding: bytes ?? [], as: UTF8.self).split(separator: " ").compactMap {
        Int($0)
      }
    }
    let name = name(of: Int(ownIdentifier))
    return Set(all.filter { Self.name(of: $0) != name && status(of: $0)?.first != "Z" })
  }

  /// The fields of a process's state after its name: the state's letter, the parent, and so on.
  private static func status(of process: Int) -> [Substring]? {
    let file = try? InputFile(path: "/proc/\(process)/stat")
    guard let bytes = try? file?.readAll(atMost: 4096, of: "processes"),
      let end = bytes.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    return String(decoding: bytes[(end + 1)...], as: UTF8.self).split(separator: " ")
  }

  /// Whether a process was started by this process or by one of its descendants; `false` if the system does not report
  /// it.
  static func isDescendant(_ process: Int) -> Bool {
    var position = process
    // A process table that changes during the search must not cause an endless loop.
    for _ in 0..<64 where position > 1 {
      if position == Int(ownIdentifier) { return true }
      guard let fields = status(of: position), fields.count > 1, let parent = Int(fields[1]) else {
        return false
      }
      position = parent
    }
    return false
  }

  /// Whether a process of any user is running.
  static func isRunning(_ process: Int) -> Bool { launch_is_running(Int32(clamping: process)) != 0 }

  /// The tool's process ID.
  static var ownIdentifier: Int32 { getpid() }

  /// Makes the allocator reuse blocks of several megabytes, which are allocated again for each of many files.
  /// Otherwise, the system clears these blocks each time, which took half of the time for a thousand files.
  static func reuseMemory() { launch_reuse_memory(256 << 20) }

  /// The number of available processors.
  static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// Whether the tool's user is the superuser.
  static var isSuperuser: Bool { geteuid() == 0 }

  /// The time on the monotonic clock.
  static var now: Int64 { launch_time(monotonicClock) }

  /// Sleeps.
  static func rest(milliseconds: Int32) { _ = launch_poll(-1, -1, milliseconds) }

  /// The real time, used to date the jobs of a history.
  static var secondsSince1970: Int64 { launch_time(launch_real_clock()) / 1_000_000_000 }

  static var monotonicClock: UInt32 { launch_monotonic_clock() }

  /// The time on a clock given by its number; `nil` if the clock does not exist.
  static func time(onClock number: UInt32) -> Int64? {
    let time = launch_time(number)
    return time < 0 ? nil : time
  }
}

/// A stop request from the user, as a file descriptor that can be polled.
final class StopRequest {
  /// A file descriptor that becomes readable when the user requests a stop.
  let file: Int32
  private let ends: (read: Int32, write: Int32)

  init() throws(SystemError) {
    let ends = try LaunchedProcess.pipe()
    self.ends = ends
    file = ends.read
    Interruption.listen { launch_wake(ends.write) }
  }

  deinit {
    Interruption.listen(nil)
    launch_close(ends.read)
    launch_close(ends.write)
  }
}

/// A failed system call.
struct SystemError: Error {
  let number: Int32
}

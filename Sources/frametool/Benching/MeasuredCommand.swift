import FrameKit

/// How each run of a command is measured.
struct RunMeasurement: Sendable {
  /// The recorder of a run.
  enum Recorder: String, CaseIterable, Sendable {
    case none, vulkan, wayland, chrome
  }

  var recorder = Recorder.none
  /// The file that each run writes, with `*` for any characters in its name.
  var result: String?
  /// The time after which a recording ends, in seconds; `nil` to end with the program.
  var duration: Double?
  /// The time after which a run counts as hanging, in seconds.
  var timeout = 600.0
  /// The folder where recordings are kept; `nil` to remove them.
  var kept: String?
  var showsOutput = false
  var traces = TraceChoice()
  var figures = ComparedFigures()
  /// Whether latencies are compared instead of frames.
  var isLatency = false
  /// Whether runs are compared by processor time instead of the time from start to exit.
  var isProcessorTime = false

  /// Whether only the time of each run is measured.
  var isTime: Bool { recorder == .none && result == nil }
  var kind: ComparisonOptions.Kind { isTime ? .launch : isLatency ? .latency : .frames }
}

/// A command that is run repeatedly, and what is measured in a run.
struct MeasuredCommand: Sendable {
  /// The command's name in messages, such as A.
  let name: String
  let words: [String]
  /// The folder in which the command runs; `nil` for the current folder.
  var folder: String?
  /// Additional variables of the command's environment.
  var variables: [String] = []
  let measurement: RunMeasurement

  enum Outcome {
    case measured(SummarizedRun, cpu: Int64)
    case failed(String)
    /// The user requested a stop.
    case stopped
  }

  /// Runs the command once.
  /// - Parameter label: What distinguishes the run from others, such as `a-003`.
  func run(
    _ label: String, _ wish: StopWish, on console: Console
  ) throws(CommandError) -> Outcome {
    let folder: String
    do throws(ParseError) {
      folder = try FileFolder.makePrivate()
    } catch {
      throw CommandError(error)
    }
    defer { FileFolder.removeAll(folder) }
    let status = "\(folder)/status"
    let record = "\(measurement.kept ?? folder)/\(label)\(Self.ending(measurement.recorder))"
    let before = measurement.result.map { leftFiles($0) } ?? [:]
    let words = try wrapped(record: record, status: status)
    let run = try ProgramRun(
      words, changes: variables, output: measurement.showsOutput ? .shown : .none,
      duration: measurement.timeout, wish: wish)
    if run.stop == .wish { return .stopped }
    if run.stop == .done {
      return .failed(
        "it ran for more than \(FixedNumber.text(measurement.timeout, decimals: measurement.timeout < 10 ? 1 : 0)) s"
      )
    }
    if let failure = failure(run.end, status: status) { return .failed(failure) }
    let file: String
    switch measurement.result.map({ found($0, before) }) {
    case nil: file = record
    case .success(let path): file = path
    case .failure(let failure): return .failed(failure.reason)
    }
    let trace = measurement.isTime ? Self.time(of: run, self.words) : nil
    return read(trace, file, label, cpu: run.end.cpu, on: console)
  }

  private static func ending(_ recorder: RunMeasurement.Recorder) -> String {
    recorder == .chrome ? ".json" : ".jsonl"
  }

  /// The words that run the command: in its folder, under a recorder, and with its exit status stored, because a
  /// recorder has another.
  private func wrapped(record: String, status: String) throws(CommandError) -> [String] {
    // If a folder is entered, the start of a shell (a millisecond) is part of the time of both sides.
    let inFolder =
      folder.map { ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", $0] + words } ?? words
    let recorder = measurement.recorder
    guard recorder != .none else { return inFolder }
    guard let program = LaunchedProcess.ownProgram, Interruption.isOwnProcess else {
      throw CommandError(.unavailable, "--capture: the system does not tell where frametool is")
    }
    let duration = measurement.duration.map { ["--duration", "\($0)"] } ?? []
    let start = [program, "capture", recorder.rawValue, "--quiet", "-o", record] + duration
    if recorder == .chrome { return start + words }
    let script = "\"$@\"; status=$?; echo $status >\"$0\"; exit $status"
    return start + ["--", "/bin/sh", "-c", script, status] + inFolder
  }

  /// Why a run failed, according to how it ended; `nil` if it succeeded.
  private func failure(_ end: LaunchedProcess.End, status: String) -> String? {
    let own = try? InputFile(path: status).readAll(atMost: 100, of: "a status")
    let kept = own.flatMap { Int32(String(decoding: $0, as: UTF8.self).filter(\.isNumber)) }
    if let number = kept ?? end.status, number != 0 {
      // The shell's own statuses for programs that cannot be started.
      let why = number == 127 ? ": not found" : number == 126 ? ": cannot be started" : ""
      return "it ended with status \(number)\(why)"
    }
    return end.status == nil ? "it ended by signal \(end.signal)" : nil
  }

  /// The files that match a pattern, with their modification times.
  private func leftFiles(_ pattern: String) -> [String: Int64] {
    let path = pattern.hasPrefix("/") ? pattern : folder.map { "\($0)/\(pattern)" } ?? pattern
    let slash = path.lastIndex(of: "/")
    let parent = slash.map { String(path[..<$0]) } ?? "."
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    let files = ((try? FileFolder.files(in: parent.isEmpty ? "/" : parent)) ?? nil) ?? []
    var found: [String: Int64] = [:]
    for file in files {
      let own = file.split(separator: "/").last.map(String.init) ?? file
      if Self.matches(own, name) { found[file] = FileDescriptor.stateTime(of: file) }
    }
    return found
  }

  /// Whether a name matches a pattern in which `*` stands for any characters.
  static func matches(_ name: String, _ pattern: String) -> Bool {
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 1 else { return name == pattern }
    guard name.hasPrefix(parts[0]) else { return false }
    var rest = name.dropFirst(parts[0].count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(parts[parts.count - 1])
  }

  private struct Failure: Error { let reason: String }

  /// The file that a run wrote.
  private func found(_ pattern: String, _ before: [String: Int64]) -> Result<String, Failure> {
    let new = leftFiles(pattern).filter { before[$0.key] != $0.value }.keys.sorted()
    if new.count == 1 { return .success(new[0]) }
    return .failure(
      Failure(
        reason: new.isEmpty
          ? "it left no new file \(pattern)"
          : "it left \(new.count) new files \(pattern), expected one"))
  }

  /// The time of a run as a trace.
  private static func time(of run: ProgramRun, _ words: [String]) -> [UInt8] {
    var recording = LaunchRecording()
    recording.append(
      LaunchRecord(
        process: PrintableText.line(words.joined(separator: " ")), kind: .warm, isThrowaway: false,
        started: run.started, exited: run.end.time, until: .exited, cpu: run.end.cpu,
        bytesRead: run.end.bytesRead))
    return recording.bytes
  }

  /// The content of a run's trace, or why it is insufficient.
  private func read(
    _ bytes: [UInt8]?, _ file: String, _ label: String, cpu: Int64, on console: Console
  ) -> Outcome {
    let found = Result { () throws(CommandError) in
      try study(bytes, file, on: console)
    }
    do {
      let study = try found.get()
      var times = try RunTimes.of(study, measurement.figures)
      times.file = label
      var run = try SummarizedRun(of: study, .all, tags: [:], size: nil, isComparable: false)
      var summary = times.summary
      if measurement.isProcessorTime {
        summary.launches = [LaunchTime(time: cpu, measure: .processorTime)]
      }
      (run.file, run.run) = (label, summary)
      if let short = shortness(summary) { return .failed(short) }
      return .measured(run, cpu: cpu)
    } catch let error as CommandError {
      return .failed(error.message)
    } catch let error as ComparisonRefusal {
      return .failed(error.message)
    } catch {
      return .failed("\(error)")
    }
  }

  private func study(
    _ bytes: [UInt8]?, _ file: String, on console: Console
  ) throws(CommandError) -> Study {
    var traces = measurement.traces
    traces.quiet = true
    if let bytes {
      let trace: Trace
      do throws(ParseError) {
        trace = try Importers.read(InputFile(bytes: bytes, path: file))
      } catch {
        throw CommandError(error)
      }
      return try traces.study(of: trace)
    }
    let results = traces.inputs(on: console).map([file]) { $0 }
    guard let trace = try results.first?.get() else {
      throw CommandError(.badData, "\(file): no trace was left")
    }
    return try traces.study(of: trace)
  }

  private func shortness(_ run: RunSummary) -> String? {
    switch measurement.kind {
    case .frames where run.count < RunSummary.fewestFrames:
      "it left \(run.count) frames, expected at least \(RunSummary.fewestFrames): let it run longer"
    case .latency where run.latencies.count < 5:
      "it left \(run.latencies.count) latencies, expected at least 5: let it run longer"
    default: nil
    }
  }
}

import FrameKit

/// The user's choices for traces, shared by several commands: how traces are read, which surfaces and which part of a
/// trace are used, and how light is counted.
struct TraceChoice: Sendable {
  var importing = ImportChoice()
  var areOneRecording = false
  var quiet = false
  /// A separate recording of touches, and the offset of the recording's clock.
  var touches: String?
  var offset: JoinedTouches.Offset?
  /// A separate recording of the threads' activity, and the offset added to its times, in ms.
  var threads: String?
  var threadsOffset: Double?
  /// A compositor's log of its drawing times.
  var compositor: String?
  /// The files that are joined to every trace.
  var companions: [String] { [touches, threads, compositor].compactMap(\.self) }
  var surfaces = SurfaceChoice()
  var start: String?
  var end: String?
  var skipped: Double?
  var scanOutShare: Double?
  var deviceOffset: Double?
  /// The maximum size of a compressed file's content, in megabytes.
  var maxSize: Double?
  /// The number of traces read at once; `nil` for as many as there are processors.
  var jobs: Int?

  /// A group of options.
  enum Part: CaseIterable {
    /// The processes.
    case processes
    /// The surfaces.
    case surfaces
    /// The part of a trace.
    case region
    /// The timing of light.
    case light
    /// The reading of traces.
    case reading
    /// The separately recorded activity of threads.
    case threads
  }

  /// The groups that affect figures.
  static let figures: [Part] = [.processes, .surfaces, .region, .light, .reading]

  /// The options for these choices.
  /// - Parameter parts: The groups that affect the command's result.
  static func options<Root>(
    _ path: any WritableKeyPath<Root, TraceChoice> & Sendable, _ parts: [Part] = Part.allCases
  ) -> [CommandOption<Root>] {
    parts.flatMap(options).map { $0.ineffective(on: .pairs).within(path) }
  }

  private static func options(_ part: Part) -> [CommandOption<TraceChoice>] {
    switch part {
    case .processes:
      [
        .list(
          "--process", to: \.surfaces.processes, metavar: "NAME",
          help: "only processes with this name or ID")
      ]
    case .surfaces:
      [
        .list(
          "--surface", to: \.surfaces.surfaces, metavar: "NAME",
          help: "only surfaces of this name or id")
      ]
    // Frames that are already counted cannot be selected or read in another way.
    case .region:
      regionOptions.map { $0.ineffective(on: .countedFrames, .plots(without: .region)) }
    case .light:
      lightOptions.map { $0.ineffective(on: .countedFrames, .plots(without: .region)) }
    case .reading: readingOptions
    case .threads:
      [
        .text(
          "--threads", to: \.threads, metavar: "FILE",
          help: "what threads did, recorded alongside the frames by trace-cmd or atrace"
        ).ineffective(on: .countedFrames, .plots(without: .threads)),
        .real(
          "--threads-offset", to: \.threadsOffset, metavar: "MS", in: -1e12...1e12,
          help: "time to add to --threads to match the frames' clock"
        ).needing("--threads"),
      ]
    }
  }

  private static var regionOptions: [CommandOption<TraceChoice>] {
    [
      .text(
        "--from", to: \.start, metavar: "S|NAME",
        help: "start this many seconds into the trace, or at a marker's start"),
      .text(
        "--to", to: \.end, metavar: "S|NAME",
        help: "end this many seconds into the trace, or at a marker's end"),
      .real(
        "--skip-first", to: \.skipped, metavar: "S", in: 0...1e9,
        help: "skip the first seconds of the trace, or of the region that --from selects"),
    ]
  }

  private static var lightOptions: [CommandOption<TraceChoice>] {
    [
      .real(
        "--scan-out", to: \.scanOutShare, metavar: "SHARE", in: 0...1,
        help:
          "share of a frame that is lit at its photon time: 0 top line, 1 all lines (default: 1)"
      ),
      .real(
        "--device-offset", to: \.deviceOffset, metavar: "MS", in: -1000...1000,
        help: "a constant for the device, added to every touch latency"),
    ]
  }

  private static var readingOptions: [CommandOption<TraceChoice>] {
    [
      .inputFormat(to: \.importing.format), .columns(to: \.importing.columns),
      .targetRate(to: \.importing.targetInterval).ineffective(on: .countedFrames),
      .refreshRate(to: \.importing.refreshInterval).ineffective(on: .countedFrames),
      .flag(
        "--one-recording", \.areOneRecording,
        help: "the files are parts of one recording; a folder means all files in it"
      ).ineffective(on: .countedFrames),
      .text(
        "--touches", to: \.touches, metavar: "FILE",
        help: "touches recorded alongside the frames"
      ).needing("--offset").ineffective(on: .countedFrames),
      .offset(to: \.offset).needing("--touches"),
      .text(
        "--compositor", to: \.compositor, metavar: "FILE",
        help: "KWin's frame log of the output, recorded alongside the frames"
      ).ineffective(on: .countedFrames),
      .real(
        "--max-size", to: \.maxSize, metavar: "MB", in: 0.001...1e9,
        help:
          "how much a compressed file may contain (default: \(Inflation.mostTimes) times its size, and at least \(Inflation.leastBytes / 1_000_000) MB)"
      ),
      .number(
        "--jobs", to: \.jobs, metavar: "N", in: 1...1024,
        help:
          "maximum number of traces, replays or parts of a trace to process in parallel (default: one per processor)"
      ),
      .quiet(to: \.quiet),
    ]
  }

  /// The words of a command that specify how files are read, for use in another process.
  static func readingWords(_ arguments: [String]) -> [String] {
    let names: Set = ["--input-format", "--columns", "--max-size"]
    var words: [String] = []
    for (position, argument) in arguments.enumerated() {
      if names.contains(String(argument.prefix { $0 != "=" })) {
        words.append(argument)
        if !argument.contains("="), position + 1 < arguments.count {
          words.append(arguments[position + 1])
        }
      }
    }
    return words
  }

  /// The choices as text, identical for identical choices.
  var words: [String] {
    let columns = "\(importing.columns)"
    let numbers = [skipped, scanOutShare, deviceOffset, maxSize, threadsOffset].map {
      $0.map { "\($0)" } ?? ""
    }
    let intervals = [importing.targetInterval, importing.refreshInterval].map {
      $0.map { "\($0.count)" } ?? ""
    }
    let texts = [importing.format, start, end, touches, threads, compositor].map { $0 ?? "" }
    return texts + numbers + intervals + [columns, offset.map { "\($0)" } ?? ""] + ["processes"]
      + surfaces.processes
      + ["surfaces"] + surfaces.surfaces
  }

  /// The selected part of a trace.
  var region: RegionSelection {
    RegionSelection(start: start, end: end, skipped: skipped ?? 0)
  }

  /// A trace under the chosen options.
  /// - Parameter change: Sets further options.
  /// - Throws: If the selected surface or part of the trace does not exist.
  func study(
    of trace: Trace, _ change: (inout AnalysisOptions) -> Void = { _ in }
  ) throws(CommandError) -> Study {
    if trace.frameCount > 0 { try surfaces.check(trace) }
    var options = AnalysisOptions()
    options.region = try region.find(in: trace)
    options.scanOutShare = scanOutShare ?? 1
    options.deviceOffset = .milliseconds(deviceOffset ?? 0)
    change(&options)
    return Study(of: trace, options, surfaces, parallelism(forFrames: trace.frameCount))
  }

  /// The numbers of frames for which the analysis of a trace is parallel. With fewer frames, threads gain nothing: the
  /// command takes 50 ms with one or two threads. With more frames, memory matters: in parallel, each frame takes an
  /// additional 20 bytes, and an additional 55 in a report.
  private static let divided = 10_000...4_000_000

  /// The parallelism for the analysis of a trace with a given number of frames.
  func parallelism(forFrames count: Int) -> Parallelism {
    Self.divided ~= count ? .processors(atOnce: jobs) : .none
  }

  /// A reader for the runs of a comparison.
  func runs(on console: Console) -> RunInputs { RunInputs(console: console, choice: self) }

  /// A reader for the traces.
  func inputs(on console: Console, demand: TraceDemand = .everything) -> TraceInputs {
    TraceInputs(console: console, choice: self, demand: demand)
  }
}

extension SurfaceChoice {
  /// Checks that a trace contains a selected surface.
  /// - Throws: A usage error that lists the available surfaces, if the surface does not exist.
  func check(_ trace: Trace) throws(CommandError) {
    guard !trace.surfaces.contains(where: matches), !isEmpty else { return }
    let known = trace.surfaces.map { "\($0.process ?? "") (\($0.id))" }
    throw CommandError(
      .usage, "\(trace.provenance.file): no surface matches \(wanted)",
      help: "available: \(known.joined(separator: ", "))")
  }

  private var wanted: String {
    [processes.joined(separator: ", "), surfaces.joined(separator: ", ")]
      .filter { !$0.isEmpty }.joined(separator: " and ")
  }
}

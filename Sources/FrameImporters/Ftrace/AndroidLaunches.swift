import FrameStatistics
import FrameTrace

/// App launches from Android's trace marks: from the intent to the first drawn frame.
///
/// Android's system server has a slice `launchingActivity#7` for each start of an activity, and at
/// its end an instant `launchingActivity#7:completed-cold:com.example`. Before Android 13 it has a
/// slice `launching: com.example`. The app's main thread has `bindApplication`, `activityStart` and
/// `activityResume`, and `reportFullyDrawn() for …` when the app reports that it is complete.
/// Android, "App startup time"; Perfetto, `android.startup`.
struct AndroidLaunches {
  /// An activity start as the system reports it.
  private struct Start {
    let package: String
    let begin, end: Int64
    var kind: LaunchColumn.Kind?
  }

  private let marks: AtraceMarks
  private let frames: () -> AtraceFrames
  private let name: (Int64) -> String?
  /// The launch steps of each process's main thread, in order.
  private var steps: [Int64: [AtraceMarks.Slice]] = [:]
  /// The number of starts that were canceled or have no recorded outcome.
  private var failed = 0

  private static let launching: ByteName = "launchingActivity#"
  private static let older: ByteName = "launching: "
  private static let intent = "MetricsLogger:launchObserverNotifyIntentStarted"
  private static let stepNames: Set<String> = [
    "bindApplication", "activityStart", "activityResume",
  ]
  private static let fullyDrawn = "reportFullyDrawn"

  /// Adds the launches found in marks.
  /// - Parameters:
  ///   - name: The name of a process.
  ///   - frames: Finds the frames of apps; called only for traces with launches, because it takes time.
  static func add(
    _ marks: AtraceMarks, to builder: inout TraceBuilder, name: @escaping (Int64) -> String?,
    frames: @escaping () -> AtraceFrames
  ) {
    var launches = AndroidLaunches(marks: marks, name: name, frames: frames)
    launches.add(to: &builder)
  }

  private init(
    marks: AtraceMarks, name: @escaping (Int64) -> String?, frames: @escaping () -> AtraceFrames
  ) {
    (self.marks, self.name, self.frames) = (marks, name, frames)
    let steps = marks.slices(
      beginning: "bindApplication", "activityStart", "activityResume", "reportFullyDrawn"
    ) { Self.stepNames.contains($0) || $0.hasPrefix(Self.fullyDrawn) }
    for slice in steps {
      guard slice.thread == slice.process else { continue }
      self.steps[slice.process, default: []].append(slice)
    }
  }

  private mutating func add(to builder: inout TraceBuilder) {
    let starts = starts().sorted { ($0.begin, $0.end) < ($1.begin, $1.end) }
    let later = Self.later(starts)
    let frames = starts.isEmpty ? nil : frames()
    var undrawn = 0
    for (number, start) in starts.enumerated() {
      let owner = process(of: start)
      let own = owner.flatMap { steps[$0] } ?? []
      let within = Self.steps(own, of: start)
      var drawn: (begin: Int64, end: Int64)?
      var finished: Int64?
      if let owner, let frames {
        drawn = Self.firstDrawn(owner, after: start.begin, by: start.end, frames)
        finished = self.finished(owner, own, start.begin, before: later[number], frames)
      }
      if drawn == nil { undrawn += 1 }
      let firstFrame = drawn?.end ?? start.end
      var row = Table<LaunchColumn>.Row()
      row[.identifier] = Int64(number + 1)
      row[.process] = builder.trace.launches.texts.number(of: start.package)
      row[.kind] = (start.kind ?? kind(within))?.rawValue
      row[.tapped] = start.begin
      row[.firstFrame] = firstFrame
      row[.finished] = finished
      builder.trace.launches.append(row)
      addPhases(
        number + 1, start, within, drawn?.begin, firstFrame, finished, to: &builder)
    }
    builder.log.note(
      .joinAssumed, .info,
      "launches without a recorded first frame, assumed to end when the system was notified",
      count: undrawn)
    builder.log.note(
      .unknownRecord, .info,
      "activity starts that were canceled, or did not end within the recording",
      count: failed)
  }

  /// For each start, when the next start of the same package began; `Int64.max` for the last one.
  private static func later(_ starts: [Start]) -> [Int64] {
    var later = [Int64](repeating: .max, count: starts.count)
    var next: [String: Int64] = [:]
    for position in starts.indices.reversed() {
      later[position] = next[starts[position].package] ?? .max
      next[starts[position].package] = starts[position].begin
    }
    return later
  }

  /// A main thread's steps during an activity start.
  private static func steps(
    _ own: [AtraceMarks.Slice], of start: Start
  ) -> ArraySlice<AtraceMarks.Slice> {
    let first = own.partitioningIndex { $0.start >= start.begin }
    return own[first...].prefix { $0.start <= start.end }
  }

  /// The activity starts, from the newest form of mark that the trace has.
  private mutating func starts() -> [Start] {
    var begun: [Substring: AtraceMarks.Slice] = [:]
    var found: [Start] = []
    for slice in marks.slices(beginning: Self.launching) {
      let parts = marks.name(of: slice).dropFirst(Self.launching.length).split(
        separator: ":", maxSplits: 2)
      guard let number = parts.first else { continue }
      if parts.count == 1 {
        begun[number] = slice
      } else if parts.count == 3, parts[1].hasPrefix("completed"),
        let slice = begun.removeValue(forKey: number), let end = slice.end
      {
        let kind: LaunchColumn.Kind? =
          switch parts[1] {
          case "completed-cold": .cold
          case "completed-warm": .warm
          case "completed-hot": .resume
          default: nil
          }
        found.append(
          Start(package: String(parts[2]), begin: slice.start, end: end, kind: kind))
      }
    }
    failed = begun.count
    return found.isEmpty && begun.isEmpty ? olderStarts() : found
  }

  /// The activity starts before Android 13. A slice begins shortly after the intent, which Android
  /// 10 to 12 mark.
  private mutating func olderStarts() -> [Start] {
    let intents = marks.slices(beginning: "MetricsLogger:launchObserver") { $0 == Self.intent }
      .map(\.start).sorted()
    var found: [Start] = []
    var last = Int64.min
    let slices = marks.slices(beginning: Self.older).filter { $0.thread == nil }
    for slice in slices.sorted(by: { $0.start < $1.start }) {
      guard let end = slice.end else {
        failed += 1
        continue
      }
      let position = intents.partitioningIndex { $0 > slice.start }
      let intent = position > 0 && intents[position - 1] > last ? intents[position - 1] : nil
      found.append(
        Start(
          package: String(marks.name(of: slice).dropFirst(Self.older.length)),
          begin: intent ?? slice.start,
          end: end, kind: nil))
      last = end
    }
    return found
  }

  /// The process that resumed the activity: the one with the package's name, otherwise the only process.
  private func process(of start: Start) -> Int64? {
    let resumed = steps.filter { _, own in
      Self.steps(own, of: start).contains { marks.name(of: $0) == "activityResume" }
    }.keys.sorted()
    // Thread names are cut to their last fifteen bytes.
    return resumed.first { name($0) == start.package }
      ?? resumed.first { process in
        name(process).map {
          $0.hasPrefix(start.package) || ($0.utf8.count == 15 && start.package.hasSuffix($0))
        } ?? false
      } ?? (resumed.count == 1 ? resumed.first : nil)
  }

  /// The kind of a launch, from the steps of the main thread.
  private func kind(_ steps: ArraySlice<AtraceMarks.Slice>) -> LaunchColumn.Kind? {
    let names = Set(steps.map(marks.name(of:)))
    guard names.contains("activityResume") else { return nil }
    guard names.contains("activityStart") else { return .resume }
    return names.contains("bindApplication") ? .cold : .warm
  }

  /// The start and the drawing time of the first frame that an app began after a time and that was drawn.
  private static func firstDrawn(
    _ process: Int64, after time: Int64, by end: Int64, _ frames: AtraceFrames
  ) -> (begin: Int64, end: Int64)? {
    let own = frames.frames[process] ?? []
    let position = own.partitioningIndex { frames[$0.work].start >= time }
    for frame in own[position...].prefix(while: { frames[$0.work].start <= end }) {
      if let drawn = frames.drawn(frame) { return (frames[frame.work].start, drawn) }
    }
    return nil
  }

  /// When the first frame after `reportFullyDrawn` was drawn; otherwise the time of the report.
  private func finished(
    _ process: Int64, _ steps: [AtraceMarks.Slice], _ begin: Int64, before next: Int64,
    _ frames: AtraceFrames
  ) -> Int64? {
    let first = steps.partitioningIndex { $0.start >= begin }
    let report = steps[first...].prefix { $0.start < next }
      .first { marks.name(of: $0).hasPrefix(Self.fullyDrawn) }
    guard let report else { return nil }
    let own = frames.frames[process] ?? []
    // The report can come before the frame or within it.
    let position = own.partitioningIndex {
      let work = frames[$0.work]
      return (work.end ?? work.start) > report.start
    }
    let drawn = own[position...].prefix { frames[$0.work].start < next }.lazy.compactMap {
      frames.drawn($0)
    }
    return drawn.first ?? report.start
  }

  /// - Parameter drawing: When the app began its first frame; `nil` if unknown.
  private func addPhases(
    _ launch: Int, _ start: Start, _ steps: ArraySlice<AtraceMarks.Slice>,
    _ drawing: Int64?, _ firstFrame: Int64, _ finished: Int64?,
    to builder: inout TraceBuilder
  ) {
    let add = {
      (builder: inout TraceBuilder, name: PhaseColumn.Name, begin: Int64, end: Int64, label: String)
      in
      guard end > begin else { return }
      var row = Table<PhaseColumn>.Row()
      row[.launch] = Int64(launch)
      row[.name] = name.rawValue
      row[.start] = begin
      row[.end] = end
      row[.label] = builder.trace.phases.texts.number(of: label)
      builder.trace.phases.append(row)
    }
    if let bind = steps.first(where: { marks.name(of: $0) == "bindApplication" }) {
      add(&builder, .systemInterface, start.begin, bind.start, "before bindApplication")
    }
    for step in steps where step.start < firstFrame {
      let name = marks.name(of: step)
      guard let end = step.end, Self.stepNames.contains(name) else { continue }
      add(&builder, .applicationInitialization, step.start, min(end, firstFrame), name)
    }
    if let drawing {
      add(&builder, .firstFrame, drawing, firstFrame, "doFrame to the end of DrawFrame")
    }
    if let finished { add(&builder, .extended, firstFrame, finished, "until reportFullyDrawn") }
  }
}

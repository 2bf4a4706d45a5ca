import FrameAnalysis
import FrameTrace

/// A surface shown in a plot, with the information for titles and axes.
struct PlottedSurface {
  let measured: MeasuredSurface
  /// The start of the trace, from which times are counted.
  let origin: Timestamp
  /// The time range that is drawn.
  let range: ClosedRange<Timestamp>
  /// Whether the user selected a part of the trace.
  let isPart: Bool
  /// The file as the user named it, and its name without folders.
  let path, file: String
  /// The process and the surface of the frames.
  let owner: String
  /// The number of other surfaces in the trace that could have been chosen.
  let others: Int
  /// The readings of sensors and counters.
  let telemetry: [TelemetrySeries]

  private init(
    measured: MeasuredSurface, origin: Timestamp, range: ClosedRange<Timestamp>, isPart: Bool,
    path: String, file: String, owner: String, others: Int, telemetry: [TelemetrySeries]
  ) {
    (self.measured, self.origin, self.range, self.isPart) = (measured, origin, range, isPart)
    (self.path, self.file, self.owner, self.others) = (path, file, owner, others)
    self.telemetry = telemetry
  }

  /// The selected surface of a study; `nil` if it has no frames.
  init?(_ study: Study, _ depth: Pipeline.Depth = .whole) {
    guard let meant = study.meant else { return nil }
    let others = study.surfaces.count { study.trace.surfaces[$0].frames.count > 0 } - 1
    self.init(study, surface: meant, others: others, depth)
  }

  /// A surface of a study.
  /// - Parameters:
  ///   - index: Its index in the trace's list.
  ///   - others: The number of other surfaces to choose from.
  /// - Returns: `nil` if it has no frames.
  init?(_ study: Study, surface index: Int, others: Int = 0, _ depth: Pipeline.Depth = .whole) {
    let trace = study.trace
    let surface = trace.surfaces[index]
    guard surface.frames.count > 0, let whole = study.timeRange else { return nil }
    measured = study.surface(index, depth)
    origin = whole.lowerBound
    let region = study.options.region
    let start = max(region?.start ?? whole.lowerBound, whole.lowerBound)
    let end = min(region?.end ?? whole.upperBound, whole.upperBound)
    range = start...max(start, end)
    isPart = region != nil
    path = trace.provenance.file
    file = trace.provenance.shortTitle
    owner = [surface.process, surface.name ?? surface.id].compactMap { $0 }.joined(separator: " ")
    self.others = others
    telemetry = trace.telemetry
  }

  /// The same surface limited to a time range, with times counted from another origin.
  func within(_ range: ClosedRange<Timestamp>, from origin: Timestamp) -> PlottedSurface {
    PlottedSurface(
      measured: measured, origin: origin, range: range, isPart: true, path: path, file: file,
      owner: owner, others: others, telemetry: telemetry)
  }

  /// Seconds from the start of the trace.
  func seconds(_ time: Timestamp) -> Double { (time - origin).seconds }

  /// Milliseconds from the start of the trace.
  func milliseconds(_ time: Timestamp) -> Double { (time - origin).milliseconds }

  /// A time range in milliseconds from the start of the trace.
  func milliseconds(_ range: ClosedRange<Timestamp>) -> ClosedRange<Double> {
    milliseconds(range.lowerBound)...milliseconds(range.upperBound)
  }

  /// The range of the time axis: the range of the frames, or the selected part.
  var seenRange: ClosedRange<Timestamp> {
    guard !isPart, let frames = measured.surface.frames.timeRange else { return range }
    let start = min(max(frames.lowerBound, range.lowerBound), range.upperBound)
    return start...max(start, min(frames.upperBound, range.upperBound))
  }

  /// The time axis.
  var timeAxis: PlotAxis {
    let seen = seenRange
    return PlotAxis("time in s", seconds(seen.lowerBound)...seconds(seen.upperBound))
  }

  /// The process, the surface and the file, for a title.
  var title: String { "\(owner) (\(file))" }

  /// A note if the trace has more surfaces than the one drawn.
  var aside: String? {
    others > 0 ? "one of \(others + 1) surfaces" : nil
  }
}

extension [PlottedSurface] {
  /// A title that describes which data of the surfaces is shown.
  func title(_ what: String) -> String {
    count == 1 ? "\(what): \(self[0].title)" : "\(what) of \(count) traces"
  }

  /// A distinct name for each surface, if files or owners differ.
  var names: [String] {
    let choices: [(PlottedSurface) -> String] = [
      { $0.file }, { "\($0.owner) (\($0.file))" }, { $0.path }, { "\($0.owner) (\($0.path))" },
    ]
    for name in choices where Set(map(name)).count == count { return map(name) }
    return enumerated().map { "\($0 + 1) \($1.path)" }
  }

  /// A time axis that fits all surfaces.
  var timeAxis: PlotAxis {
    let ranges = map { ($0, $0.seenRange) }
    let starts = ranges.map { $0.seconds($1.lowerBound) }
    let ends = ranges.map { $0.seconds($1.upperBound) }
    return PlotAxis(
      "time in s", (starts.min() ?? 0)...Swift.max(ends.max() ?? 1, starts.min() ?? 0))
  }

  /// Notes on traces that have more surfaces than the one drawn.
  var asides: [String] { Set(compactMap(\.aside)).sorted() }
}

/// A surface that a plot shows, with what is said of it around the picture.
struct PlottedSurface {
  let measured: MeasuredSurface
  /// The start of the trace, which times are counted from.
  let origin: Int64
  /// From the first to the last instant that is drawn, in nanoseconds.
  let range: ClosedRange<Int64>
  /// The file as the user named it, and without its folders.
  let path, file: String
  /// Whose frames they are.
  let owner: String
  /// How many other surfaces of the trace there were to choose from.
  let others: Int

  /// The surface with most frames of those that are wanted; `nil` when none has any.
  init?(_ plotted: PlottedTrace, _ options: PlotOptions, _ isWanted: (Surface) -> Bool) {
    let trace = plotted.trace
    let wanted = trace.surfaces.indices.filter { index in
      isWanted(trace.surfaces[index]) && trace.surfaces[index].frames.count > 0
    }
    let most = wanted.max {
      (trace.surfaces[$0].frames.count, $1) < (trace.surfaces[$1].frames.count, $0)
    }
    guard let index = most, let whole = plotted.timeRange else { return nil }
    measured = MeasuredSurface(plotted.pipeline, index: index, options.analysis)
    origin = whole.lowerBound.nanoseconds
    let region = options.analysis.region
    let start = max(region?.start ?? whole.lowerBound, whole.lowerBound).nanoseconds
    let end = min(region?.end ?? whole.upperBound, whole.upperBound).nanoseconds
    range = start...max(start, end)
    path = trace.provenance.file
    file = trace.provenance.shortTitle
    let surface = trace.surfaces[index]
    owner = [surface.process, surface.name ?? surface.id].compactMap { $0 }.joined(separator: " ")
    others = wanted.count - 1
  }

  /// Seconds from the start of the trace.
  func seconds(_ time: Int64) -> Double { Double(time - origin) / 1e9 }

  /// The time axis.
  var timeAxis: PlotAxis {
    PlotAxis("time in s", seconds(range.lowerBound)...seconds(range.upperBound))
  }

  /// Whose frames these are, for a title.
  var title: String { "\(owner) (\(file))" }

  /// What has to be said where a trace has more surfaces than the one that is drawn.
  var aside: String? {
    others > 0 ? "the largest of \(others + 1) surfaces" : nil
  }
}

extension [PlottedSurface] {
  /// What is shown of them, for a title.
  func title(_ what: String) -> String {
    count == 1 ? "\(what): \(self[0].title)" : "\(what) of \(count) traces"
  }

  /// A name for each, unlike the others', as far as files and owners differ.
  var names: [String] {
    let choices: [(PlottedSurface) -> String] = [
      { $0.file }, { "\($0.owner) (\($0.file))" }, { $0.path }, { "\($0.owner) (\($0.path))" },
    ]
    for name in choices where Set(map(name)).count == count { return map(name) }
    return enumerated().map { "\($0 + 1) \($1.path)" }
  }

  /// A time axis with room for all.
  var timeAxis: PlotAxis {
    let starts = map { $0.seconds($0.range.lowerBound) }
    let ends = map { $0.seconds($0.range.upperBound) }
    return PlotAxis(
      "time in s", (starts.min() ?? 0)...Swift.max(ends.max() ?? 1, starts.min() ?? 0))
  }

  /// What has to be said of those of which only a part is drawn.
  var asides: [String] { Set(compactMap(\.aside)).sorted() }
}

import FrameAnalysis
import FrameTrace

extension TracePlot {
  /// Hitches over time.
  static let hitches = TracePlot(
    "hitches", "Hitches over time, by process, with the duration of each.", [.region],
    .studies(severalAreSeen: false) { studies, options throws(PlotRefusal) in
      guard let study = studies.first, studies.count == 1 else {
        throw PlotRefusal("hitches shows one trace, found \(studies.count)")
      }
      return try HitchesPlot(study).plot(options)
    })
}

/// The hitches of all surfaces of a trace, with a bar for each.
private struct HitchesPlot {
  private let study: Study
  private let hitches: [ListedHitch]
  private let source: HitchFindings.Source
  private let origin: Timestamp

  /// The maximum number of processes with distinct colors.
  private static let mostProcesses = 6
  /// The number of longest hitches that are labeled with the source's description.
  private static let mostNarratives = 3

  init(_ study: Study) throws(PlotRefusal) {
    let path = study.trace.provenance.file
    let found = study.surfaces.compactMap { study.surface($0).hitches }
    // Recorded hitches take precedence over rebuilt ones.
    source = found.contains { $0.source == .stated } ? .stated : .rebuilt
    let own = source
    hitches = found.filter { $0.source == own }.flatMap(\.list).sorted { $0.time < $1.time }
    guard !found.isEmpty, let range = study.timeRange else {
      throw PlotRefusal(
        "\(path): no hitches to draw: the trace has neither hitches nor due times of frames",
        help: "'frametool info \(path)' shows what the trace can answer")
    }
    self.study = study
    origin = range.lowerBound
  }

  func plot(_ options: PlotOptions) -> Plot {
    let high = hitches.map(\.length.milliseconds).max() ?? 0
    var panel = PlotPanel(
      x: axis, y: .fromZero("hitch duration in ms", to: high), layers: layers)
    panel.labels = hitches.isEmpty ? [nothing] : narratives(options)
    let sum = PlotText.milliseconds(hitches.reduce(0) { $0 + $1.length.milliseconds })
    let words = PlotText.line([
      hitches.isEmpty
        ? "n 0: no hitch"
        : "n \(PlotText.count(hitches.count, "hitch", "hitches")), \(sum) in all, the longest \(PlotText.milliseconds(high))",
      source == .stated ? "as recorded in the trace" : "from due and display times",
    ])
    return Plot(
      "hitches", title: "Hitches: \(study.trace.provenance.shortTitle)", subtitle: words,
      description: PlotText.line([words] + described) + ".", panels: [panel])
  }

  private func seconds(_ time: Timestamp) -> Double { (time - origin).seconds }

  /// The range from the first to the last frame or hitch, or the selected part.
  private var axis: PlotAxis {
    let frames = study.surfaces.compactMap { study.trace.surfaces[$0].frames.timeRange }
    let starts = frames.map(\.lowerBound) + hitches.map(\.time)
    let ends = frames.map(\.upperBound) + hitches.map { $0.time + $0.length }
    let region = study.options.region
    let start = region?.start ?? starts.min() ?? origin
    let end = max(start, region?.end ?? ends.max() ?? start)
    // A trace with a single hitch needs some margin.
    let room = max(0.005, (seconds(end) - seconds(start)) * 0.01)
    return PlotAxis("time in s", seconds(start) - room...seconds(end) + room)
  }

  private var processes: [String] {
    var counts: [String: Int] = [:]
    for hitch in hitches { counts[hitch.process ?? "", default: 0] += 1 }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  }

  private var layers: [PlotLayer] {
    let named = processes.prefix(Self.mostProcesses)
    let axis = axis.range
    // A bar is as wide as its hitch is long, with a visible minimum.
    let least = (axis.upperBound - axis.lowerBound) / 400
    let bars = { (hitches: [ListedHitch]) in
      hitches.map { hitch -> [Double] in
        let start = seconds(hitch.time)
        let end = max(start + least, seconds(hitch.time + hitch.length))
        return [start, end, 0, hitch.length.milliseconds]
      }
    }
    var layers = named.enumerated().map { position, process in
      let own = hitches.filter { ($0.process ?? "") == process }
      let name = process.isEmpty ? "unknown process" : process
      return PlotLayer(.boxes, "\(name), n \(own.count)", .series(position), bars(own))
    }
    let others = hitches.filter { !named.contains($0.process ?? "") }
    layers.append(PlotLayer(.boxes, "others, n \(others.count)", .muted, bars(others)))
    return layers.filter { !$0.rows.isEmpty }
  }

  private var longest: [ListedHitch] {
    hitches.sorted { ($1.length, $0.time) < ($0.length, $1.time) }
  }

  /// The source's descriptions of the longest hitches, without overlapping labels.
  private func narratives(_ options: PlotOptions) -> [PlotLabel] {
    let axis = axis.range
    var taken: [(ClosedRange<Double>, Double)] = []
    let high = longest.first?.length.milliseconds ?? 1
    return longest.prefix(Self.mostNarratives).compactMap { hitch in
      guard let text = hitch.narrative, !text.isEmpty else { return nil }
      let width = options.width(of: text, on: axis)
      let middle = seconds(hitch.time + hitch.length / 2)
      guard width <= axis.upperBound - axis.lowerBound else { return nil }
      let x = min(max(middle, axis.lowerBound + width / 2), axis.upperBound - width / 2)
      let y = hitch.length.milliseconds + high * 0.03
      let span = (x - width / 2)...(x + width / 2)
      guard !taken.contains(where: { $0.0.overlaps(span) && abs($0.1 - y) < high * 0.05 }) else {
        return nil
      }
      taken.append((span, y))
      return PlotLabel(x: x, y: y, text: text)
    }
  }

  private var nothing: PlotLabel {
    let range = axis.range
    return PlotLabel(x: (range.lowerBound + range.upperBound) / 2, y: 0.5, text: "no hitch")
  }

  /// Text descriptions of the longest hitches.
  private var described: [String] {
    longest.prefix(5).map { hitch in
      let whose = hitch.process.map { " of \($0)" } ?? ""
      let why = hitch.narrative.map { ", \($0)" } ?? ""
      return
        "\(PlotText.milliseconds(hitch.length.milliseconds))\(whose) at \(FixedNumber.text(seconds(hitch.time), decimals: 3)) s\(why)"
    }
  }
}

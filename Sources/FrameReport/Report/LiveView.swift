package import FrameAnalysis
package import FrameTrace

/// The last seconds of a trace as a page on a terminal, or as one line.
///
/// Its sentences are those of an analysis of that part.
package struct LiveView {
  private let analysis: TraceAnalysis
  private let meant: SurfaceAnalysis?
  /// The frame times with their end times, in order.
  private var frameTimes: [(time: Timestamp, length: Nanoseconds)] = []
  private let stretch: ClosedRange<Timestamp>?

  private static let bars = Array(" ▁▂▃▄▅▆▇█")
  private static let labelWidth = 10
  private static let mostRows = 20
  private static let leastRows = 3

  /// - Parameters:
  ///   - length: How much of the trace's end to show.
  ///   - choice: The surfaces to include.
  package init(_ trace: Trace, last length: Nanoseconds, _ choice: SurfaceChoice = .all) {
    var options = AnalysisOptions()
    let end = trace.timeRange?.upperBound
    stretch = end.map { max(trace.timeRange?.lowerBound ?? $0, $0 - length)...$0 }
    options.region = stretch.map { TraceRegion(start: $0.lowerBound, end: nil) }
    let study = Study(of: trace, options, choice)
    analysis = TraceAnalysis(of: study)
    // The view shows the surface with the most frames in this part.
    meant = analysis.surfaces.max {
      ($0.outcomes.count, $1.index) < ($1.outcomes.count, $0.index)
    }
    if let meant, meant.outcomes.count > 0 {
      FrameSeries("frameTime", of: study.surface(meant.index))?.visit { time, value in
        frameTimes.append((time, Nanoseconds(value)))
      }
    }
  }

  /// The duration of the part that is shown, in words.
  private var seconds: String {
    guard let stretch else { return "nothing yet" }
    let length = stretch.upperBound - stretch.lowerBound
    return "last \(FixedNumber.text(length.seconds, decimals: 1)) s"
  }

  /// The sentences about the surface that is shown.
  private var sentences: [String] {
    guard let meant, meant.outcomes.count > 0 else { return ["no frames"] }
    let headline = SurfaceHeadline(meant, of: analysis)
    let rates = SurfaceHeadline.rates(meant, from: analysis.origin).joined(separator: ", ")
    let findings = FindingLines(meant, of: analysis).lines(.answer, except: headline.finding)
    return [headline.sentence] + (headline.focus == .rate || rates.isEmpty ? [] : [rates])
      + findings
  }

  /// The view on one line, for output that does not support pages.
  package var line: String {
    guard let meant, meant.outcomes.count > 0 else { return "\(seconds): no frames" }
    let findings = FindingLines(meant, of: analysis)
    let headline = SurfaceHeadline(meant, of: analysis)
    let drops = headline.finding == .drops ? nil : findings[.drops]
    let touches = TouchLines(meant, analysis.options).lines().first
    let parts = [headline.sentence, drops, touches, findings[.buffers]].compactMap { $0 }
    return "\(seconds): \(parts.joined(separator: "; "))"
  }

  /// The view as a page of the given size, one string per line.
  package func page(_ title: String, width: Int, height: Int) -> [String] {
    let room = max(1, height)
    let quit = "q quits"
    var lines = [Self.between("\(title), \(seconds)", quit, width: width)]
    var text: [String] = []
    if let meant { text.append(AnalysisTables.title(meant)) }
    let look = TextLook(width: width)
    for sentence in sentences { text += look.folded("  " + sentence, indent: 4) }
    for surface in analysis.surfaces where surface.index != meant?.index {
      guard surface.outcomes.count > 0 else { continue }
      let sentence = SurfaceHeadline(surface, of: analysis).sentence
      text.append("also \(AnalysisTables.title(surface)): \(sentence)")
    }
    // The graph gets the lines that the text does not need, but never fewer than a minimum.
    let free = room - lines.count - text.count - 1
    lines += graph(width: width, rows: min(Self.mostRows, max(Self.leastRows, free)))
    lines += text
    return lines.prefix(room).map { String($0.prefix(width)) }
  }

  /// A graph of the frame times of this part, with the longest frame time in each column, and the scale.
  private func graph(width: Int, rows: Int) -> [String] {
    let columns = width - Self.labelWidth
    guard columns > 0, let stretch, let most = frameTimes.map(\.length).max(), most > .zero else {
      return []
    }
    var worst = [Int64](repeating: 0, count: columns)
    let length = max(1, (stretch.upperBound - stretch.lowerBound).count)
    for (time, value) in frameTimes {
      let position =
        Int128((time - stretch.lowerBound).count) * Int128(columns) / Int128(length + 1)
      guard position >= 0, position < columns else { continue }
      worst[Int(position)] = max(worst[Int(position)], value.count)
    }
    let top = Self.scale(above: most)
    var lines: [String] = []
    for row in (0..<rows).reversed() {
      let label =
        row == rows - 1
        ? "\(FixedNumber.text(top.milliseconds, decimals: 1)) ms" : row == 0 ? "0 ms" : ""
      let cells = worst.map { value -> Character in
        let eighths = Int128(value) * Int128(rows * 8) / Int128(top.count) - Int128(row * 8)
        // Any value above 0 is visible.
        let least: Int128 = row == 0 && value > 0 ? 1 : 0
        return Self.bars[Int(min(8, max(least, eighths)))]
      }
      let gap = String(repeating: " ", count: max(0, Self.labelWidth - 2 - label.count))
      lines.append("\(gap)\(label) │\(String(cells))")
    }
    return lines
  }

  /// The next round duration that is not shorter: 1, 2 or 5 times a power of ten, or a multiple of 16.7 ms, which suits
  /// frames at 60 Hz.
  private static func scale(above length: Nanoseconds) -> Nanoseconds {
    let steps: [Double] = [
      1, 2, 5, 10, 16.7, 20, 33.4, 50, 66.7, 100, 133.4, 200, 266.7, 500, 1000, 2000, 5000, 10_000,
    ]
    let step = steps.first { Nanoseconds.milliseconds($0) >= length }
    return step.map { Nanoseconds.milliseconds($0) } ?? length
  }

  private static func between(_ left: String, _ right: String, width: Int) -> String {
    let gap = width - left.count - right.count
    return gap > 0 ? left + String(repeating: " ", count: gap) + right : left
  }
}

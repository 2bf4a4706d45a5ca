import FrameAnalysis
import FrameStatistics
import FrameTrace

/// Frames of a game engine that took more than twice the usual time, and the threads that took longer in those frames.
struct EngineHitches {
  /// The number of long frames, and of all frames with a time.
  let count, n: Int
  /// For each part, the number of long frames in which it took longer than usual; a frame counts for the part that grew
  /// most.
  let parts: [EnginePart: Int]
  /// Twice the usual frame time, in ms.
  let limit: Double

  /// The minimum excess over a part's usual time that counts, as a share of the usual frame time.
  private static let least = 0.25

  init?(_ surface: SurfaceAnalysis, of analysis: TraceAnalysis) {
    self.init(
      analysis.trace.surfaces[surface.index].frames, within: analysis.options.region,
      lag: analysis.trace.provenance.source.counterLag)
  }

  /// - Parameters:
  ///   - region: The part of the trace to examine.
  ///   - lag: The number of rows after a long frame in which a thread's counter may still describe that frame.
  /// - Returns: `nil` if no frame took that long, the source counts no thread, or there are too few frames.
  init?(_ frames: Table<FrameColumn>, within region: TraceRegion?, lag: Int) {
    let counted = EnginePart.allCases.filter { frames.has($0.column) }
    guard counted.contains(where: { $0 != .gpu }) else { return nil }
    let rows = (0..<frames.count).filter { row in
      region.map { $0.range.contains(frames.reference(row)) } ?? true
    }
    let median = { (column: FrameColumn) in
      rows.compactMap { frames[$0, column].map(Double.init) }.sorted().medianOfSorted
    }
    guard let usual = median(.presentInterval), usual > 0 else { return nil }
    let medians = counted.map { median($0.column) ?? 0 }
    var (count, n, found) = (0, 0, [EnginePart: Int]())
    for (position, row) in rows.enumerated() {
      guard let time = frames[row, .presentInterval].map(Double.init) else { continue }
      n += 1
      guard time > 2 * usual else { continue }
      count += 1
      let near = rows[position..<min(rows.count, position + lag + 1)]
      let longer = zip(counted, medians).map { part, median -> (EnginePart, Double) in
        let most = near.compactMap { frames[$0, part.column].map(Double.init) }.max() ?? median
        return (part, most - median)
      }
      if let most = longer.max(by: { $0.1 < $1.1 }), most.1 >= Self.least * usual {
        found[most.0, default: 0] += 1
      }
    }
    guard count > 0, n >= EngineWords.fewestFrames else { return nil }
    (self.count, self.n) = (count, n)
    limit = Nanoseconds(Int64(2 * usual)).milliseconds
    parts = found
  }

  /// The long frames in which no counted part took longer.
  var withoutLongerPart: Int { count - parts.values.reduce(0, +) }

  var sentence: String {
    let above = FixedNumber.text(limit, decimals: 1)
    var line =
      "\(count) of \(n.frames) took more than twice the usual (above \(above) ms)"
    let words =
      EnginePart.allCases.compactMap { part in
        parts[part].map { "\($0) with a longer \(part.words)" }
      }
      + (withoutLongerPart > 0 ? ["\(withoutLongerPart) with none of them longer"] : [])
    line += ": \(words.joined(separator: ", "))"
    return line
  }
}

import FrameAnalysis
import FrameStatistics
import FrameTrace

/// Frames of a game engine that took more than twice the usual, and which of its threads took longer then.
///
/// A thread's counter is of an earlier frame than its row, so the two rows after a long one are looked at, too: the
/// threads of an engine are at most two frames apart.
struct EngineHitches {
  /// The number of long frames, and of how many others there are medians.
  private let count, n: Int
  /// How many long frames each part took longest in, by its name; what is above a quarter of the usual frame time counts.
  private let parts: [(name: String, count: Int)]
  private let limit: Double

  private static let columns: [(FrameColumn, String)] = [
    (.gameThread, "game thread"), (.renderThread, "render thread"), (.rhiThread, "RHI thread"),
    (.gpuBusy, "GPU"),
  ]
  /// The rows after a long frame in which a thread's counter may be the one of that frame.
  private static let lag = 2
  private static let least = 0.25

  /// - Returns: `nil` where no frame took that long, or the source counts no thread.
  init?(_ frames: Table<FrameColumn>, within region: TraceRegion?) {
    let times = (0..<frames.count).map { frames[$0, .presentInterval].map(Double.init) }
    let known = times.compactMap { $0 }.sorted()
    let columns = Self.columns.filter { frames.has($0.0) }
    guard let usual = known.medianOfSorted, usual > 0,
      columns.contains(where: { $0.0 != .gpuBusy })
    else { return nil }
    let medians = columns.map { column, _ in
      (0..<frames.count).compactMap { frames[$0, column].map(Double.init) }.sorted()
        .medianOfSorted ?? 0
    }
    var (count, found) = (0, [String: Int]())
    for row in times.indices {
      guard let time = times[row], time > 2 * usual,
        region.map({ $0.range.contains(frames.reference(row)) }) ?? true
      else { continue }
      count += 1
      let rows = row..<min(frames.count, row + Self.lag + 1)
      let longer = zip(columns, medians).map { column, median -> (String, Double) in
        let most = rows.compactMap { frames[$0, column.0].map(Double.init) }.max() ?? median
        return (column.1, most - median)
      }
      if let most = longer.max(by: { $0.1 < $1.1 }), most.1 >= Self.least * usual {
        found[most.0, default: 0] += 1
      }
    }
    guard count > 0 else { return nil }
    (self.count, n) = (count, known.count)
    limit = Nanoseconds(Int64(2 * usual)).milliseconds
    parts = Self.columns.compactMap { _, name in found[name].map { (name, $0) } }
  }

  var sentence: String {
    let above = FixedNumber.text(limit, decimals: 1)
    var line =
      "\(count) of \(n.frames) took more than twice the usual (above \(above) ms)"
    let untold = count - parts.reduce(0) { $0 + $1.count }
    let words =
      parts.map { "\($0.count) with a longer \($0.name)" }
      + (untold > 0 ? ["\(untold) with none of them longer"] : [])
    line += ": \(words.joined(separator: ", "))"
    return line
  }
}

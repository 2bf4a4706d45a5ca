import FrameAnalysis
import FrameStatistics
import FrameTrace

/// Frames of a game engine that took more than twice the usual, and which of its threads took longer then.
struct EngineHitches {
  /// The number of long frames, and of all with a time.
  private let count, n: Int
  /// How many long frames each part took longer in than usual, by its name.
  private let parts: [(name: String, count: Int)]
  private let limit: Double

  private static let columns: [(FrameColumn, String)] = [
    (.gameThread, "game thread"), (.renderThread, "render thread"), (.rhiThread, "RHI thread"),
    (.gpuBusy, "GPU"),
  ]
  /// What a part takes more than its usual time counts from this share of the usual frame time on.
  private static let least = 0.25

  /// - Parameters:
  ///   - region: The part of the trace that is looked at.
  ///   - lag: In how many rows after a long frame a thread's counter may be the one of that frame.
  /// - Returns: `nil` where no frame took that long, the source counts no thread, or there are too few frames.
  init?(_ frames: Table<FrameColumn>, within region: TraceRegion?, lag: Int) {
    let columns = Self.columns.filter { frames.has($0.0) }
    guard columns.contains(where: { $0.0 != .gpuBusy }) else { return nil }
    let rows = (0..<frames.count).filter { row in
      region.map { $0.range.contains(frames.reference(row)) } ?? true
    }
    let median = { (column: FrameColumn) in
      rows.compactMap { frames[$0, column].map(Double.init) }.sorted().medianOfSorted
    }
    guard let usual = median(.presentInterval), usual > 0 else { return nil }
    let medians = columns.map { column, _ in median(column) ?? 0 }
    var (count, n, found) = (0, 0, [String: Int]())
    for (place, row) in rows.enumerated() {
      guard let time = frames[row, .presentInterval].map(Double.init) else { continue }
      n += 1
      guard time > 2 * usual else { continue }
      count += 1
      let near = rows[place..<min(rows.count, place + lag + 1)]
      let longer = zip(columns, medians).map { column, median -> (String, Double) in
        let most = near.compactMap { frames[$0, column.0].map(Double.init) }.max() ?? median
        return (column.1, most - median)
      }
      if let most = longer.max(by: { $0.1 < $1.1 }), most.1 >= Self.least * usual {
        found[most.0, default: 0] += 1
      }
    }
    guard count > 0, n >= EngineWords.fewestFrames else { return nil }
    (self.count, self.n) = (count, n)
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

import FrameKit

/// Scans of one finger that a simulated app is given.
package struct SimulatedScans: Sendable {
  /// When the first scan starts.
  package var start: Int64
  package var interval: Int64
  package var count: Int
  /// How far ahead of a scan predictions look, nearest first; empty for none.
  package var predictions: [Int64] = []
  /// By how many points predictions miss the finger's path.
  package var predictionError = 0.0
  /// Whether the scans were cancelled from this one on; `nil` when they were not.
  package var cancelledFrom: Int?
  package var finger: Int64 = 1

  package init(start: Int64, interval: Int64, count: Int) {
    self.start = start
    self.interval = interval
    self.count = count
  }

  /// Where the finger is, in points: it moves evenly to the right.
  package static func x(at time: Int64) -> Double { Double(time) / 1e6 * 0.25 }

  func scanStart(_ index: Int) -> Int64 { start + Int64(index) * interval }
}

/// Touch samples that an app interval was given.
struct SimulatedDelivery {
  /// When the app was given them.
  let time: Int64
  /// The frame that was made of them, by its row; `nil` when none was.
  let frame: Int?
  /// The places of the scans, the newest last.
  let scans: Range<Int>
}

extension SimulatedScans {
  /// Which scans each app interval of a surface was given: at the refresh that started it all
  /// that were complete by then and not delivered before.
  func deliveries(
    to frames: [SimulatedFrame], on display: SimulatedDisplay
  ) -> [SimulatedDelivery] {
    var units: [Int: (start: Int64, frame: Int)] = [:]
    for (row, frame) in frames.enumerated() {
      for commit in frame.commits where units[commit.unit] == nil {
        units[commit.unit] = (commit.app.lowerBound - commit.work.startOffset, row)
      }
    }
    var next = 0
    var deliveries: [SimulatedDelivery] = []
    for unit in units.keys.sorted() {
      guard let (time, frame) = units[unit] else { continue }
      let first = next
      while next < last, scanStart(next) + interval <= time { next += 1 }
      if next > first {
        deliveries.append(SimulatedDelivery(time: time, frame: frame, scans: first..<next))
      }
    }
    return deliveries
  }

  /// The end of the scans that an app can be given.
  private var last: Int { min(count, cancelledFrom ?? count) }
}

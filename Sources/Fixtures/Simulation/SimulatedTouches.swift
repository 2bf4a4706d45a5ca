import FrameKit

/// The scans of one finger that a simulated app receives.
package struct SimulatedScans: Sendable {
  /// When the first scan starts.
  package var start: Int64
  package var interval: Int64
  package var count: Int
  /// How far beyond a scan the predictions look ahead, nearest first; empty if there are none.
  package var predictions: [Int64] = []
  /// How far predictions are from the finger's path, in points.
  package var predictionError = 0.0
  /// The first cancelled scan; `nil` if none were cancelled.
  package var cancelledFrom: Int?
  package var finger: Int64 = 1

  package init(start: Int64, interval: Int64, count: Int) {
    self.start = start
    self.interval = interval
    self.count = count
  }

  /// The position of the finger, in points: it moves right at a constant speed.
  package static func x(at time: Int64) -> Double { Nanoseconds(time).milliseconds * 0.25 }

  func scanStart(_ index: Int) -> Int64 { start + Int64(index) * interval }
}

/// Touch samples that were delivered to an app interval.
struct SimulatedDelivery {
  /// The time at which the app received the samples.
  let time: Int64
  /// The row of the frame made from the samples; `nil` if there is none.
  let frame: Int?
  /// The indices of the scans, newest last.
  let scans: Range<Int>
}

extension SimulatedScans {
  /// The scans delivered to each app interval of a surface: at the refresh that started the
  /// interval, all scans that were complete and not yet delivered.
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

  /// The end of the scans that an app can receive.
  private var last: Int { min(count, cancelledFrom ?? count) }
}

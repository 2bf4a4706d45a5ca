import FrameStatistics
import FrameTrace

/// The paths of fingers from touch-down to lift-off, as shown by their scans.
struct FingerPaths {
  private struct Scan {
    let time: Timestamp
    let location: TouchSample.Location?
  }

  /// For each finger, its paths in order, each with its scans in order.
  private var ways: [Int64: [[Scan]]] = [:]

  init(_ samples: [TouchSample]) {
    var scans: [Int64: [(scan: Scan, phase: TouchColumn.Phase?)]] = [:]
    for sample in samples where sample.kind != .predicted && !sample.isCopy {
      guard let time = sample.scanStart else { continue }
      scans[sample.finger ?? 0, default: []].append(
        (Scan(time: time, location: sample.location), sample.phase))
    }
    for (finger, all) in scans {
      ways[finger] = Self.split(all.sorted { $0.scan.time < $1.scan.time })
    }
  }

  private static func split(_ scans: [(scan: Scan, phase: TouchColumn.Phase?)]) -> [[Scan]] {
    var ways: [[Scan]] = []
    var isDown = false
    for (scan, phase) in scans {
      if phase == .began || !isDown { ways.append([]) }
      ways[ways.count - 1].append(scan)
      isDown = phase != .ended && phase != .cancelled
    }
    return ways
  }

  /// Where a finger was at a time, between the two scans around it, on the path that it was on at another time; `nil`
  /// if the path has ended by then.
  func location(of finger: Int64?, at time: Timestamp, after start: Timestamp) -> TouchSample
    .Location?
  {
    guard let ways = ways[finger ?? 0],
      let way = ways.last(where: { ($0.first?.time ?? .latest) <= start })
    else { return nil }
    let low = way.partitioningIndex { $0.time >= time }
    guard low < way.count else { return nil }
    let next = way[low]
    if next.time == time { return next.location }
    guard low > 0, let from = way[low - 1].location, let to = next.location else { return nil }
    let share = (time - way[low - 1].time).ratio(to: next.time - way[low - 1].time)
    return TouchSample.Location(
      x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y))
  }

  /// The steps between scans of each finger while it is down, within a range of time.
  func steps(within range: Range<Timestamp>) -> [[Int64]] {
    ways.keys.sorted().map { finger in
      (ways[finger] ?? []).flatMap { way in
        let times = way.map(\.time).filter(range.contains)
        return zip(times.dropFirst(), times).map { ($0 - $1).count }.filter { $0 > 0 }
      }
    }
  }

  /// How far each interval between scans of a finger that is down differs from the median interval,
  /// within a range of time.
  func jitter(within range: Range<Timestamp>) -> [Int64] {
    steps(within: range).filter { $0.count > 1 }.flatMap { steps -> [Int64] in
      guard let median = steps.sorted().medianOfSorted else { return [] }
      return steps.map { abs($0 - median) }
    }
  }
}

/// The ways of fingers, as their scans tell them.
struct FingerPaths {
  private var paths: [Int64: [(time: Int64, location: TouchSample.Location?)]] = [:]

  init(_ samples: [TouchSample]) {
    for sample in samples where sample.kind != .predicted && !sample.isCopy {
      paths[sample.finger ?? 0, default: []].append((sample.scanStart, sample.location))
    }
    for finger in paths.keys { paths[finger]?.sort { $0.time < $1.time } }
  }

  /// Where a finger was at a time, between the two scans around it; `nil` before the first
  /// and behind the last.
  func location(of finger: Int64?, at time: Int64) -> TouchSample.Location? {
    guard let path = paths[finger ?? 0], let next = path.place(of: time)
    else { return nil }
    if path[next].time == time { return path[next].location }
    guard next > 0, let from = path[next - 1].location, let to = path[next].location else {
      return nil
    }
    let share = Double(time - path[next - 1].time) / Double(path[next].time - path[next - 1].time)
    return TouchSample.Location(
      x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y))
  }

  /// By how much each step between scans of a finger differs from the median step.
  var jitter: [Int64] {
    var jitter: [Int64] = []
    for finger in paths.keys.sorted() {
      let times = (paths[finger] ?? []).map(\.time)
      let steps = zip(times.dropFirst(), times).map { $0 - $1 }.filter { $0 > 0 }
      guard steps.count > 1 else { continue }
      let median = steps.sorted()[steps.count / 2]
      // A finger that was lifted makes no step.
      jitter += steps.filter { $0 < 4 * median }.map { abs($0 - median) }
    }
    return jitter
  }
}

extension [(time: Int64, location: TouchSample.Location?)] {
  /// The place of the first scan at a time or later; `nil` when there is none.
  fileprivate func place(of time: Int64) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].time < time { low = middle + 1 } else { high = middle }
    }
    return low < count ? low : nil
  }
}

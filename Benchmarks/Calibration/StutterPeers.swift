import FrameKit

/// The rules by which other tools count stutters, on frame times only, as in their documentation and
/// source.
struct StutterPeer: Sendable {
  let name: String
  /// The indices of the frames that the tool counts, from frame times in milliseconds.
  let indices: @Sendable ([Double]) -> [Int]

  static let all = [capFrameX, median, perfDog, chromium]

  /// CapFrameX: more than 2.5 times the moving average, to which a frame of more than three times
  /// the one before does not contribute.
  private static let capFrameX = StutterPeer(name: "CapFrameX") { times in
    let mean = times.reduce(0, +) / Double(times.count)
    let window = max(1, min(times.count, Int((10 * mean.squareRoot()).rounded())))
    var kept: [Double] = []
    var sum = 0.0
    return times.indices.filter { index in
      let last = kept.last ?? times[index]
      kept.append(times[index] > 3 * last ? last : times[index])
      sum += kept[index] - (index >= window ? kept[index - window] : 0)
      return times[index] > 2.5 * sum / Double(min(index + 1, window))
    }
  }

  /// 1.5 times the median of the second around the frame: a rule that is often written by hand.
  private static let median = StutterPeer(name: "1.5 × median of 1 s") { times in
    var (start, end) = (0, 0)
    var (before, after) = (0.0, 0.0)
    return times.indices.filter { index in
      // The time from the start of the window to the frame, and from the frame to its end.
      while before > 500 {
        before -= times[start]
        start += 1
      }
      while end < times.count, after < 500 {
        after += times[end]
        end += 1
      }
      defer {
        before += times[index]
        after -= times[index]
      }
      return times[index] > 1.5 * (times[start..<end].sorted().medianOfSorted ?? 0)
    }
  }

  /// PerfDog's "jank": more than twice the mean of three frames before, and than two frames of film.
  private static let perfDog = StutterPeer(name: "PerfDog") { times in
    times.indices.dropFirst(3).filter { index in
      let mean = (times[index - 1] + times[index - 2] + times[index - 3]) / 3
      return times[index] > 2 * mean && times[index] > 1000 / 12
    }
  }

  /// Chromium's third version of its jank metric: one more refresh than the frame before, at 60 Hz.
  private static let chromium = StutterPeer(name: "Chromium Jank3") { times in
    let refreshes = times.map { ($0 / 16.667).rounded(.toNearestOrEven) }
    return times.indices.dropFirst().filter { refreshes[$0] >= refreshes[$0 - 1] + 1 }
  }
}

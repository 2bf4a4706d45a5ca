import FrameKit

/// Random recordings with stutters.
struct GeneratedStutters {
  /// How stutters are spread over a recording.
  enum Pattern: Sendable {
    /// At random times.
    case even
    /// Nearly all are in some scenes, which take a third of the time.
    case scenes
    /// Nearly all are in one scene, which takes a quarter of the time.
    case oneScene
    /// Four at a time within 3 s.
    case bursts
    /// The same time apart, with little noise.
    case rhythm
  }

  /// When each stutter starts and ends, in nanoseconds.
  let events: [Range<Int64>]
  /// When each frame ends, in nanoseconds.
  let frames: [Int64]
  /// Parts of the recording in which stutters are more frequent.
  let scenes: [Range<Int64>]
  /// The length of the recording, in nanoseconds.
  let length: Int64

  /// - Parameter count: The number of stutters before those less than 0.1 s apart become one.
  init(_ pattern: Pattern, seconds: Double, count: Int, random: inout SplitMix64) {
    length = Self.time(seconds)
    scenes = Self.scenes(pattern, seconds, &random)
    let starts = Self.starts(pattern, seconds, count, scenes, &random).sorted()
    var frames: [Int64] = []
    var events: [Range<Int64>] = []
    var (time, next) = (Int64(0), 0)
    while time < length {
      var end = time + Int64(15_700_000 + 2_000_000 * random.nextUnit())
      while next < starts.count && starts[next] < time { next += 1 }
      if next < starts.count && starts[next] < end {
        end = time + Int64(50_000_000 + 200_000_000 * random.nextUnit())
        if let last = events.last, time - last.upperBound < 100_000_000 {
          events[events.count - 1] = last.lowerBound..<end
        } else {
          events.append(time..<end)
        }
      }
      frames.append(end)
      time = end
    }
    (self.events, self.frames) = (events, frames)
  }

  /// Seconds in nanoseconds.
  private static func time(_ seconds: Double) -> Int64 { Int64(seconds * 1e9) }

  private static func scenes(
    _ pattern: Pattern, _ seconds: Double, _ random: inout SplitMix64
  ) -> [Range<Int64>] {
    switch pattern {
    case .oneScene:
      let start = random.nextUnit() * 0.75 * seconds
      return [time(start)..<time(start + 0.25 * seconds)]
    case .scenes:
      return stride(from: 0, to: seconds, by: 45).map { start in
        let offset = 30 * random.nextUnit()
        return time(start + offset)..<time(start + offset + 15)
      }
    default: return []
    }
  }

  private static func starts(
    _ pattern: Pattern, _ seconds: Double, _ count: Int, _ scenes: [Range<Int64>],
    _ random: inout SplitMix64
  ) -> [Int64] {
    let period = 0.98 * seconds / Double(count)
    let phase = random.nextUnit() * period
    var burst = 0.0
    return (0..<count).map { number in
      if !scenes.isEmpty && random.nextUnit() < 0.9 {
        let scene = scenes[Int(random.nextUnit() * Double(scenes.count))]
        return scene.lowerBound
          + Int64(random.nextUnit() * Double(scene.upperBound - scene.lowerBound))
      }
      switch pattern {
      case .rhythm:
        return time(phase + period * (Double(number) + 0.02 * random.nextUnit()))
      case .bursts:
        if number % 4 == 0 { burst = random.nextUnit() * seconds }
        return time(burst + 3 * random.nextUnit())
      default: return time(random.nextUnit() * seconds)
      }
    }
  }
}

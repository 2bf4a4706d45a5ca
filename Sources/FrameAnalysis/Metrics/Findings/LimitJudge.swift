import FrameTrace

/// Judges the frames of a surface one stretch after the other, so that a long trace needs only one byte per frame.
struct LimitJudge {
  /// For each frame, what limits it; `nil` until it is judged, and for frames that are not judged.
  private(set) var limits: [FrameLimits.Limit?]
  /// One frame in each `stride`, for medians, with its limit.
  private(set) var sample: [(frame: LimitTimes, limit: FrameLimits.Limit)] = []
  private var tally: [Int]
  private var waiting: [LimitTimes] = []
  private var count = 0
  private let stride: Int
  private let first: Int

  private static let sampleSize = 16_384

  /// - Parameter rows: The frames of the surface that are measured.
  init(_ rows: Range<Int>) {
    first = rows.lowerBound
    limits = Array(repeating: nil, count: rows.count)
    tally = Array(repeating: 0, count: FrameLimits.Limit.allCases.count)
    stride = max(1, rows.count / Self.sampleSize)
    waiting.reserveCapacity(LimitedStretch.size * 2)
  }

  /// How many frames each limit holds back.
  var counts: LimitCounts {
    LimitCounts(
      Dictionary(uniqueKeysWithValues: zip(FrameLimits.Limit.allCases, tally)))
  }

  /// Adds the next frame.
  /// - Parameter schedule: The surface's schedule. It is passed each time because a stored schedule would be copied for
  ///   each stretch.
  mutating func add(_ frame: LimitTimes, _ schedule: FrameSchedule) {
    waiting.append(frame)
    // Half a stretch is held back, so that the last one is not too short.
    if waiting.count * 2 == LimitedStretch.size * 3 { judge(LimitedStretch.size, schedule) }
  }

  /// Judges the remaining frames.
  mutating func finish(_ schedule: FrameSchedule) { judge(waiting.count, schedule) }

  private mutating func judge(_ number: Int, _ schedule: FrameSchedule) {
    let frames = waiting[..<number]
    let stretch = LimitedStretch(frames, schedule)
    for frame in frames {
      let limit = stretch.limit(frame)
      limits[frame.row - first] = limit
      tally[limit.index] += 1
      if count % stride == 0 { sample.append((frame, limit)) }
      count += 1
    }
    waiting.removeFirst(number)
  }
}

extension FrameLimits.Limit {
  fileprivate var index: Int {
    switch self {
    case .gpu: 0
    case .cpu: 1
    case .limited: 2
    case .display: 3
    case .unknown: 4
    }
  }
}

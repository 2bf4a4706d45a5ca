import FrameStatistics
import FrameTrace

/// When a display changed, as far as the frames' display times show, and what frames report about its refreshes.
struct DisplayChanges {
  /// The changes of all surfaces, in order and without duplicates.
  let times: [Timestamp]
  /// The changes made by the surface with the most changes: each surface reaches a display at different times.
  let ofMainSurface: [Timestamp]
  /// When the source expected frames on the display, in order and without duplicates.
  let expected: [Timestamp]
  /// The minimum number of refreshes for which nine in ten frames of that surface ask to be shown; `nil` if the frames
  /// do not agree, or do not say.
  let syncInterval: Int64?
  /// Whether a driver generated some of that surface's frames, which the driver shows at times of its choosing.
  let hasGenerated: Bool

  /// Creates changes with known times only.
  init(times: [Timestamp]) {
    (self.times, ofMainSurface, expected) = (times, times, [])
    (syncInterval, hasGenerated) = (nil, false)
  }

  /// Collects the changes made by the frames of surfaces.
  init(_ trace: Trace, _ surfaces: [Int]) {
    let shown = surfaces.map { Self.times(trace.surfaces[$0].frames, .displayed) }
    let main = shown.indices.max { (shown[$0].count, $1) < (shown[$1].count, $0) }
    ofMainSurface = main.map { shown[$0] } ?? []
    times = shown.count < 2 ? ofMainSurface : Self.inOrder(shown.flatMap(\.self))
    expected =
      surfaces.contains { trace.surfaces[$0].frames.has(.expectedDisplay) }
      ? Self.inOrder(
        surfaces.flatMap { Self.times(trace.surfaces[$0].frames, .expectedDisplay) }) : []
    let frames = main.map { trace.surfaces[surfaces[$0]].frames }
    syncInterval = frames.flatMap(Self.syncInterval)
    hasGenerated = frames.map(Self.hasGenerated) ?? false
  }

  private static func hasGenerated(_ frames: Table<FrameColumn>) -> Bool {
    guard let kinds = frames.stored(.kind) else { return false }
    let generated = FrameColumn.Kind.generated.rawValue
    if let only = kinds.constantValue { return only == generated }
    return (0..<frames.count).contains { kinds[$0] == generated }
  }

  private static func times(_ frames: Table<FrameColumn>, _ column: FrameColumn) -> [Timestamp] {
    guard let stored = frames.stored(column) else { return [] }
    var times: [Timestamp] = []
    times.reserveCapacity(frames.count)
    for row in 0..<frames.count {
      guard let distance = stored[row] else { continue }
      times.append(Timestamp(nanoseconds: frames.references[row] &+ distance))
    }
    return inOrder(times)
  }

  static func inOrder(_ unordered: consuming [Timestamp]) -> [Timestamp] {
    var times = consume unordered
    times.sortNearlySorted(by: <)
    var unique = 0
    for index in times.indices where index == 0 || times[index] != times[index - 1] {
      times[unique] = times[index]
      unique += 1
    }
    times.removeSubrange(unique...)
    return times
  }

  /// How many refreshes nine in ten frames ask to be shown for; `nil` where they do not agree, or do not say.
  static func syncInterval(_ frames: Table<FrameColumn>) -> Int64? {
    guard let stored = frames.stored(.syncInterval) else { return nil }
    if let only = stored.constantValue { return only }
    var counts: [Int64: Int] = [:]
    for row in 0..<frames.count {
      if let value = stored[row] { counts[value, default: 0] += 1 }
    }
    let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
    return most.flatMap { $0.value * 10 >= frames.count * 9 ? $0.key : nil }
  }
}

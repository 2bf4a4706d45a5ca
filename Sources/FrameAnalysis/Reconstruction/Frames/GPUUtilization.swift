import FrameTrace

/// How long the GPU was busy with each frame, estimated from a column of its utilization.
///
/// About ten times a second, a sensor reads the share of time in which the GPU worked for any program. The estimate is
/// therefore for a usual frame, and proves nothing about a single one.
struct GPUUtilization {
  private let shares: ExtraColumn

  /// Words that name the utilization in columns of overlays and capture tools.
  private static let words = ["util", "load", "usage"]
  /// Words that name a part of a GPU that does not draw, or something other than its time.
  private static let others = ["mem", "vram", "video", "codec", "copy", "bus", "power", "fan"]

  /// - Returns: `nil` if no column in percent names the utilization of a GPU, or if fewer than half of the rows have a
  ///   value.
  init?(_ frames: Table<FrameColumn>) {
    let found = frames.extras.first { extra in
      let name = extra.name.lowercased()
      return extra.isNumeric && name.contains("gpu") && Self.words.contains(where: name.contains)
        && !Self.others.contains(where: name.contains)
        && (extra.unit == "%" || name.contains("%")) && extra.valueCount * 2 >= frames.count
    }
    guard let found else { return nil }
    shares = found
  }

  /// How long the GPU was busy in a period after the start of the frame in a row.
  func busy(_ row: Int, for length: Nanoseconds) -> Nanoseconds? {
    guard let share = shares.number(row), (0...100).contains(share) else { return nil }
    return Nanoseconds(rounding: Double(length.count) * share / 100)
  }

  /// The estimates of a table whose source states no busy times, as distances in nanoseconds; `nil` without the column.
  static func estimates(_ frames: Table<FrameColumn>) -> IntegerColumn? {
    let isMeasured = frames.has(.gpuBusy) || (frames.has(.gpuStart) && frames.has(.gpuEnd))
    guard !isMeasured, let utilization = GPUUtilization(frames) else { return nil }
    let starts = ColumnTimes(frames, .appStart)
    var found = IntegerColumn()
    for row in 0..<frames.count {
      let next = row + 1 < frames.count ? starts[row + 1] : nil
      let length = starts[row].flatMap { start in next.map { $0 - start } }
      let busy = length.flatMap { $0 > .zero ? utilization.busy(row, for: $0) : nil }
      found.append(busy?.count ?? IntegerColumn.missing)
    }
    return found
  }
}

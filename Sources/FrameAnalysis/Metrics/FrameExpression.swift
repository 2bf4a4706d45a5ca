import FrameStatistics
package import FrameTrace

/// A duration that each frame has according to its columns.
package enum FrameExpression: Hashable, Sendable {
  /// The value of a column of lengths.
  case column(FrameColumn)
  /// The time from one stage time to another of the same frame.
  case between(FrameColumn, FrameColumn)
  /// The first length minus the second.
  case difference(FrameColumn, FrameColumn)
  /// The time from a stage time to the next later one of any frame.
  case sinceLast(FrameColumn)

  /// The columns it needs.
  package var columns: [FrameColumn] {
    switch self {
    case .column(let column), .sinceLast(let column): [column]
    case .between(let first, let second), .difference(let first, let second): [first, second]
    }
  }

  /// Whether any frame has all columns it needs.
  func isAvailable(in frames: Table<FrameColumn>) -> Bool { columns.allSatisfy(frames.has) }

  /// Finds the values of the frames that have a value, in nanoseconds and in the frames' order.
  /// - Parameters:
  ///   - wanted: 1 for each frame that is included; `nil` when all are.
  ///   - leftOut: The rows of frames that are not included, in order.
  ///   - memory: Memory to reuse; its content is lost.
  func sample(
    of frames: Table<FrameColumn>, where wanted: IntegerColumn?, without leftOut: [Int] = [],
    using memory: consuming [Int64]
  ) -> Sample {
    var sample = Sample(using: memory, expecting: frames.count)
    var block = FrameBlock(self, frames, wanted, without: leftOut)
    while block.advance() { block.append(to: &sample) }
    guard case .sinceLast = self else { return sample }
    // Without `consume`, all times would be copied before they are changed.
    var times = (consume sample).takeMemory()
    Self.turnIntoSteps(&times)
    return Sample(times)
  }

  /// Replaces times by the steps from each to the next.
  private static func turnIntoSteps(_ times: inout [Int64]) {
    times.sortNearlySorted(by: <)
    for index in times.indices.dropLast() { times[index] = times[index + 1] &- times[index] }
    if !times.isEmpty { times.removeLast() }
  }
}

import FrameTrace

/// A frame of a recording while its events arrive.
struct RecordedFrame {
  private var row = Table<FrameColumn>.Row()
  /// When pieces of the GPU's work began and ended, in order of arrival.
  private var begun: [Int64] = []
  private var ended: [Int64] = []

  /// - Parameter number: The frame's number in the recording.
  init(number: Int64?) { row[.identifier] = number }

  /// The latest known value of a column.
  subscript(column: FrameColumn) -> Int64? { row[column] }

  /// Adds an event to the frame. If the GPU's work is in several pieces, the first start and the last end count.
  mutating func consume(_ event: RecordedEvent) {
    switch event.kind {
    case .discarded: row[.fate] = FrameColumn.Fate.discarded.rawValue
    case .generated: row[.kind] = FrameColumn.Kind.generated.rawValue
    case .gpuBegin:
      row[.gpuStart] = min(row[.gpuStart] ?? event.time, event.time)
      begun.append(event.time)
    case .gpuEnd:
      row[.gpuEnd] = max(row[.gpuEnd] ?? event.time, event.time)
      ended.append(event.time)
    default:
      if let column = event.kind?.column { row[column] = event.time }
    }
  }

  /// The frame's row, with the values derived from all its events.
  var finished: Table<FrameColumn>.Row {
    var row = row
    row[.gpuBusy] = gpuBusy
    row[.gpuWait] = gpuBusy.flatMap { busy in
      guard let start = row[.gpuStart], let end = row[.gpuEnd] else { return nil }
      return end - start - busy
    }
    return row
  }

  /// The time in which the GPU worked on at least one piece of the frame; `nil` while a piece has no end or ends before
  /// it begins.
  /// - Complexity: O(n log n) in the number of pieces.
  private var gpuBusy: Int64? {
    guard !begun.isEmpty, begun.count == ended.count else { return nil }
    let (begun, ended) = (begun.sorted(), ended.sorted())
    guard
      zip(begun, ended).allSatisfy({ $0 <= $1 && $0 >= -Timestamp.bound && $1 <= Timestamp.bound })
    else { return nil }
    // When ordered, the pieces overlap exactly where a piece begins before the previous piece has ended.
    var busy: Int64 = 0
    var (start, end) = (begun[0], ended[0])
    for (nextStart, nextEnd) in zip(begun, ended).dropFirst() {
      if nextStart > end {
        busy += end - start
        start = nextStart
      }
      end = nextEnd
    }
    return busy + end - start
  }
}

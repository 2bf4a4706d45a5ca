import FrameStatistics
import FrameTrace

/// The frames that a table lists as longer than a second, to be checked against the times of its rows.
///
/// A damaged digit produces a frame of hours in a log of seconds. A frame is impossible if it is longer than the whole
/// log plus a second, or longer than twice the time between its rows plus a second. Missing rows and pauses only make
/// that time longer; the margin is for coarse times.
struct LongFrames {
  /// The rows that a frame lies between.
  enum Reach {
    /// The previous row and the frame's row.
    case before
    /// The frame's row and the next row.
    case after
    /// The previous row and the next row, if the frame may begin and end between row times.
    case around

    fileprivate var rows: ClosedRange<Int> {
      switch self {
      case .before: -1...0
      case .after: 0...1
      case .around: -1...1
      }
    }
  }

  private struct Frame {
    let length: Int64
    let reach: Reach
    let surface, row: Int
    let line: Int?
  }

  private var frames: [Frame] = []

  /// The longest frame that no time can contradict, in ns.
  static let longestUnchecked: Int64 = 1_000_000_000

  /// Records a frame if it is long.
  /// - Parameters:
  ///   - length: The frame's length in ns, as stated in the table; `nil` if the table does not state it.
  ///   - line: The line of the frame's row; `nil` in a format without lines.
  mutating func note(
    _ length: Int64?, _ reach: Reach, surface: Int, row: Int, line: @autoclosure () -> Int?
  ) {
    guard let length, length > Self.longestUnchecked else { return }
    frames.append(Frame(length: length, reach: reach, surface: surface, row: row, line: line()))
  }

  /// The impossible frames, which are noted in a log.
  /// - Parameter times: The times of each surface's rows, in ns.
  func impossible(by times: [[Int64]], _ log: inout IssueLog) -> ImpossibleFrames {
    guard !frames.isEmpty else { return ImpossibleFrames() }
    let bounds = times.map { (first: $0.min(), last: $0.max()) }
    let span = (bounds.compactMap(\.last).max() ?? 0) - (bounds.compactMap(\.first).min() ?? 0)
    var clocks: [Int: RowClock] = [:]
    var (found, line) = (ImpossibleFrames(), Int?.none)
    for frame in frames {
      let clock = clocks[frame.surface] ?? RowClock(times[frame.surface], span)
      clocks[frame.surface] = clock
      if clock.allows(frame.length, at: frame.row, frame.reach) { continue }
      if found.insert(frame.row, of: frame.surface) {
        line = [line, frame.line].compactMap { $0 }.min()
      }
    }
    log.note(
      .absurdValue, .dataLoss,
      "rows with a frame time longer than the log's own times allow, left out",
      count: found.count, at: line.map(Position.line))
    return found
  }

  /// Removes the impossible frames from a trace.
  /// - Parameter times: Returns the times of a surface's rows, based on its frames.
  func leaveOutImpossible(
    from builder: inout TraceBuilder, times: (Table<FrameColumn>) -> [Int64] = \.references
  ) -> ImpossibleFrames {
    guard !frames.isEmpty else { return ImpossibleFrames() }
    let found = impossible(by: builder.trace.surfaces.map { times($0.frames) }, &builder.log)
    for surface in found.surfaces {
      let count = builder.trace.surfaces[surface].frames.count
      builder.trace.surfaces[surface].frames.reorder(by: found.others(of: surface, among: count))
    }
    return found
  }
}

/// The rows with impossible frames, which are left out.
struct ImpossibleFrames {
  /// The rows of each surface, in order.
  private var rows: [Int: [Int]] = [:]

  var count: Int { rows.values.reduce(0) { $0 + $1.count } }
  fileprivate var surfaces: [Int] { rows.keys.sorted() }

  /// Whether a row is left out.
  func contains(_ row: Int, of surface: Int) -> Bool {
    rowAfterRemoval(of: row, in: surface) == nil
  }

  /// The number of a row after the rows with impossible frames are removed; `nil` for such a row.
  func rowAfterRemoval(of row: Int, in surface: Int) -> Int? {
    let rows = rows[surface] ?? []
    let before = rows.partitioningIndex { $0 >= row }
    return before < rows.count && rows[before] == row ? nil : row - before
  }

  /// The rows that remain.
  func others(of surface: Int, among count: Int) -> [Int32] {
    (0..<Int32(count)).filter { !contains(Int($0), of: surface) }
  }

  /// - Returns: Whether the row was not already included.
  fileprivate mutating func insert(_ row: Int, of surface: Int) -> Bool {
    guard let new = rowAfterRemoval(of: row, in: surface) else { return false }
    rows[surface, default: []].insert(row, at: row - new)
    return true
  }
}

/// The times of a surface's rows, which limit the lengths of its frames.
private struct RowClock {
  private let times: [Int64]
  /// The distinct times, in order.
  private let sorted: [Int64]
  private let span: Int64

  init(_ times: [Int64], _ span: Int64) {
    (self.times, self.span) = (times, span)
    var sorted: [Int64] = []
    for time in times.sorted() where time != sorted.last { sorted.append(time) }
    self.sorted = sorted
  }

  func allows(_ length: Int64, at row: Int, _ reach: LongFrames.Reach) -> Bool {
    guard length - LongFrames.longestUnchecked <= span else { return false }
    let position = sorted.partitioningIndex { $0 >= times[row] }
    // In file order, a damaged time is far from its neighbors. In time order, a frame that was finished late is next to
    // its neighbors. A wrong length contradicts both orders.
    return [Self.distance(times, row, reach), Self.distance(sorted, position, reach)].contains {
      $0.map { length - LongFrames.longestUnchecked <= 2 * $0 } ?? true
    }
  }

  /// The time between the rows that enclose a frame; `nil` if one of the rows is not in the log.
  private static func distance(_ times: [Int64], _ row: Int, _ reach: LongFrames.Reach) -> Int64? {
    let rows = reach.rows.lowerBound + row...reach.rows.upperBound + row
    guard times.indices.contains(rows.lowerBound), times.indices.contains(rows.upperBound),
      let first = times[rows].min(), let last = times[rows].max()
    else { return nil }
    return last - first
  }
}

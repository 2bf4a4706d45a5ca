/// What the lines of a table often begin with: the texts of its first columns, such as program, process and mode.
///
/// A line that begins like an earlier one has its first separators at the same positions, and the same texts before them.
/// Only its other bytes need to be searched.
struct LineHeads: Sendable {
  /// How many columns a head has; 0 if heads are not used.
  let columns: Int

  /// The bytes of all heads, each with the separator after its last column.
  private var bytes: [UInt8] = []
  private var ranges: [Range<Int>] = []
  /// The positions of the separators of all heads, from the start of the line on.
  private var positions: [UInt32] = []
  /// The head of the last line that had one.
  private var last = 0
  /// How many lines of a stretch had a known head, and how many had none.
  private var (found, missed) = (0, 0)

  /// The most heads that are known at the same time.
  private static let most = 8
  /// The lengths of heads in bytes. Shorter ones are searched as quickly as they are compared, which is done 32 bytes at a
  /// time.
  private static let lengths = 32...512
  /// How many more lines of a stretch may have no known head than have one; after that, no line is compared.
  private static let mostMissed = 64

  init(columns: Int) { self.columns = columns }

  /// Begins a stretch of lines. The heads of the stretch before it are kept if most lines had one of them.
  mutating func begin() {
    if missed > found { self = LineHeads(columns: columns) }
    (found, missed) = (0, 0)
  }

  /// The head of the line from `start` on, and its length in bytes; `nil` if it has none that is known.
  @inline(__always)
  mutating func head(
    of bytes: Span<UInt8>, from start: Int, upTo end: Int
  ) -> (head: Int, length: Int)? {
    guard !ranges.isEmpty, isSearched else { return nil }
    if !begins(bytes, start, end, with: last) {
      let other = ranges.indices.first { begins(bytes, start, end, with: $0) }
      guard let other else {
        missed &+= 1
        return nil
      }
      last = other
    }
    found &+= 1
    return (last, ranges[last].count)
  }

  /// Whether lines are compared with heads. If nearly every line begins differently, that only takes time.
  private var isSearched: Bool { missed <= found &+ Self.mostMissed }

  /// Where the separators of a head are, from the start of the line on.
  @inline(__always)
  func separator(_ number: Int, of head: Int) -> UInt32 { positions[head &* columns &+ number] }

  @inline(__always)
  private func begins(_ line: Span<UInt8>, _ start: Int, _ end: Int, with head: Int) -> Bool {
    let head = ranges[head]
    guard start &+ head.count <= end else { return false }
    var offset = 0
    while offset &+ 32 < head.count {
      guard line.equals32(bytes.span, at: head.lowerBound &+ offset, start &+ offset)
      else { return false }
      offset &+= 32
    }
    // The last bytes, some of them a second time.
    offset = head.count &- 32
    return line.equals32(bytes.span, at: head.lowerBound &+ offset, start &+ offset)
  }

  /// Learns the head of a line that has no quotes.
  /// - Parameters:
  ///   - start: Where the line begins.
  ///   - separators: Where its separators are, its line feed included.
  mutating func learn(_ line: Span<UInt8>, from start: Int, _ separators: Span<UInt32>) {
    guard separators.count > columns, ranges.count < Self.most, isSearched else { return }
    let end = Int(separators[columns - 1]) + 1
    guard Self.lengths.contains(end - start) else { return }
    ranges.append(bytes.count..<bytes.count + end - start)
    for position in start..<end { bytes.append(line[position]) }
    for number in 0..<columns { positions.append(separators[number] - UInt32(start)) }
  }
}

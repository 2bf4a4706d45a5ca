/// The rows of a CSV input, read in blocks.
package struct CSVReader {
  /// The block that was read last.
  package private(set) var block: CSVBlock

  private var window: LineWindow
  /// The line number of the next block's first row, counted from 1.
  private var nextLine = 1
  private let separator: UInt8
  private let input: InputFile

  /// The most bytes of a block, unless a line is longer.
  package static let blockSize = 1 << 18

  package init(
    _ input: InputFile, separator: UInt8 = UInt8(ascii: ","), windowSize: Int = blockSize
  ) {
    window = LineWindow(input, size: windowSize)
    self.input = input
    self.separator = separator
    block = CSVBlock(separator: separator)
  }

  /// Moves on to the next block of rows.
  /// - Returns: `false` when there are none left.
  package mutating func nextBlock() throws(ParseError) -> Bool {
    guard try block.load(&window) else { return false }
    block.expectedGrowth = expectedGrowth
    block.split()
    block.firstLine = nextLine
    nextLine += block.rowCount
    return true
  }

  /// A block to load lines into.
  package func emptyBlock() -> CSVBlock { CSVBlock(separator: separator) }

  /// Loads the next lines of the input into a block. Any thread can split it; blocks must be numbered in the order in
  /// which they were loaded.
  /// - Returns: `false` when there are none left.
  package mutating func load(_ block: inout CSVBlock) throws(ParseError) -> Bool {
    guard try block.load(&window) else { return false }
    block.expectedGrowth = expectedGrowth
    // Until the block is numbered, this is a lower bound.
    block.firstLine = nextLine
    return true
  }

  /// Numbers the lines of a block that was split, after all blocks before it.
  package mutating func number(_ block: inout CSVBlock) {
    block.firstLine = nextLine
    nextLine += block.rowCount
  }

  /// Whether no row was read yet.
  package var isAtStart: Bool { nextLine == 1 }

  private var expectedGrowth: Double {
    guard let size = input.fileSize, input.filePosition > 0 else { return 1 }
    // A little more, so that rows that are shorter further on still find room.
    return max(1, 1.02 * Double(size) / Double(input.filePosition))
  }
}

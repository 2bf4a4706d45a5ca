import FrameTrace

/// Reads a long PresentMon CSV on several threads: one appends decoded blocks to the trace in order, while the others
/// decode the next blocks.
///
/// The start of a file is read block by block, because its first rows determine how the others are decoded.
struct PresentMonPieces {
  private let rows: SharedValue<PresentMonRows>
  private let parallelism: Parallelism

  /// How many blocks are read on one thread first: a file that is not longer is read in a few milliseconds.
  static let blocksAlone = 8
  /// The maximum number of blocks that are decoded at the same time. With the blocks before them, each takes 0.6 MB.
  private static let mostPieces = 16

  init(_ rows: PresentMonRows, _ parallelism: Parallelism) {
    self.rows = SharedValue(rows)
    self.parallelism = parallelism
  }

  /// Reads all rows.
  func read(_ reader: inout CSVReader) throws(ParseError) {
    var alone = 0
    while parallelism.most == 1 || alone < Self.blocksAlone || !rows.use(\.isSettled) {
      guard try reader.nextBlock() else { return }
      rows.use { $0.read(reader.block) }
      alone += 1
    }
    try readSeveral(&reader)
  }

  private func readSeveral(_ reader: inout CSVReader) throws(ParseError) {
    let decoder = rows.use(\.decoder)
    let count = min(4 * parallelism.most, Self.mostPieces)
    var next = (0..<count).map { _ in Piece(reader.emptyBlock(), decoder.header) }
    var decoded = (0..<count).map { _ in Piece(reader.emptyBlock(), decoder.header) }
    var (isDecoded, failure) = (0, ParseError?.none)
    repeat {
      // Long lines make long blocks, of which fewer are decoded at the same time.
      var (loaded, bytes) = (0, 0)
      do throws(ParseError) {
        while loaded < count, bytes < count * CSVReader.blockSize, failure == nil,
          try next[loaded].load(&reader)
        {
          bytes += next[loaded].byteCount
          loaded += 1
        }
      } catch {
        failure = error
      }
      let (pieces, before) = (next[..<loaded], decoded[..<isDecoded])
      _ = parallelism.map(1 + loaded) { [rows] number in
        if number == 0 {
          for piece in before { piece.consume(into: rows) }
        } else {
          pieces[number - 1].decode(decoder)
        }
      }
      for piece in pieces { piece.number(&reader) }
      (next, decoded, isDecoded) = (decoded, next, loaded)
    } while isDecoded > 0
    if let failure { throw failure }
  }

  /// The rows that were read: all of them, unless reading failed.
  func finish() -> PresentMonRows { rows.exchange(for: rows.use(\.withoutRows)) }
}

/// A block and its numbers. The threads that load, decode and append it can differ.
private final class Piece: Sendable {
  private let content: SharedValue<(block: CSVBlock, numbers: PresentMonNumbers)>

  init(_ block: CSVBlock, _ header: PresentMonHeader) {
    content = SharedValue((block, PresentMonNumbers(header)))
  }

  func load(_ reader: inout CSVReader) throws(ParseError) -> Bool {
    try content.use { (content) throws(ParseError) in try reader.load(&content.block) }
  }

  /// How many bytes its lines have.
  var byteCount: Int { content.use { $0.block.byteCount } }

  func decode(_ decoder: PresentMonNumbers.Decoder) {
    content.use { content in
      content.block.split()
      content.numbers.selectRows(of: content.block, decoder.header)
      content.numbers.decode(content.block, decoder)
    }
  }

  func number(_ reader: inout CSVReader) {
    content.use { reader.number(&$0.block) }
  }

  func consume(into rows: SharedValue<PresentMonRows>) {
    content.use { content in rows.use { $0.consume(content.block, content.numbers) } }
  }
}

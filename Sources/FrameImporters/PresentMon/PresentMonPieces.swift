import FrameTrace
import Synchronization

/// Reads a long PresentMon CSV with several threads: while one takes the numbers of some blocks in
/// their order, the others decode the next ones.
///
/// The start of a file is read block by block, because the first rows settle how the others are decoded.
struct PresentMonPieces {
  private let rows: SharedRows
  private let parallelism: Parallelism

  /// How many blocks are read before several are decoded at once. Starting threads takes as long as
  /// decoding one or two.
  static let blocksAlone = 8
  /// How many blocks are decoded at once at most. Each takes a megabyte.
  private static let mostPieces = 16

  init(_ rows: PresentMonRows, _ parallelism: Parallelism) {
    self.rows = SharedRows(rows)
    self.parallelism = parallelism
  }

  /// Reads all rows.
  func read(_ reader: inout CSVReader) throws(ParseError) {
    var alone = 0
    while parallelism.most == 1 || alone < Self.blocksAlone || !rows.isSettled {
      guard try reader.nextBlock() else { return }
      rows.read(reader.block)
      alone += 1
    }
    try readSeveral(&reader)
  }

  private func readSeveral(_ reader: inout CSVReader) throws(ParseError) {
    let decoder = rows.decoder
    let count = min(2 * parallelism.most, Self.mostPieces)
    var next = (0..<count).map { _ in Piece(reader.emptyBlock()) }
    var decoded = (0..<count).map { _ in Piece(reader.emptyBlock()) }
    var (isDecoded, failure) = (0, ParseError?.none)
    repeat {
      var loaded = 0
      do throws(ParseError) {
        while loaded < count, failure == nil, try next[loaded].load(&reader) { loaded += 1 }
      } catch {
        failure = error
      }
      let (pieces, before) = (next[..<loaded], decoded[..<isDecoded])
      _ = parallelism.map(1 + loaded) { [rows] number in
        if number == 0 {
          for piece in before { piece.take(into: rows) }
        } else {
          pieces[number - 1].decode(decoder)
        }
      }
      for piece in pieces { piece.number(&reader) }
      (next, decoded, isDecoded) = (decoded, next, loaded)
    } while isDecoded > 0
    if let failure { throw failure }
  }

  /// The rows that were read, which is all of them but after an error.
  func finish() -> PresentMonRows { rows.moveOut() }
}

/// Rows that several threads take in turns.
private final class SharedRows: Sendable {
  private let rows: Mutex<PresentMonRows>

  init(_ rows: consuming PresentMonRows) { self.rows = Mutex(rows) }

  var isSettled: Bool { rows.withLock { $0.isSettled } }
  var decoder: PresentMonNumbers.Decoder { rows.withLock { $0.decoder } }

  func read(_ block: CSVBlock) { rows.withLock { $0.read(block) } }

  func take(_ block: CSVBlock, _ numbers: PresentMonNumbers) {
    rows.withLock { $0.take(block, numbers) }
  }

  /// The rows; after this, there are none left here.
  func moveOut() -> PresentMonRows {
    rows.withLock { rows in
      let all = rows
      rows = rows.withoutRows
      return all
    }
  }
}

/// A block and its numbers, which one thread loads, another one decodes, and a third one takes.
private final class Piece: Sendable {
  private let content: Mutex<(block: CSVBlock, numbers: PresentMonNumbers)>

  init(_ block: CSVBlock) { content = Mutex((block, PresentMonNumbers())) }

  func load(_ reader: inout CSVReader) throws(ParseError) -> Bool {
    try content.withLock { (content) throws(ParseError) in try reader.load(&content.block) }
  }

  func decode(_ decoder: PresentMonNumbers.Decoder) {
    content.withLock { content in
      content.block.split()
      content.numbers.selectRows(of: content.block, decoder.header)
      content.numbers.decode(content.block, decoder)
    }
  }

  func number(_ reader: inout CSVReader) {
    content.withLock { reader.number(&$0.block) }
  }

  func take(into rows: SharedRows) {
    content.withLock { rows.take($0.block, $0.numbers) }
  }
}

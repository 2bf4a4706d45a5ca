import Testing

@testable import FrameStatistics
@testable import FrameTrace

@Suite struct CSVReaderTests {
  /// All rows of a text, as texts.
  static func rows(_ text: String, windowSize: Int = 1 << 20) throws -> [[String]] {
    var reader = CSVReader(
      try InputFile(bytes: Array(text.utf8)), windowSize: windowSize)
    var rows: [[String]] = []
    while try reader.nextBlock() {
      for row in 0..<reader.block.rowCount {
        rows.append((0..<reader.block.cellCount(row)).map { reader.block.text(row, $0) })
      }
    }
    return rows
  }

  @Test func splitsCellsAndRows() throws {
    #expect(try Self.rows("a,b,c\n1,2,3\n") == [["a", "b", "c"], ["1", "2", "3"]])
  }

  @Test func takesWindowsLineEndsAndAMissingLastOne() throws {
    #expect(try Self.rows("a,b\r\n1,2\r\n3,4") == [["a", "b"], ["1", "2"], ["3", "4"]])
  }

  @Test func keepsSeparatorsInQuotes() throws {
    #expect(
      try Self.rows("\"a,b\",\"say \"\"hi\"\"\", c \n1,,\n")
        == [["a,b", "say \"hi\"", "c"], ["1", "", ""]])
  }

  @Test func aQuoteThatIsNeverClosedCostsOneRow() throws {
    #expect(try Self.rows("a,\"b,c\n1,2\n") == [["a", "\"b,c"], ["1", "2"]])
  }

  @Test func givesBlankLinesAsOneEmptyCell() throws {
    #expect(try Self.rows("a,b\n\n1,2\n") == [["a", "b"], [""], ["1", "2"]])
  }

  @Test func anEmptyInputHasNoRows() throws { #expect(try Self.rows("") == []) }

  @Test func windowsOfAnySizeGiveTheSameRows() throws {
    var random = SplitMix64(seed: 7)
    let rows = (0..<300).map { _ in
      (0..<Int.random(in: 1...9, using: &random)).map { _ in
        String("0123456789abcdef".prefix(Int.random(in: 0...16, using: &random)))
      }
    }
    let text = rows.map { $0.joined(separator: ",") + "\n" }.joined()
    for size in [1, 7, 64, 65, 200, 4096] {
      #expect(try Self.rows(text, windowSize: size) == rows, "window of \(size) bytes")
    }
  }

  /// Room for separators is made by how many there were so far.
  @Test func rowsAreFoundWhereSeparatorsBecomeManyOrFew() throws {
    let long = String(repeating: "x", count: 5000)
    let cells = [String](repeating: "", count: 3000)
    let blanks = [[String]](repeating: [""], count: 4000)
    for rows in [[[long, long], cells, [long]] + blanks, blanks + [cells, [long, long]]] {
      let text = rows.map { $0.joined(separator: ",") + "\n" }.joined()
      for size in [64, 1000, 1 << 20] {
        #expect(try Self.rows(text, windowSize: size) == rows, "window of \(size) bytes")
      }
    }
  }

  @Test func aLineWithoutEndIsRefusedBeforeItFillsTheMemory() throws {
    let input = try InputFile(bytes: [UInt8](repeating: 0x61, count: 100_000))
    var window = LineWindow(input, size: 1024, longestLine: 1 << 14)
    let error = #expect(throws: ParseError.self) { while try window.next() {} }
    #expect(error?.problem == "expected lines of at most 16 KiB, found a longer one")
  }

  /// After a long line, blocks are as large as before it.
  @Test func aLongLineLeavesNoLargeBlocks() throws {
    let long = String(repeating: "x", count: 100_000)
    let text = "a,b\n" + long + "\n" + String(repeating: "1,2\n", count: 100_000)
    var reader = CSVReader(try InputFile(bytes: Array(text.utf8)), windowSize: 1024)
    var blocks: [(rows: Int, bytes: Int)] = []
    while try reader.nextBlock() {
      blocks.append((reader.block.rowCount, reader.block.buffer.count))
    }
    #expect(blocks.reduce(0) { $0 + $1.rows } == 100_002)
    #expect(blocks.contains { $0.bytes > 100_000 })
    #expect(blocks.suffix(blocks.count / 2).allSatisfy { $0.rows <= 256 + 1 && $0.bytes < 5000 })
  }

  @Test func decodesAColumnAndCountsWhatIsNoNumber() throws {
    let text = "1.5,x\n2,y\nNA,z\nfoo,q\n1e30,w\n-3,v\n"
    var reader = CSVReader(try InputFile(bytes: Array(text.utf8)))
    #expect(try reader.nextBlock())
    var values = [Int64](repeating: 0, count: 6)
    let odd = reader.block.decode(column: 0, of: [0, 1, 2, 3, 4, 5], scale: 3, into: &values)
    #expect(values == [1500, 2000, CSVBlock.missing, CSVBlock.missing, CSVBlock.missing, -3000])
    #expect(odd.map(\.row) == [3, 4])
    #expect(odd.map(\.reading) == [.malformed, .outOfRange])
  }

  @Test func numbersCombinationsOfTextsThatRepeat() throws {
    let text = "a,1,x\nb,2,x\na,3,x\na,4,y\nb,5,x\n"
    var reader = CSVReader(try InputFile(bytes: Array(text.utf8)))
    #expect(try reader.nextBlock())
    var identities = CSVRowIdentities(columns: [0, 2])
    identities.identify([0, 1, 2, 3, 4], of: reader.block)
    #expect(identities.ofRows == [0, 1, 0, 2, 1])
    #expect(identities.combinations.map(\.row) == [0, 1, 3])
    let keys = identities.combinations.map(\.key)
    identities.identify([3, 1], of: reader.block)
    #expect(identities.ofRows == [0, 1])
    #expect(identities.combinations.map(\.row) == [3, 1])
    #expect(identities.combinations.map(\.key) == [keys[2], keys[1]])
  }

  /// More combinations than are tried before they are looked up, in runs and one by one, and some that begin alike.
  @Test func rowsWithTheSameTextsHaveTheSameCombination() throws {
    var random = SplitMix64(seed: 4)
    let names = (0..<30).map { "game.exe,\(String(repeating: "1", count: $0 % 10)),\($0 / 3)" }
    var rows: [Int] = []
    while rows.count < 2000 {
      let name = Int.random(in: 0..<names.count, using: &random)
      let count = Bool.random(using: &random) ? 1 : Int.random(in: 1...40, using: &random)
      rows += [Int](repeating: name, count: count)
    }
    let text = rows.map { "\(names[$0]),5\n" }.joined()
    var reader = CSVReader(try InputFile(bytes: Array(text.utf8)))
    #expect(try reader.nextBlock())
    var identities = CSVRowIdentities(columns: [0, 1, 2])
    identities.identify((0..<Int32(rows.count)).map { $0 }, of: reader.block)
    var order: [Int] = []
    for name in rows where !order.contains(name) { order.append(name) }
    #expect(identities.ofRows == rows.map { Int32(order.firstIndex(of: $0) ?? -1) })
    #expect(identities.combinations.map { rows[Int($0.row)] } == order)
  }

}

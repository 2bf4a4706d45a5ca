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

  @Test(arguments: [(31, false), (32, true), (512, true), (513, false)])
  func linesThatBeginAlikeHaveTheSameNumber(_ length: Int, _ isCompared: Bool) throws {
    let heads = ["a", "b"].map { $0 + String(repeating: "x", count: length - 4) + ",1," }
    let text = [0, 1, 0, 0, 1].map { heads[$0] + "2.5\n" }.joined() + heads[0]
    var reader = CSVReader(try InputFile(bytes: Array(text.utf8)), headColumns: 2)
    #expect(try reader.nextBlock())
    #expect(
      reader.block.heads.prefix(5) == (isCompared ? [-1, -1, 0, 0, 1] : [-1, -1, -1, -1, -1]))
    #expect((0..<5).map { reader.block.cellCount($0) } == [3, 3, 3, 3, 3])
    // They are known in the next block, here that of the last line, which has no line feed.
    #expect(try reader.nextBlock())
    #expect(reader.block.heads.first == (isCompared ? 0 : -1))
    #expect(reader.block.rowCount == 1)
    #expect(reader.block.cellCount(0) == 3)
  }

  /// The ninth head is not known, and heads are not searched for where most lines have none.
  @Test func fewHeadsAreKnown() throws {
    let lines = (0..<9).map { "\($0)" + String(repeating: "x", count: 40) + ",1,2\n" }
    var reader = CSVReader(
      try InputFile(bytes: Array((lines + lines.reversed()).joined().utf8)), headColumns: 2)
    #expect(try reader.nextBlock())
    #expect(reader.block.heads[9..<18] == [-1, 7, 6, 5, 4, 3, 2, 1, 0])
    let others = (0..<200).map { "y\($0)" + String(repeating: "x", count: 40) + ",1,2\n" }
    reader = CSVReader(
      try InputFile(bytes: Array((lines + others + lines).joined().utf8)), headColumns: 2)
    #expect(try reader.nextBlock())
    let isKnown = reader.block.heads[209..<218].contains { $0 >= 0 }
    #expect(!isKnown)
  }

  /// A stretch may have 64 more lines without a known head than with one.
  @Test(arguments: [(64, true), (65, false)])
  func headsAreSearchedUntilTooManyLinesHaveNone(_ others: Int, _ isKnown: Bool) {
    var scan = SeparatorScan(headColumns: 1)
    let names = ["a"] + (0..<others).map { "b\($0)" } + ["a"]
    let text = names.map { $0 + String(repeating: "x", count: 40) + ",1\n" }.joined()
    scan.scan(
      Array(text.utf8) + [UInt8](repeating: 0, count: 64), 0..<text.utf8.count, separator: 0x2c)
    #expect(scan.headOfLine[others + 1] == (isKnown ? 0 : -1))
  }

  /// When most lines of a stretch have no known head, those of the next one are learned anew.
  @Test func headsAreForgottenWhenTheyNoLongerRecur() {
    var scan = SeparatorScan(headColumns: 1)
    func heads(_ names: [String]) -> [Int32] {
      let text = names.map { $0 + String(repeating: "x", count: 40) + ",1\n" }.joined()
      scan.scan(
        Array(text.utf8) + [UInt8](repeating: 0, count: 64), 0..<text.utf8.count, separator: 0x2c)
      return Array(scan.headOfLine.prefix(scan.lineCount))
    }
    let names = (0..<8).map { "n\($0)" }
    #expect(heads(names + ["n0", "m"]) == [-1, -1, -1, -1, -1, -1, -1, -1, 0, -1])
    #expect(heads(["m", "n0", "m", "m", "n7"]) == [-1, -1, 0, 0, -1])
    #expect(heads(["n0", "m", "n7"]) == [1, 0, 2])
    #expect(heads(["o", "o", "m", "m", "n7"]) == [-1, 3, 0, 0, 2])
  }

  /// Tables whose lines begin alike, with heads of all lengths about the limits, more of them than are compared, lines that are
  /// blank, cut or quoted, and blocks that end anywhere.
  @Test(arguments: 0..<60)
  func linesThatBeginAlikeAreSplitLikeOthers(_ seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let lengths = [0, 1, 8, 25, 26, 27, 28, 29, 40, 58, 90, 505, 506, 507, 508, 600]
    let ending = seed % 3 == 0 ? "\r\n" : "\n"
    let heads = (0..<(seed % 5 == 0 ? 40 : 1 + seed % 9)).map { number in
      let name = String(repeating: "n", count: lengths.randomElement(using: &random) ?? 0)
      return "a\(number % 3),\(name),b\(number)"
    }
    var text = ""
    for _ in 0..<(seed % 2 == 0 ? 60 : 700) {
      let head = heads.randomElement(using: &random) ?? ""
      let others = (0..<Int.random(in: 0...30, using: &random)).map { ",\($0 * 7 % 1000)" }.joined()
      switch Int.random(in: 0...40, using: &random) {
      case 0: text += ending
      case 1: text += head + ending
      case 2: text += String(head.dropLast(Int.random(in: 0...3, using: &random))) + ending
      case 3 where seed % 4 == 0: text += "\"\(head)\",5\(others)" + ending
      case 4 where seed % 4 == 0: text += "\(head),\"5,\(others)" + ending
      case 5: text += head + String(repeating: ",", count: 300) + ending
      default: text += head + (seed % 2 == 0 ? others : ",1.5,2.25,NA,-3,1000.125") + ending
      }
    }
    if seed % 7 == 0 { text.removeLast(ending.utf8.count > 1 ? 1 : 1 + seed % 5) }
    let plain = try read(text, headColumns: 0, window: 512 << (seed % 6))
    let byHeads = try read(text, headColumns: 3, window: 512 << (seed % 6))
    let isSame = plain == byHeads
    #expect(isSame)
  }

  /// What a reader finds in a table.
  private struct Split: Equatable {
    var cells: [[String]] = []
    var widths: [Int?] = []
    var identities: [[Int32]] = []
    var firstRows: [[Int32]] = []
  }

  private func read(_ text: String, headColumns: Int, window: Int) throws -> Split {
    var reader = CSVReader(
      try InputFile(bytes: Array(text.utf8)), headColumns: headColumns, windowSize: window)
    var identities = CSVRowIdentities(columns: [0, 1, 2])
    var split = Split()
    while try reader.nextBlock() {
      let block = reader.block
      for row in 0..<block.rowCount {
        split.cells.append((0..<block.cellCount(row)).map { block.text(row, $0) })
      }
      split.widths.append(block.uniformWidth)
      identities.identify(
        (0..<Int32(block.rowCount)).filter { block.cellCount(Int($0)) > 2 }, of: block)
      split.identities.append(identities.ofRows)
      split.firstRows.append(identities.combinations.map(\.row))
    }
    return split
  }
}

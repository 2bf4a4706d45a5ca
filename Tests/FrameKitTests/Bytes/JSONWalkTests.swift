import Testing

@testable import FrameStatistics
@testable import FrameTrace

/// Walking over JSON eight bytes at a time gives the same result as the strict scanner.
@Suite struct JSONWalkTests {
  private static func padded(_ text: [UInt8]) -> [UInt8] {
    text + [UInt8](repeating: UInt8(ascii: "\""), count: 64)
  }

  /// A random JSON text of any kind.
  private static func value(_ random: inout SplitMix64, depth: Int = 0) -> String {
    let pieces = [
      "a", "ü", "\\\"", "\\\\", "\\u00e9", "{", "]", ",", ":", "\\n", " ", "0123456789",
    ]
    switch Int.random(in: 0..<(depth > 3 ? 4 : 6), using: &random) {
    case 0: return ["true", "false", "null"].randomElement(using: &random) ?? "null"
    case 1:
      return ["0", "-0", "12", "-3.25", "1e9", "6.02E+23", "0.5e-3"].randomElement(using: &random)
        ?? "0"
    case 2, 3:
      let count = Int.random(in: 0..<9, using: &random)
      return "\"" + (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        + "\""
    case 4:
      let count = Int.random(in: 0..<4, using: &random)
      return "[" + (0..<count).map { _ in value(&random, depth: depth + 1) }.joined(separator: " ,")
        + "]"
    default: return object(&random, depth: depth + 1)
    }
  }

  private static func object(_ random: inout SplitMix64, depth: Int = 0) -> String {
    let count = Int.random(in: 0..<5, using: &random)
    let members = (0..<count).map { _ in
      "\"\(["ts", "name", "args", "a longer key", ""].randomElement(using: &random) ?? "")\""
        + ([":", " : ", ":\t"].randomElement(using: &random) ?? ":")
        + value(&random, depth: depth + 1)
    }
    return "{ " + members.joined(separator: ", ") + "}"
  }

  @Test(arguments: 0..<400) func whatIsJSONIsFoundAsTheScannerFindsIt(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let text = Array(Self.object(&random).utf8)
    var scanner = JSONScanner(text, text.indices)
    var expected: [JSONScanner.Member] = []
    try scanner.object(into: &expected)
    let bytes = Self.padded(text)
    var members = JSONMembers()
    #expect(try members.read(bytes.span, from: 0, before: text.count) == text.count)
    #expect(members.list.map(\.key) == expected.map(\.key))
    #expect(members.list.map(\.value.range) == expected.map(\.value.range))
    #expect(members.list.map(\.value.kind) == expected.map(\.value.kind))
    // A truncated text is always recognized as truncated.
    for count in 0..<text.count {
      #expect(throws: JSONWalk.Stop.cut) {
        var members = JSONMembers()
        _ = try members.read(bytes.span, from: 0, before: count)
      }
    }
  }

  /// Objects one after the other, which are alike in different ways, read with the same memory.
  @Test(arguments: 0..<200) func whatWasReadBeforeChangesNothing(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let keys = ["ts", "name", "cat", "id", "args1", "args12", "a\\n", "ü", "", "a longer key"]
    let texts = [0, 1, 2, 29, 30, 31, 32, 33, 61, 62, 63, 64, 65, 200].map {
      "\"" + String(repeating: "x", count: $0) + "\""
    }
    let others = [
      "\"\\\"\"", "\"ab\\\\\"", "0", "12", "-12", "123456", "1234567", "12345678",
      "123456789012345",
      "1234567890123456", "1.5", "{}", "{ }", "[]", "[12]", "{\"local\":\"0x1\"}", "{\"a\":\"}\"}",
      "true",
      // The longest that are compared as a whole, and those one longer.
      "{\"a\":\"12345678901234\"}", "{\"a\":\"123456789012345\"}", "{\"a\":\"123456789012346\"}",
      "{\"a\":\"1234567890123456\"}", "{\"a\":\"1234567890123457\"}", "[123456789,123456789,12]",
      "false", "null", "{\"local\":\"0x1\"} ", " 12", "12 ", "[[]]",
    ]
    let values = texts + others
    var usual = (0..<6).map { _ in
      (keys.randomElement(using: &random) ?? "", values.randomElement(using: &random) ?? "")
    }
    var members = JSONMembers()
    for _ in 0..<20 {
      // A member of the next object is another one.
      let changed = usual.indices.randomElement(using: &random) ?? 0
      if Bool.random(using: &random) {
        usual[changed].1 = values.randomElement(using: &random) ?? ""
      } else if Bool.random(using: &random) {
        usual[changed].0 = keys.randomElement(using: &random) ?? ""
      }
      let colon = [":", ": ", " :", ":\t", ":  "].prefix(seed % 2 == 0 ? 1 : 5)
      let written = usual.prefix(Int.random(in: 4...6, using: &random)).map {
        "\"\($0)\"\(colon.randomElement(using: &random) ?? ":")\($1)"
      }
      let comma = seed % 4 < 2 ? "," : ", "
      var text = Array("{\(written.joined(separator: comma))}".utf8)
      if Int.random(in: 0..<3, using: &random) == 0 {
        let position = text.indices.randomElement(using: &random) ?? 0
        text[position] = Array("{}[],:\"\\x0-. \u{1}\n".utf8).randomElement(using: &random) ?? 0
      }
      let bytes = Self.padded(text)
      let count = Int.random(in: 0..<3, using: &random) > 0 ? text.count : text.count - 1
      // What was read before is not known here.
      var fresh = JSONMembers()
      let expected = Result { () throws(JSONWalk.Stop) in
        try fresh.read(bytes.span, from: 0, before: count)
      }
      let found = Result { () throws(JSONWalk.Stop) in
        try members.read(bytes.span, from: 0, before: count)
      }
      #expect(found == expected)
      #expect(members.list.map(\.key) == fresh.list.map(\.key))
      #expect(members.list.map(\.value.range) == fresh.list.map(\.value.range))
      #expect(members.list.map(\.value.kind) == fresh.list.map(\.value.kind))
    }
  }

  /// A key that comes again with a value of another form, or with other blanks before it, on both sides of what is
  /// expected of a value.
  @Test func valuesOfAKeyChange() throws {
    let texts = [0, 1, 62, 63, 64, 65].map { "\"" + String(repeating: "x", count: $0) + "\"" }
    let numbers = ["7", "71", "123456789012345", "1234567890123456", "12345678901234567890123"]
    let others = ["\"1234567890123456789012\"", "[1234567890123456789012]", "{\"a\":1}", "true"]
    var members = JSONMembers()
    for blanks in [
      ["", ""], [" ", " "], ["", " "], [" ", ""], ["  ", ""], ["", "  "], ["\n", " "],
    ] {
      for first in texts + numbers + others {
        for second in texts + numbers + others {
          for (blank, value) in zip(blanks, [first, second]) {
            let text = Array("{\"key\":\(blank)\(value),\"b\":1}".utf8)
            _ = try members.read(Self.padded(text).span, from: 0, before: text.count + 1)
            let start = 7 + blank.utf8.count
            #expect(members.count == 2 && members[0].key == 2..<5)
            #expect(members[0].value.range == start..<start + value.utf8.count)
          }
        }
      }
    }
  }

  /// Nested values of random pieces, valid and not, end where a walk over each byte finds their end.
  @Test(arguments: 0..<60) func nestedValuesEndWhereTheyDoByteByByte(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let pieces = [
      "{", "}", "[", "]", "\"", "\"a long text that fills most of a block\"", "\"{]\"", "12, ",
      "\\", "\\\"",
      "\"\\\"\"", "\"\\u00e9\"", "\u{1}", "\"\u{1f}\"", "\n", ":", "\"\"", "\"}\"",
      "{\"local\":\"0x1\"}",
    ]
    for _ in 0..<200 {
      let count = Int.random(in: 0..<24, using: &random)
      let first = Bool.random(using: &random) ? "{" : "["
      let inner = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      // Half of them are closed.
      let text = Array("\(first)\(inner)\(Bool.random(using: &random) ? "}" : "]")".utf8)
      let bytes = Self.padded(text)
      let end = Int.random(in: 1...text.count, using: &random)
      let found = Result { () throws(JSONWalk.Stop) in
        try JSONWalk.nested(bytes.span, 0, before: end)
      }
      #expect(
        found == Self.nestedEnd(bytes, before: end), "\(String(decoding: text, as: UTF8.self))")
    }
  }

  /// The end of a nested value, found byte by byte.
  private static func nestedEnd(_ bytes: [UInt8], before end: Int) -> Result<Int, JSONWalk.Stop> {
    var open: [UInt8] = []
    var position = 0
    while position < end {
      switch bytes[position] {
      case UInt8(ascii: "{"): open.append(UInt8(ascii: "}"))
      case UInt8(ascii: "["): open.append(UInt8(ascii: "]"))
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard open.popLast() == bytes[position] else { return .failure(.odd) }
        if open.isEmpty { return .success(position + 1) }
      case UInt8(ascii: "\""):
        position += 1
        while true {
          guard position < end else { return .failure(.cut) }
          if bytes[position] == UInt8(ascii: "\"") { break }
          guard bytes[position] >= 0x20 else { return .failure(.odd) }
          if bytes[position] == UInt8(ascii: "\\") {
            guard position + 1 < end else { return .failure(.cut) }
            if bytes[position + 1] == UInt8(ascii: "u") {
              guard position + 6 <= end else { return .failure(.cut) }
              guard
                bytes[position + 2..<position + 6].allSatisfy({
                  Character(UnicodeScalar($0)).isHexDigit
                })
              else { return .failure(.odd) }
              position += 4
            } else if !"\"\\/bfnrt".utf8.contains(bytes[position + 1]) {
              return .failure(.odd)
            }
            position += 1
          }
          position += 1
        }
      default: break
      }
      position += 1
    }
    return .failure(.cut)
  }

  /// Objects with many members before and after those with few.
  @Test func objectsHaveAnyNumberOfMembers() throws {
    var members = JSONMembers()
    for count in [0, 3, 31, 32, 33, 0, 5000, 64, 65, 2, 5001] {
      let text = "{\((0..<count).map { "\"k\($0 % 7)\":\($0)" }.joined(separator: ","))}"
      let bytes = Self.padded(Array(text.utf8))
      #expect(try members.read(bytes.span, from: 0, before: text.utf8.count) == text.utf8.count)
      let values = members.list.map { String(decoding: bytes[$0.value.range], as: UTF8.self) }
      #expect(members.count == count && values == (0..<count).map(String.init))
    }
  }

  /// A part of an element that is skipped is not judged, however long the element is.
  @Test(arguments: [10, 200_000, 400_000, 1_000_000, 1_100_000, 2_500_000])
  func whatIsSkippedIsNotJudgedByLength(_ length: Int) throws {
    let long = "{\"name\":\"a\",\"x\":[NaN,\"\(String(repeating: "z", count: length))\"]}"
    let text = "[\(long),{},\(long),\n\(long)]"
    var elements = JSONElements(try InputFile(bytes: Array(text.utf8)), member: "traceEvents")
    var members = JSONMembers()
    var counts: [Int] = []
    while let element = try elements.next(into: &members) {
      #expect(element.count == (members.count == 0 ? 2 : long.utf8.count))
      counts.append(members.count)
    }
    #expect(counts == [2, 0, 2, 2])
  }

  /// A quote, a backslash or a control character at any position in a text.
  @Test func textsEndWhereTheirQuoteIs() throws {
    for length in 0..<100 {
      for position in 0..<length {
        for special: UInt8 in [0x00, 0x1f, 0x20, 0x22, 0x5c, 0x7f, 0x80, 0xff] {
          var text = [UInt8](repeating: UInt8(ascii: "a"), count: length)
          text[position] = special
          let bytes = Self.padded([UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")])
          let end = Result { () throws(JSONWalk.Stop) in
            try JSONWalk.text(bytes.span, 0, before: length + 2)
          }
          switch special {
          case 0x22: #expect(end == .success(position + 2))
          case 0x00, 0x1f: #expect(end == .failure(.odd))
          // Before its quote, a backslash makes the text go on.
          case 0x5c: #expect(end == .failure(position == length - 1 ? .cut : .odd))
          default: #expect(end == .success(length + 2))
          }
        }
      }
    }
  }

  /// Text that the scanner rejects is reported as odd, or is inside a nested value that was not
  /// examined.
  @Test(arguments: 0..<400) func whatIsNoJSONIsNotTaken(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var text = Array(Self.object(&random).utf8)
    let position = Int.random(in: 0..<text.count, using: &random)
    text[position] = Array("{}[],:\"\\x0-. ".utf8).randomElement(using: &random) ?? 0
    var members = JSONMembers()
    let bytes = Self.padded(text)
    let end = try? members.read(bytes.span, from: 0, before: text.count)
    guard let end, end == text.count else { return }
    var scanner = JSONScanner(text, text.indices)
    var expected: [JSONScanner.Member] = []
    let isJSON = (try? scanner.object(into: &expected)) != nil
    let isNested = members.list.contains { $0.value.kind == .object || $0.value.kind == .array }
    #expect(isJSON || isNested)
    if isJSON { #expect(members.list.map(\.value.range) == expected.map(\.value.range)) }
  }

  @Test func elementsAreTheSameHoweverTheyCome() throws {
    var random = SplitMix64(seed: 5)
    let objects = (0..<300).map { _ in Self.object(&random) } + ["12", "[{}]", "{\"a\": x}"]
    let text =
      "{\"other\": [1, {\"b\": \"]\"}], \"traceEvents\": [\n"
      + objects.joined(separator: ",\n") + "\n]}"
    var elements = try JSONElements(InputFile(bytes: Array(text.utf8)), member: "traceEvents")
    var members = JSONMembers()
    var found: [String] = []
    var odd = 0
    while let element = try elements.next(into: &members) {
      found.append(String(decoding: elements.bytes[element], as: UTF8.self))
      var scanner = JSONScanner(elements.bytes, element)
      var expected: [JSONScanner.Member] = []
      let isObject = (try? scanner.object(into: &expected)) != nil
      if members.list.isEmpty, !isObject { odd += 1 }
      #expect(isObject || members.list.isEmpty)
      #expect(members.list.count == expected.count || !isObject)
    }
    #expect(found == objects && odd == 3 && !elements.isCut)
  }
}

/// Key tables made from a file agree with those of the standard library.
@Suite struct KeyTableTests {
  @Test(arguments: 0..<20) func pairsAreKept(_ seed: UInt64) {
    struct Key: Hashable { let first, second: Int64 }
    var random = SplitMix64(seed: seed)
    var table = PairTable()
    var expected: [Key: Int32] = [:]
    let numbers: [Int64] = [0, 1, -1, .max, .min, 1 << 40, 12, 13]
    for step in 0..<5000 {
      let pick = { (random: inout SplitMix64) -> Int64 in
        Bool.random(using: &random)
          ? numbers.randomElement(using: &random) ?? 0 : .random(in: 0..<500, using: &random)
      }
      let key = Key(first: pick(&random), second: pick(&random))
      if Int.random(in: 0..<3, using: &random) == 0 {
        #expect(table.remove(key.first, key.second) == expected.removeValue(forKey: key))
      } else {
        table[key.first, key.second] = Int32(step)
        expected[key] = Int32(step)
      }
      #expect(table[key.first, key.second] == expected[key] && table.count == expected.count)
    }
    #expect(expected.allSatisfy { table[$0.key.first, $0.key.second] == $0.value })
  }

  /// Keys that come and go take the memory of those that are there at once.
  @Test(arguments: [1, 16, 17, 1000] as [Int64]) func memoryOfRemovedKeysIsUsedAgain(_ step: Int64)
  {
    var table = PairTable()
    for key in 0..<20_000 as Range<Int64> {
      table[3, key * step] = Int32(key)
      if key >= 50 { #expect(table.remove(3, (key - 50) * step) == Int32(key - 50)) }
    }
    #expect(table.count == 50 && table.fill.count <= 128)
    #expect((19_950..<20_000 as Range<Int64>).allSatisfy { table[3, $0 * step] == Int32($0) })
    #expect(table[3, 19_949 * step] == nil && table[4, 19_950 * step] == nil)
  }

  /// Keys that share nothing, and keys that differ only in their highest bits.
  @Test(arguments: [1, 97, 1 << 20, 1 << 44, 1 << 50] as [Int64])
  func distantKeysAreKept(_ step: Int64) {
    var table = PairTable()
    for key in 0..<3000 as Range<Int64> {
      table[key &* step, key] = Int32(key)
      table[7, key &* step] = Int32(key)
    }
    for key in 0..<3000 as Range<Int64> {
      #expect(table[key &* step, key] == Int32(key))
      #expect(table[7, key &* step] == Int32(key))
    }
  }

  /// Lists have each element where it was appended, on both sides of the ends of pieces.
  @Test(arguments: [0, 1, 2047, 2048, 2049, 4096, 4097, 20_000])
  func listsGrowPieceByPiece(_ count: Int) {
    var list = PieceList<Int>()
    for number in 0..<count {
      list.append(number * 7)
      if number % 1000 == 0 { #expect(list.count == number + 1 && list[number] == number * 7) }
    }
    let copy = list
    list.append(-1)
    #expect(copy.count == count && copy.indices.map { copy[$0] } == (0..<count).map { $0 * 7 })
    #expect(list.count == count + 1 && list[count] == -1)
    // What changes in a full piece and in the last one does not change in the copy.
    let changed = Set([0, 2047, 2048, count].filter { $0 < list.count })
    for position in changed { list[position] += 1 }
    let areChanged = list.indices.allSatisfy {
      list[$0] == ($0 == count ? -1 : $0 * 7) + (changed.contains($0) ? 1 : 0)
    }
    let areKept = copy.indices.allSatisfy { copy[$0] == $0 * 7 }
    #expect(areChanged && areKept)
  }

  @Test(arguments: 0..<20) func textsAreNumberedAsTheyCome(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var table = ByteTable()
    var expected: [String] = []
    for _ in 0..<2000 {
      let length = Int.random(in: 0..<20, using: &random)
      let text = (0..<length).map { _ in ["a", "b", "ü"].randomElement(using: &random) ?? "" }
        .joined()
      let kind = UInt64.random(in: 0..<2, using: &random)
      let bytes = Array("x\(text)y".utf8) + [UInt8](repeating: 0, count: 8)
      let number = table.number(bytes.span, 1..<1 + text.utf8.count, kind: kind)
      let name = "\(kind)\(text)"
      if number == expected.count { expected.append(name) }
      #expect(expected[number] == name && table.text(number) == text)
    }
    #expect(table.count == expected.count && Set(expected).count == expected.count)
  }

  /// Texts of the same length and ends, of several kinds, one after the other and again.
  @Test func similarTextsAreToldApart() {
    var table = ByteTable()
    let texts = (0..<200).map { "a\($0 + 100)z" } + ["", "a", "az"]
    for _ in 0..<2 {
      for kind in UInt64(0)..<2 {
        for (position, text) in texts.enumerated() {
          let bytes = Array(text.utf8) + [UInt8](repeating: 0, count: 8)
          for _ in 0..<2 {
            let number = table.number(bytes.span, 0..<text.utf8.count, kind: kind)
            #expect(number == position + Int(kind) * texts.count && table.text(number) == text)
          }
        }
      }
    }
  }

  @Test(arguments: [
    "", "a", "12345678", "123456789", "chrome_frame_reporter", "abcdefghijklmnopqrstuvwxyz",
  ])
  func namesAreComparedInFull(_ name: String) {
    let own = ByteName(name.utf8)
    for other in [name, name + "x", String(name.dropLast()), String(name.reversed())] {
      let bytes = Array(other.utf8) + [UInt8](repeating: 120, count: 40)
      #expect(bytes.span.holds(own, in: 0..<other.utf8.count) == (other == name))
      #expect(bytes.span.begins(own, in: 0..<other.utf8.count) == other.hasPrefix(name))
      #expect((ByteName(other.utf8) == own) == (other == name))
    }
  }
}

@Suite struct WordTests {
  /// The digits at the start of a word, whatever bytes follow.
  @Test func digitsOfAWordAreCounted() {
    for byte in UInt8.min...UInt8.max {
      for count in 0..<8 {
        let digits: [UInt8] = [0x30, 0x39, 0x35, 0x31, 0x38, 0x37, 0x32, 0x33]
        let bytes = Array(digits.prefix(count)) + [byte] + [UInt8](repeating: 0xb9, count: 16)
        let isDigit = (0x30...0x39).contains(byte)
        #expect(bytes.span.word(at: 0).digitCount == (isDigit ? count + 1 : count))
      }
    }
    #expect(Array("0123456789".utf8).span.word(at: 0).digitCount == 8)
  }
}

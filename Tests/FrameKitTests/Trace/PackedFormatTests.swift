import Fixtures
import FrameStatistics
import Testing

@testable import FrameImporters
@testable import FrameTrace

/// The packed form gives back what was packed, and survives damage.
@Suite struct PackedFormatTests {
  private static func native(_ bytes: [UInt8]) throws -> [UInt8] {
    NativeEncoder().encode(try Importers.read(InputFile(bytes: bytes)))
  }

  /// Two surfaces, touches, extra columns of each kind and marks, over more rows than a block has.
  private static func trace(frames: Int, marks: Int = 3) throws -> Trace {
    var random = SplitMix64(seed: 5)
    var lines = [#"{"schema": "frametool.trace/1", "unit": "ns"}"#]
    for surface in ["one", "two"] { lines.append(#"{"type": "surface", "id": "\#(surface)"}"#) }
    for frame in 0..<frames {
      let start = Int64(frame) * 16_666_667 + Int64.random(in: 0...90_000, using: &random)
      let work = Int64.random(in: 2_000_000...9_000_000, using: &random)
      let gpu = frame % 7 == 3 ? "" : #""gpuStart": \#(start + work), "#
      let extra =
        #"{"clock": \#(1800 + frame % 40), "heat": \#(61 + Double(frame % 30) / 10), "odd": \#(Double(frame) / 7), "mode": "m\#(frame % 5)"}"#
      lines.append(
        #"{"type": "frame", "surface": "\#(frame % 3 == 0 ? "two" : "one")", "id": \#(frame), "appStart": \#(start), \#(gpu)"commit": \#(start + work), "extra": \#(extra)}"#
      )
    }
    for mark in 0..<marks {
      lines.append(#"{"type": "marker", "name": "mark \#(mark)", "start": \#(mark * 1000)}"#)
    }
    lines.append(
      #"{"type": "touch", "delivered": 5, "surface": "two", "frame": \#(frames / 3 * 3 - 3)}"#)
    return try Importers.read(InputFile(bytes: Array(lines.joined(separator: "\n").utf8)))
  }

  @Test func whatWasPackedIsReadAgain() throws {
    let trace = try Self.trace(frames: 500)
    #expect(try Self.native(PackedEncoder().encode(trace)) == NativeEncoder().encode(trace))
  }

  @Test func rowsOfSeveralBlocksAreOneTable() throws {
    let trace = try Self.trace(frames: 12, marks: 2 * PackedFormat.mostRows + 5)
    let packed = PackedEncoder().encode(trace)
    #expect(try Self.native(packed) == NativeEncoder().encode(trace))
    #expect(packed.count < NativeEncoder().encode(trace).count / 5)
  }

  /// Numbers that need every form: constant, in steps, in even steps, sparse, at the ends of what 64 bits hold.
  private static func numbers(_ random: inout SplitMix64) -> [Int64] {
    let count = Int.random(in: 0...40, using: &random)
    let bits = Int.random(in: 0...63, using: &random)
    let unit = Int64.random(in: 1...3, using: &random)
    var sum = Int64.random(in: -9...9, using: &random)
    let kind = Int.random(in: 0...4, using: &random)
    return (0..<count).map { index in
      if kind > 2, Int.random(in: 0...3, using: &random) == 0 { return IntegerColumn.missing }
      let bound = Int64.max >> Int64(63 - bits)
      let value = Int64.random(in: -bound...bound, using: &random) &* unit
      switch kind {
      case 0: return value
      case 1: sum &+= value
      case 2: return Int64(index) &* unit &+ 7
      case 3: return [Int64.max, .min + 1, 0].randomElement(using: &random) ?? 0
      default: return value
      }
      return sum == IntegerColumn.missing ? 0 : sum
    }
  }

  @Test func anyColumnIsGivenBack() throws {
    var random = SplitMix64(seed: 3)
    for _ in 0..<3000 {
      let values = Self.numbers(&random)
      var output = PackedBytes()
      PackedColumn.write(values, to: &output)
      var input = PackedCursor(output.bytes, budget: 1 << 20)
      let read = try PackedColumn.read(values.count, from: &input)
      #expect(read == values)
      #expect(input.isAtEnd)
    }
  }

  @Test func aColumnThatFollowsFromOthersTakesNothing() throws {
    var random = SplitMix64(seed: 4)
    let times = (0..<4096).map { Int64($0) * 8_333_333 }
    let one = times.map { _ in Int64.random(in: 0...8_000_000, using: &random) }
    let other = times.map { _ in Int64.random(in: 0...8_000_000, using: &random) }
    let known = [one, other].map { PackedPrediction.Known(values: $0, isTime: true) }
    var next = [Int64](repeating: 5, count: one.count)
    for row in 0..<next.count - 1 { next[row] = one[row + 1] + times[row + 1] - times[row] }
    let cases: [(values: [Int64], most: Int)] = [
      (one, 40), (one.indices.map { one[$0] - other[$0] }, 40), (next, 60),
      (Array(one.reversed()), 20_000),
    ]
    for (values, most) in cases {
      var output = PackedBytes()
      PackedPrediction.write(values, known, times, to: &output)
      #expect(output.bytes.count < most)
      var input = PackedCursor(output.bytes, budget: 1 << 20)
      #expect(try PackedPrediction.read(known, times, from: &input) == values)
    }
  }

  /// The difference of the two is 2^63, which stands for "missing".
  @Test func aDifferenceThatMeansMissingIsNotWritten() throws {
    let values = [Int64](repeating: 1 << 62, count: 300)
    let base = [Int64](repeating: -(1 << 62), count: 300)
    let known = [PackedPrediction.Known(values: base, isTime: false)]
    var output = PackedBytes()
    PackedPrediction.write(values, known, values, to: &output)
    var input = PackedCursor(output.bytes, budget: 1 << 20)
    #expect(try PackedPrediction.read(known, values, from: &input) == values)
  }

  @Test(arguments: [
    [0.1, 12.34, .nan, -7], [1e300, 2.5e-300], [1.0 / 3, 2], [0, 1e15],
    [123_456.789_012, 0.000_001],
  ])
  func fractionsKeepAllTheirBits(_ numbers: [Double]) throws {
    let bits = numbers.map(PackedReals.bits)
    var output = PackedBytes()
    PackedReals.write(bits, to: &output)
    var input = PackedCursor(output.bytes, budget: 1 << 20)
    #expect(try PackedReals.read(bits.count, from: &input) == bits)
  }

  @Test func anInfiniteNumberIsDamage() throws {
    var output = PackedBytes()
    PackedReals.write([Int64(bitPattern: Double.infinity.bitPattern)], to: &output)
    var input = PackedCursor(output.bytes, budget: 1 << 20)
    #expect(throws: PackedCursor.Damage.self) { try PackedReals.read(1, from: &input) }
  }

  @Test func aCutFileKeepsItsWholeBlocks() throws {
    let packed = PackedEncoder().encode(try Self.trace(frames: 60))
    var partly = 0
    for size in 0..<packed.count {
      guard let trace = try? Importers.read(InputFile(bytes: Array(packed[..<size]))) else {
        continue
      }
      partly += 1
      #expect(trace.issues.contains { $0.kind == .cutOff && $0.severity == .dataLoss })
    }
    #expect(partly > 0)
  }

  @Test func aDamagedBlockIsLeftOutAndCounted() throws {
    let whole = try Self.trace(frames: 60)
    let packed = PackedEncoder().encode(whole)
    var (smaller, withMarks) = (0, 0)
    for position in packed.indices {
      var broken = packed
      broken[position] ^= 0x10
      guard let trace = try? Importers.read(InputFile(bytes: broken)) else { continue }
      #expect(trace.issues.contains { $0.severity == .dataLoss }, "byte \(position)")
      guard trace.frameCount < whole.frameCount else { continue }
      smaller += 1
      withMarks += trace.markers.count == whole.markers.count ? 1 : 0
    }
    #expect(smaller > 100)
    // Only the sizes of blocks have to be right to find those after a damaged one.
    #expect(smaller - withMarks < 40, "\(withMarks) of \(smaller)")
  }

  /// With checksums that are right, so that the content itself has to be checked.
  @Test func contentThatIsNoTraceIsLeftOut() throws {
    let packed = PackedEncoder().encode(try Self.trace(frames: 12))
    var random = SplitMix64(seed: 8)
    for _ in 0..<4000 {
      var bytes = packed
      var start = PackedFormat.signature.count + 1
      while start < bytes.count - PackedFormat.blockHead {
        let content = start + PackedFormat.blockHead
        let size = (1...4).reversed().reduce(0) { $0 << 8 | Int(bytes[start + $1]) }
        // The facts are text, which is checked as such.
        if bytes[start] == PackedFormat.Kind.rows.rawValue {
          bytes[content + Int.random(in: 0..<size, using: &random)] = .random(
            in: 0...255, using: &random)
          let sum = Checksum.of(Array(bytes[content..<content + size]))
          for byte in 0..<4 {
            bytes[start + 5 + byte] = UInt8(truncatingIfNeeded: sum >> (8 * byte))
          }
        }
        start = content + size
      }
      // Whatever is read can be analyzed and written.
      if let trace = try? Importers.read(InputFile(bytes: bytes)) {
        _ = NativeEncoder().encode(trace)
      }
    }
  }

  @Test func aLaterVersionSaysSo() throws {
    var packed = PackedEncoder().encode(try Self.trace(frames: 12))
    packed[PackedFormat.signature.count] = 2
    let error = #expect(throws: ParseError.self) {
      try Importers.read(InputFile(bytes: packed, path: "a.ftz"))
    }
    #expect(error?.description == "a.ftz: byte 8: expected version 1, found 2")
  }

  /// A file of facts and one block of rows.
  private static func file(
    _ record: String, owner: UInt64 = 0, rows: UInt64, surfaces: [String] = [],
    _ columns: (inout PackedBytes) -> Void
  ) -> [UInt8] {
    var facts = PackedBytes()
    let lines =
      [#"{"schema": "frametool.trace/1"}"#]
      + surfaces.map { #"{"type": "surface", "id": "\#($0)"}"# }
    facts.add(compressed: Array(lines.joined(separator: "\n").utf8))
    var content = PackedBytes()
    content.add(record)
    content.add(varint: owner)
    content.add(varint: rows)
    columns(&content)
    var file = PackedFormat.signature + [PackedFormat.version]
    for (kind, bytes) in [(UInt8(1), facts.bytes), (2, content.bytes), (0, [])] {
      file.append(kind)
      for number in [UInt32(bytes.count), Checksum.of(bytes)] {
        for shift in [0, 8, 16, 24] {
          file.append(UInt8(truncatingIfNeeded: number >> UInt32(shift)))
        }
      }
      file += bytes
    }
    return file
  }

  private static func addNoTexts(_ output: inout PackedBytes) {
    output.add(varint: 0)
    output.add(compressed: [])
  }

  /// Marks at 5 and 6 ns, with one more column.
  private static func marks(
    _ key: String, _ content: PackedRows.Content, _ values: [Int64], record: String = "marker",
    surfaces: [String] = []
  ) throws -> Trace {
    let bytes = file(record, rows: 2, surfaces: surfaces) { output in
      addNoTexts(&output)
      PackedColumn.write([5, 6], to: &output)
      output.add(varint: 2)
      output.add(record == "touch" ? "delivered" : "start")
      output.add(PackedRows.Content.times.rawValue)
      output.add(0)
      PackedColumn.write([0, 0], to: &output)
      output.add(key)
      output.add(content.rawValue)
      output.add(0)
      PackedColumn.write(values, to: &output)
      output.add(varint: 0)
    }
    return try Importers.read(InputFile(bytes: bytes))
  }

  @Test func whatALaterVersionAddsIsCounted() throws {
    let trace = try Self.marks("color", .numbers, [1, 2])
    #expect(trace.markers.count == 2)
    #expect(trace.issues.map(\.message) == [#"marker records with the unknown key "color""#])
    let words = try Self.marks("kind", .numbers, [0, 99], record: "touch")
    #expect(words.touches.count == 2 && words.touches[1, .kind] == nil)
    #expect(words.issues.first?.message.hasPrefix("kind: expected ") == true)
    let records = Self.file("smell", rows: 1) { $0.add(1) }
    #expect(throws: ParseError.self) { try Importers.read(InputFile(bytes: records)) }
  }

  @Test(arguments: [
    ("surface", Int64(0), [String]()), ("surface", 1, ["a"]), ("surface", -1, ["a"]),
  ])
  func aSurfaceThatDoesNotExistIsDamage(_ key: String, _ index: Int64, _ surfaces: [String]) throws
  {
    #expect(throws: ParseError.self) {
      try Self.marks(key, .numbers, [index, index], record: "touch", surfaces: surfaces)
    }
    let known = try Self.marks(key, .numbers, [0, 0], record: "touch", surfaces: ["a"])
    #expect(known.touches[0, .surface] == 0)
  }

  @Test func aFrameThatDoesNotExistIsLost() throws {
    let trace = try Self.marks("frame", .numbers, [0, 7], record: "touch", surfaces: ["a"])
    #expect(trace.touches.count == 2 && trace.touches[1, .frame] == nil)
    #expect(trace.issues.contains { $0.kind == .brokenReference && $0.count == 2 })
  }

  /// Counts and sizes that promise more than the file has cost no memory.
  @Test func sizesThatAreNotTrueAreDamage() {
    let lies: [(inout PackedBytes) -> Void] = [
      { $0.add(varint: 1 << 40) },
      { output in
        output.add(varint: 1 << 28)
        output.add(compressed: [1, 65])
      },
      { output in
        let packed = Deflated.zstd([1, 65])
        output.add(varint: 1)
        output.add(varint: 1 << 27)
        output.add(varint: UInt64(packed.count))
        for byte in packed { output.add(byte) }
      },
      { output in
        Self.addNoTexts(&output)
        PackedColumn.write([5, 6], to: &output)
        output.add(varint: 1 << 20)
      },
    ]
    for lie in lies {
      let bytes = Self.file("marker", rows: 2, lie)
      #expect(throws: ParseError.self) { try Importers.read(InputFile(bytes: bytes)) }
    }
  }

  @Test func constantColumnsCountAsMemory() throws {
    let bytes = Self.file("frame", owner: 1, rows: UInt64(PackedFormat.mostRows), surfaces: ["a"]) {
      Self.addNoTexts(&$0)
      PackedColumn.write([Int64](repeating: 5, count: PackedFormat.mostRows), to: &$0)
      $0.add(varint: 0)
      $0.add(varint: 4000)
      for column in 0..<4000 {
        $0.add("x\(column)")
        $0.add("")
        $0.add(PackedRows.Content.numbers.rawValue)
        PackedColumn.write([Int64](repeating: 7, count: PackedFormat.mostRows), to: &$0)
      }
    }
    #expect(throws: ParseError.self) { try Importers.read(InputFile(bytes: bytes)) }
  }

  @Test func dataAfterTheEndIsTold() throws {
    let packed = PackedEncoder().encode(try Self.trace(frames: 12))
    let trace = try Importers.read(InputFile(bytes: packed + packed))
    #expect(trace.frameCount == 12)
    #expect(trace.issues.map(\.message) == ["data after the end of the trace"])
  }

  @Test func longTextsAreSpreadOverBlocks() throws {
    let name = String(repeating: "long ", count: PackedRowsWriter.mostText / 100)
    var lines = [#"{"schema": "frametool.trace/1"}"#]
    for mark in 0..<24 {
      lines.append(#"{"type": "marker", "name": "\#(mark) \#(name)", "start": \#(mark)}"#)
    }
    let trace = try Importers.read(InputFile(bytes: Array(lines.joined(separator: "\n").utf8)))
    #expect(try Self.native(PackedEncoder().encode(trace)) == NativeEncoder().encode(trace))
  }
}

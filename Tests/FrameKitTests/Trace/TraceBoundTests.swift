import Testing

@testable import Fixtures
@testable import FrameImporters
@testable import FrameTrace

/// One bound on times, lengths and counts for every format, and one treatment of kept columns.
@Suite struct TraceBoundTests {
  private static let provenance = Provenance(
    file: "memory", importer: "test", format: "test", reason: "made here", compression: nil)

  /// Whatever an importer writes into a row, a value beyond the bound is missing, counted, and does
  /// no harm.
  @Test(arguments: [.max, .min + 1, (1 << 61) + 1, -(1 << 61) - 1] as [Int64])
  func absurdTimesAreLeftOut(_ absurd: Int64) throws {
    var builder = TraceBuilder(Self.provenance)
    let position = builder.surface("main") { Surface(id: "main") }
    for number in 0..<4 as Range<Int64> {
      var row = Table<FrameColumn>.Row()
      row[.identifier] = absurd
      row[.appStart] = number == 2 ? absurd : number * 16_000_000
      row[.commit] = number * 16_000_000 + 5_000_000
      builder.trace.surfaces[position].frames.append(row)
      var touch = Table<TouchColumn>.Row()
      touch[.scanStart] = absurd
      touch[.delivered] = number * 16_000_000
      builder.trace.touches.append(touch)
    }
    let trace = builder.finish()
    let frames = trace.surfaces[0].frames
    #expect((0..<4).map { frames[$0, .appStart] != nil } == [true, true, false, true])
    #expect(trace.touches.valueCount(.scanStart) == 0)
    #expect(trace.issues.map(\.kind) == [.absurdValue] && trace.issues.first?.count == 5)
    // A number that only identifies something may have any value.
    #expect(frames[0, .identifier] == absurd)
    let again = try Importers.read(InputFile(bytes: NativeEncoder().encode(trace)))
    #expect(again.surfaces[0].frames[0, .identifier] == absurd)
  }

  /// Columns with the same name stay distinct, so that none is lost in the native format.
  @Test func columnsOfOneNameAreKept() throws {
    var builder = TraceBuilder(Self.provenance)
    let position = builder.surface("main") { Surface(id: "main") }
    var row = Table<FrameColumn>.Row()
    row[.commit] = 1
    builder.trace.surfaces[position].frames.append(row)
    for value in 0..<3 as Range<Int64> {
      var column = ExtraColumnBuilder(name: "Heat", unit: "C")
      column.append(value)
      builder.trace.surfaces[position].frames.extras.append(column.finish())
    }
    let trace = builder.finish()
    let again = try Importers.read(InputFile(bytes: NativeEncoder().encode(trace)))
    for trace in [trace, again] {
      let extras = trace.surfaces[0].frames.extras
      #expect(extras.map(\.name) == ["Heat", "Heat (2)", "Heat (3)"])
      #expect(extras.map { $0.text(0) } == ["0", "1", "2"])
    }
  }

  /// Thousands of columns are read, each with its values in the right rows.
  @Test func thousandsOfColumnsAreRead() throws {
    var text = "{\"schema\": \"frametool.trace/1\"}\n"
    for frame in 0..<3 {
      let columns = (0..<3000).map { "\"c\($0)\": \(frame * 3000 + $0)" }.joined(separator: ", ")
      text += "{\"type\": \"frame\", \"commit\": \(frame), \"extra\": {\(columns)}}\n"
    }
    let trace = try Importers.read(InputFile(bytes: Array(text.utf8)))
    let extras = trace.surfaces[0].frames.extras
    #expect(extras.count == 3000 && extras[2999].name == "c2999")
    #expect((0..<3).map { extras[2999].text($0) } == ["2999", "5999", "8999"])
  }

  /// A file in which each frame has different columns would take the product of both; it is read as
  /// far as there is room.
  @Test func sparseColumnsTakeNoMoreThanThereIsRoomFor() {
    let bytes = Array("1".utf8)
    let token = JSONScanner.Token(kind: .number, range: 0..<1)
    var extras = NativeExtras(mostGaps: 1000)
    var taken = 0
    for row in 0..<100 where extras.append(token, bytes, name: "c\(row)", row: row, unit: nil) {
      taken += 1
    }
    let columns = extras.finish(100)
    #expect(taken == 45 && extras.count == 45)
    #expect(columns.reduce(0) { $0 + 100 - $1.valueCount } <= 2000 && columns.count == 11)
    #expect(columns[10].text(44) == "1" && columns[10].text(43) == nil)
  }
}

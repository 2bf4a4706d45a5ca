import Fixtures
import Testing

@testable import FrameImporters
@testable import FrameTrace

@Suite struct NativeFormatTests {
  static func encode(_ trace: Trace) -> [UInt8] { NativeEncoder().encode(trace) }

  @Test(arguments: 0..<20)
  func everythingInTheModelSurvives(_ seed: Int) throws {
    let trace = AnyTrace.make(seed: UInt64(seed))
    let bytes = Self.encode(trace)
    let again = try Importers.read(InputFile(bytes: bytes))
    #expect(
      String(decoding: Self.encode(again), as: UTF8.self) == String(decoding: bytes, as: UTF8.self))
    #expect(again.issues == trace.issues)
    #expect(again.surfaces[0].frames.extras.map(\.unit) == [nil, "MHz", nil])
  }

  @Test func everyTableOfTheModelIsWritten() {
    let text = String(decoding: Self.encode(AnyTrace.make(seed: 1)), as: UTF8.self)
    for record in NativeFormat.Record.allCases {
      #expect(text.contains("{\"type\":\"\(record.rawValue)\""), "\(record)")
    }
    for key in FrameColumn.schemas.map(\.key) + TouchColumn.schemas.map(\.key) {
      #expect(text.contains("\"\(key)\":"), "\(key)")
    }
  }

  @Test func aFileWrittenByHandNeedsLittle() throws {
    let trace = try TestData.read(
      text: """
        {"schema": "frametool.trace/1", "unit": "ms"}
        {"type": "frame", "appStart": 0, "commit": 6.25, "displayed": 33.3}

        {"type": "frame", "appStart": 16.7, "commit": 23, "displayed": 50}
        {"type": "touch", "scanStart": 1.5, "delivered": 16.7, "frame": 1, "surface": "main"}
        {"type": "refresh", "time": 33.3}
        """)
    #expect(trace.surfaces.map(\.id) == ["main"])
    #expect(trace.surfaces[0].frames[0, .commit] == 6_250_000)
    #expect(trace.surfaces[0].frames[1, .displayed] == 50_000_000)
    #expect(trace.touches[0, .frame] == 1)
    #expect(trace.displays[0].refreshes[0, .time] == 33_300_000)
    #expect(trace.issues.isEmpty)
  }

  @Test(arguments: [("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000)])
  func timesAreInTheUnitOfTheHeader(_ unit: String, _ factor: Int64) throws {
    let trace = try TestData.read(
      text: """
        {"schema": "frametool.trace/1", "unit": "\(unit)"}
        {"type": "frame", "commit": 7, "gpuBusy": 2}
        """)
    #expect(trace.surfaces[0].frames[0, .commit] == 7 * factor)
    #expect(trace.surfaces[0].frames[0, .gpuBusy] == 2 * factor)
  }

  @Test func framesMayComeInAnyOrderAndReferencesFollowThem() throws {
    let trace = try TestData.read(
      text: """
        {"schema": "frametool.trace/1"}
        {"type": "frame", "id": 8, "commit": 20}
        {"type": "frame", "id": 7, "commit": 10}
        {"type": "touch", "id": 1, "surface": "main", "frame": 8}
        {"type": "touch", "id": 2, "surface": "main", "frame": 99}
        """)
    #expect(trace.surfaces[0].frames[0, .identifier] == 7)
    #expect(trace.touches[0, .frame] == 1)
    #expect(trace.touches[1, .frame] == nil)
    #expect(trace.issues.map(\.kind) == [.brokenReference, .disorder])
  }

  @Test func aCaptureCutOffInTheMiddleOfALineLosesThatLineOnly() throws {
    let trace = try TestData.read(
      text:
        "{\"schema\": \"frametool.trace/1\"}\n{\"type\": \"frame\", \"commit\": 1}\n{\"type\": \"fra"
    )
    #expect(trace.frameCount == 1)
    #expect(trace.issues.map(\.kind) == [.cutOff])
    #expect(trace.issues.first?.first == .line(3))
  }

  @Test func whatIsNotUnderstoodIsCountedWithItsFirstPosition() throws {
    let trace = try TestData.read(
      text: """
        {"schema": "frametool.trace/1"}
        {"type": "frame", "commit": 1, "color": "red", "displayed": "soon"}
        {"type": "frame", "commit": 2, "color": "blue", "kind": "guessed", "buffer": 1.5}
        {"type": "comet", "tail": 1}
        {"commit": 3}
        not json
        """)
    #expect(trace.frameCount == 2)
    let found = trace.issues.map { "\($0.kind) \($0.count) \($0.first?.description ?? "")" }
    #expect(
      found == [
        "unknownKey 2 line 2", "malformedValue 1 line 2", "malformedValue 1 line 3",
        "malformedValue 1 line 3", "unknownRecord 1 line 4", "malformedLine 1 line 5",
        "cutOff 1 line 6",
      ])
  }

  @Test func timesTooLargeToBeTrueAreMissing() throws {
    let trace = try TestData.read(
      text: """
        {"schema": "frametool.trace/1", "unit": "s"}
        {"type": "frame", "appStart": -9000000000, "commit": 9223372036854775807, "displayed": 1}
        """)
    #expect(trace.surfaces[0].frames[0, .commit] == nil)
    #expect(trace.surfaces[0].frames[0, .displayed] == 1_000_000_000)
  }

  @Test func aLaterVersionIsRefusedByName() {
    let error = TestData.error(text: "{\"schema\": \"frametool.trace/2\"}\n")
    #expect(error?.problem == "expected the schema frametool.trace/1, found frametool.trace/2")
    #expect(error?.position == .line(1))
  }

  @Test func anUnknownUnitIsRefused() {
    let error = TestData.error(text: "{\"schema\": \"frametool.trace/1\", \"unit\": \"h\"}\n")
    #expect(error?.problem == "expected one of ns, us, ms, s as the unit of time, found h")
  }

  @Test func aFileCutAnywhereReadsOrThrows() throws {
    let bytes = Self.encode(AnyTrace.make(seed: 2, rows: 1))
    for length in 0..<bytes.count {
      let input = try InputFile(bytes: Array(bytes.prefix(length)))
      do throws(ParseError) {
        let trace = try Importers.read(input)
        #expect(trace.issues.count { $0.kind == .cutOff } <= 1)
      } catch {
        #expect(!error.problem.isEmpty)
      }
    }
  }

  @Test func columnsBesideTheModelKeepTheirOrder() throws {
    // The frame that comes last in time is the first in the file, and the only one with b.
    let text = """
      {"schema": "frametool.trace/1", "unit": "ms"}
      {"type": "surface", "id": "s"}
      {"type": "frame", "commit": 30, "extra": {"b": 1, "a": 2}}
      {"type": "frame", "commit": 10, "extra": {"a": 3}}

      """
    func again(_ bytes: [UInt8]) throws -> [UInt8] {
      var written: [UInt8] = []
      var writer = NativeWriter(try Importers.read(InputFile(bytes: bytes))) { written += $0 }
      writer.write()
      return written
    }
    let once = try again(Array(text.utf8))
    #expect(try again(once) == once)
    #expect(String(decoding: once, as: UTF8.self).contains(#""extra":{"b":1,"a":2}"#))
  }
}

import FrameImporters
import Testing

@testable import FrameStatistics
@testable import FrameTrace

/// Lines that are like the one before are read as any other line is.
@Suite("Native records of one form") struct NativeFormTests {
  private static let header = #"{"schema":"frametool.trace/1"}"#

  /// What a reader makes of lines: the trace as it is written, with what is wrong with it.
  private static func content(_ lines: [String]) throws -> String {
    let trace = try TestData.read(text: lines.joined(separator: "\n") + "\n", path: "t.jsonl")
    var bytes: [UInt8] = []
    var writer = NativeWriter(trace) { bytes += $0 }
    writer.write()
    let issues = trace.issues.map { "\($0.kind) \($0.severity) \($0.message) \($0.count)" }
    return String(decoding: bytes, as: UTF8.self) + issues.joined(separator: "\n")
  }

  /// The same lines with another number of blanks in each, so that none is like the one before.
  private static func unlike(_ lines: [String]) -> [String] {
    lines.enumerated().map { position, line in
      line.hasPrefix("{") ? "{" + (position % 2 == 0 ? " " : "") + line.dropFirst() : line
    }
  }

  private static let numbers = [
    "0", "-1", "-0", "12", "16666667", "999999999999999999", "1000000000000000000",
    "-999999999999999999", "9223372036854775807", "1e3", "1.5", "007", "\"7\"", "null", "true", "",
  ]

  private static func number(_ random: inout SplitMix64) -> String {
    Int.random(in: 0..<12, using: &random) == 0
      ? numbers.randomElement(using: &random) ?? "0"
      : "\(Int64.random(in: 0..<1 << 40, using: &random))"
  }

  private static let keys: [String: [String]] = [
    "frame": ["id", "appStart", "commit", "displayed", "buffer", "gpuTime", "mode", "odd"],
    "commit": ["time", "frame", "appStart", "transaction"],
    "touch": ["scanStart", "delivered", "frame", "x"],
  ]

  private static func line(_ random: inout SplitMix64) -> String {
    let type = ["frame", "frame", "commit", "touch"].randomElement(using: &random) ?? "frame"
    let surface = ["a", "a", "a", "b"].randomElement(using: &random) ?? "a"
    let all = keys[type] ?? []
    let some = Int.random(in: 0..<3, using: &random) == 0 ? all.shuffled(using: &random) : all
    let members = some.prefix(Int.random(in: 1...all.count, using: &random)).map { key in
      "\"\(key)\":" + (key == "mode" ? "\"classic\"" : number(&random))
    }
    let named = Bool.random(using: &random) ? ["\"surface\":\"\(surface)\""] : []
    return "{" + (["\"type\":\"\(type)\""] + named + members).joined(separator: ",") + "}"
  }

  /// Lines of the form of one line: only digits differ.
  private static func like(_ line: String, _ random: inout SplitMix64) -> String {
    String(
      line.map { character in
        character.isNumber && Int.random(in: 0..<3, using: &random) == 0
          ? Character("\(Int.random(in: 0..<10, using: &random))") : character
      })
  }

  @Test(arguments: 0..<150) func areReadAsAnyOther(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var lines = [Self.header]
    for _ in 0..<Int.random(in: 1..<12, using: &random) {
      var line = Self.line(&random)
      for _ in 0..<Int.random(in: 1..<6, using: &random) {
        lines.append(line)
        line = Self.like(line, &random)
      }
    }
    #expect(try Self.content(lines) == Self.content(Self.unlike(lines)))
  }

  /// The last line of a capture that was killed may be any part of a line like the one before.
  @Test func aCutLineIsNotLikeAnother() throws {
    let lines = (1...4).map {
      #"{"type":"frame","surface":"a","id":\#($0),"commit":\#($0)5000200,"displayed":\#($0)3333400}"#
    }
    for count in 0..<lines[3].count {
      let text = [Self.header] + lines.prefix(3) + [String(lines[3].prefix(count))]
      let trace = try TestData.read(text: text.joined(separator: "\n"), path: "t.jsonl")
      #expect(trace.surfaces[0].frames.count == 3)
      #expect(trace.issues.map(\.kind) == (count == 0 ? [] : [.cutOff]))
    }
  }

  /// A number of the form may have more digits or fewer, or a minus.
  @Test func numbersOfAFormHaveAnyLength() throws {
    let times = [6, 7, 5, 1_000_000_007, 70, -3, 123_456_789_012, 8]
    let lines = times.map { #"{"type":"frame","surface":"a","displayed":\#($0)}"# }
    let frames = try TestData.read(
      text: ([Self.header] + lines).joined(separator: "\n") + "\n", path: "t.jsonl"
    ).surfaces[0].frames
    let read = (0..<frames.count).compactMap { frames[$0, .displayed] }
    #expect(read.sorted() == times.map(Int64.init).sorted())
  }

  /// The unit of a recording's second part is its own.
  @Test func anotherPartHasItsOwnUnit() throws {
    let line = #"{"type":"frame","surface":"a","id":1,"displayed":"#
    let parts = [("ns", 1), ("us", 2)].map { unit, part in
      "{\"schema\":\"frametool.trace/1\",\"unit\":\"\(unit)\",\"part\":\(part)}\n"
        + (0..<4).map { "\(line)\(part)00\($0)}\n" }.joined()
    }
    let trace = try Importers.read(
      recording: parts.enumerated().map { position, text in
        try InputFile(bytes: Array(text.utf8), path: "t.part\(position + 1).jsonl")
      })
    let frames = trace.surfaces[0].frames
    #expect(
      (0..<frames.count).map { frames[$0, .displayed] } == [
        1000, 1001, 1002, 1003, 2_000_000, 2_001_000, 2_002_000, 2_003_000,
      ])
  }
}

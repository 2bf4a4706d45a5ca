import Fixtures
import Foundation
import Testing

@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace

/// A Chromium trace that two threads read.
@Suite struct ChromeBatchTests {
  private static func check(
    _ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
  ) -> ReadTrace {
    let one = ReadTrace(bytes, .none)
    for several in Parallelism.unlike {
      #expect(ReadTrace(bytes, several) == one, sourceLocation: sourceLocation)
    }
    return one
  }

  /// A trace of several megabytes, in which all kinds of elements take turns.
  private static func text(_ seed: UInt64, odd: Bool = true) throws -> String {
    let scenario = try ScenarioTests.scenario("dropped-frames")
    let encoder = try #require(Encoders.all.first { $0.name == "chrome" })
    let trace = scenario.play(.init(seed: seed, frames: 3000)).trace
    let encoded = String(decoding: encoder.encode(trace), as: UTF8.self)
    var random = SplitMix64(seed: seed)
    var text = ""
    for line in encoded.split(separator: "\n", omittingEmptySubsequences: false) {
      text += line + "\n"
      guard odd, line.hasSuffix(",") else { continue }
      switch Int.random(in: 0..<40, using: &random) {
      case 0: text += "17,\n"
      case 1: text += "{\"name\": \"x\", \"ph\": },\n"
      case 2:
        text +=
          "{\"ph\": \"X\", \"args\": {\"a\": [\(String(repeating: "[", count: 40))\(String(repeating: "]", count: 40))]}},\n"
      case 3:
        text +=
          "{\"name\": \"\(String(repeating: "long ", count: 3000))\", \"ph\": \"X\", \"ts\": 5, \"pid\": 1},\n"
      case 4: text += String(repeating: " ", count: 9000)
      default: break
      }
    }
    return text
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func tracesAreReadTheSame(_ seed: UInt64) throws {
    let text = try Self.text(seed)
    #expect(text.utf8.count > 3 << 20)
    let found = Self.check(Array(text.utf8))
    #expect(found.error == nil)
    #expect(!found.issues.isEmpty)
  }

  /// Elements, blanks and other members that are longer than the buffer.
  @Test func longPartsAreReadTheSame() throws {
    let text = try Self.text(4, odd: false)
    let position = try #require(text.firstRange(of: "\"traceEvents\""))
    let long = String(repeating: "z", count: 5 << 20)
    let element = "{\"name\": \"\(long)\", \"ph\": \"X\", \"ts\": 1, \"pid\": 1},"
    var changed = text
    changed.insert(contentsOf: "\"metadata\": \"\(long)\", ", at: position.lowerBound)
    let line = try #require(changed.range(of: "},\n", options: .backwards))
    changed.insert(contentsOf: element, at: line.upperBound)
    changed.insert(contentsOf: String(repeating: " \n", count: 2 << 20), at: line.upperBound)
    #expect(Self.check(Array(changed.utf8)).error == nil)
  }

  @Test(arguments: [1, 1 << 20, (1 << 20) + 7, 3_000_000])
  func cutTracesAreReadTheSame(_ bytes: Int) throws {
    let text = try Self.text(5)
    let found = Self.check(Array(text.utf8.prefix(bytes)))
    #expect((found.error == nil) == (bytes > 1))
  }

  /// What was read before compressed data breaks is kept.
  @Test(arguments: [0.3, 0.9, 0.999])
  func brokenCompressionIsReadTheSame(_ share: Double) throws {
    let whole = CompressionTests.gzip(Array(try Self.text(6).utf8))
    let bytes = Array(whole.prefix(Int(Double(whole.count) * share)))
    try CompressionTests().withFile(bytes) { path in
      let one = ReadTrace(path: path, .none)
      for several in Parallelism.unlike { #expect(ReadTrace(path: path, several) == one) }
      #expect(one.issues.contains { $0.contains("brokenCompression") })
    }
  }

  /// After a long element, no more of the short ones are kept at once than before it.
  @Test func aLongElementLeavesNoLargeBuffer() throws {
    let long = "[{\"name\": \"\(String(repeating: "z", count: 9 << 20))\"},"
    let text = long + String(repeating: "{},", count: 1 << 20) + "{}]"
    var elements = JSONElements(try InputFile(bytes: Array(text.utf8)), member: "traceEvents")
    var members = JSONMembers()
    var (count, atOnce, most, batches) = (0, 0, 0, 0)
    elements.keepElements(with: [])
    while try elements.next(into: &members) != nil {
      if let bytes = elements.takePassedBytes() {
        elements.keepElements(with: bytes)
        (batches, atOnce) = (batches + 1, 0)
      }
      (count, atOnce) = (count + 1, atOnce + 1)
      most = max(most, atOnce)
    }
    #expect(count == (1 << 20) + 2)
    #expect(elements.bytes.count < 5 << 20)
    #expect(batches >= 3 && most < 800_000)
  }
}

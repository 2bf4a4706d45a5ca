import Foundation
import Testing

@testable import FrameReport
@testable import FrameStatistics
@testable import FrameTrace
@testable import frametool

/// The page's script reads every column as it was, whatever its numbers are.
@Suite(.enabled(if: Chromium.path != nil, "\(Chromium.reason)"))
struct PageColumnTests {
  /// Numbers of very different sizes and shapes, some of them missing.
  private static func values(_ random: inout SplitMix64) -> [Int64?] {
    let count = Int(random.next() % 40)
    let bits = random.next() % 62
    let shape = random.next() % 5
    let step = Int64(random.next() % 20_000_000)
    let isSparse = random.next() % 2 == 0
    return (0..<Int64(count)).map { position in
      if isSparse, random.next() % 4 == 0 { return nil }
      let some = Int64(bitPattern: random.next()) >> Int64(62 - bits)
      return switch shape {
      case 0: some
      case 1: position * step
      case 2: position * step + some % 1000
      case 3: position * position * step
      default: some % 3 == 0 ? (some < 0 ? -1 : 1) << 52 + some % 7 : some % 9
      }
    }
  }

  @Test func randomColumnsAreReadAsTheyWere() throws {
    var random = SplitMix64(seed: 20_261_125)
    var cases = ""
    var expected: [[String]] = []
    for _ in 0..<400 {
      var packed = PackedColumns()
      for column in 0..<3 {
        let values = Self.values(&random)
        packed.add("\(column)", values)
        expected.append(
          values.map { $0.flatMap { $0.magnitude < 1 << 53 ? "\($0)" : nil } ?? "NaN" })
      }
      let heads = packed.columns.map {
        "{name:'\($0.name)',count:\($0.count),order:\($0.order),unit:\($0.unit),width:\($0.width),sparse:\($0.isSparse)}"
      }
      cases +=
        "[[\(heads.joined(separator: ","))],'\(Data(packed.compressed).base64EncodedString())'],"
    }
    let script = String(decoding: PackageResources.columns_js, as: UTF8.self)
    let read = try BrowserPage().run(
      """
      \(script)
      const read = [];
      for (const [heads, data] of [\(cases)]) {
        const columns = unpackColumns(heads, await inflate(data));
        for (const head of heads) read.push(Array.from(columns.get(head.name), String));
      }
      return read;
      """)
    #expect(read as? [[String]] == expected)
    for (one, other) in zip(read as? [[String]] ?? [], expected) where one != other {
      Issue.record("\(one) instead of \(other)")
      break
    }
  }
}

import Fixtures
import Foundation
import Synchronization
import Testing

@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace

/// A PresentMon CSV that several threads read.
@Suite struct PresentMonPiecesTests {
  /// Rows of several swap chains, some of which are damaged.
  /// - Parameter bytes: The least size of the file.
  private static func text(
    _ header: String, bytes: Int, seed: UInt64, lineEnd: String = "\n",
    row: (Int, inout SplitMix64) -> String
  ) -> String {
    var random = SplitMix64(seed: seed)
    var text = header.trimmed(lineEnd)
    var number = 0
    while text.utf8.count < bytes {
      let position = Int.random(in: 0..<3, using: &random)
      let owner = PresentMonTests.owner.replacing("0x00AB", with: "0x\(position + 1)")
      switch Int.random(in: 0..<400, using: &random) {
      case 0: text += "\(owner),short" + lineEnd
      case 1: text += header.trimmed(lineEnd)
      case 2: text += lineEnd
      case 3: text += "\"\(owner),\",\(row(number, &random))" + lineEnd
      default: text += "\(owner),\(row(number, &random))" + lineEnd
      }
      number += 1
    }
    return text
  }

  private static func frames(_ number: Int, _ random: inout SplitMix64) -> String {
    func time() -> String {
      switch Int.random(in: 0..<200, using: &random) {
      case 0: "NA"
      case 1: "odd"
      case 2: "1e30"
      default:
        "\(Int.random(in: 0..<30, using: &random)).\(Int.random(in: 0..<9999, using: &random))"
      }
    }
    let times = (0..<9).map { _ in time() }.joined(separator: ",")
    let click = number % 50 == 7 ? "40.5" : "NA"
    return "Application,\(number * 7).25,\(times),\(click)"
  }

  private static func presents(_ number: Int, _ random: inout SplitMix64) -> String {
    let late = Int.random(in: 0..<9, using: &random)
    return "\(late == 0 ? 1 : 0),\(number).25,16.\(late),16.6,0.1,2.\(late),\(late == 0 ? 0 : 20)"
  }

  private static func check(
    _ text: String, has kinds: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let bytes = Array(text.utf8)
    let used = Mutex(0)
    let counted = Parallelism.threads { used.withLock { $0 += 1 } }
    let (several, one) = (ReadTrace(bytes, counted), ReadTrace(bytes, .none))
    #expect(several == one, sourceLocation: sourceLocation)
    #expect(one.error == nil, sourceLocation: sourceLocation)
    #expect(one.issues.count >= kinds, "\(one.issues)", sourceLocation: sourceLocation)
    #expect(used.withLock { $0 } > 1, sourceLocation: sourceLocation)
  }

  @Test(arguments: [1, 2])
  func framesAreReadTheSame(_ seed: UInt64) throws {
    try Self.check(
      Self.text(PresentMonTests.frames, bytes: 4_500_000, seed: seed, row: Self.frames), has: 4)
  }

  /// Blocks of rows with the same texts are appended as a whole, others row by row.
  @Test func framesOfASwapChainAreTheSameWhereOthersAreBetweenThem() throws {
    var random = SplitMix64(seed: 9)
    let header = PresentMonTests.frames
    let other = PresentMonTests.owner.replacing("0x00AB", with: "0x00CD")
    var (alone, mixed) = (header, header)
    for number in 0..<40_000 {
      // Some rows have no time, and some texts change for a while.
      let time = number % 9000 == 77 ? "NA" : "\(number * 7).25"
      let mode = (number / 5000) % 2 == 0 ? "Independent Flip" : "Legacy Flip"
      let values = Self.frames(number, &random).split(separator: ",").dropFirst(2)
        .joined(separator: ",")
      let owner = PresentMonTests.owner.replacing("Independent Flip", with: mode)
      let row = "\(owner),Application,\(time),\(values)\n"
      alone += row
      mixed += row
      if number % 3 == 0 { mixed += "\(other),Application,\(number * 7).5,\(values)\n" }
    }
    let frames = { (text: String) throws in
      let input = try InputFile(bytes: Array(text.utf8), path: "long")
      input.parallelism = .threads {}
      let trace = try Importers.read(input)
      return try #require(trace.surfaces.first { $0.name == "0xAB" }).frames
    }
    let (own, others) = (try frames(alone), try frames(mixed))
    #expect(own.count == 39_995)
    #expect(others.count == own.count)
    #expect(own.references == others.references)
    for column in FrameColumn.allCases {
      let isSame = (0..<own.count).allSatisfy { own[$0, column] == others[$0, column] }
      #expect(isSame, "\(column)")
    }
  }

  /// Files that end shortly before and after the block from which on several are decoded at once.
  @Test(arguments: [-1, 0, 1])
  func filesAroundTheFirstPieceAreReadTheSame(_ blocks: Int) throws {
    let size = (PresentMonPieces.blocksAlone + blocks) * CSVReader.blockSize
    for offset in [-300, 0, 300] {
      let text = Self.text(
        PresentMonTests.frames, bytes: size + offset, seed: 6, row: Self.frames)
      let bytes = Array(text.utf8)
      let used = Mutex(0)
      let counted = Parallelism.threads { used.withLock { $0 += 1 } }
      #expect(ReadTrace(bytes, counted) == ReadTrace(bytes, .none))
      if blocks != 0 { #expect((used.withLock { $0 } > 0) == (blocks > 0)) }
    }
  }

  /// Rows of several blocks each, of which not as many are decoded at once.
  @Test func filesWithLongLinesAreReadTheSame() throws {
    let name = String(repeating: "x", count: 3 * CSVReader.blockSize)
    try Self.check(
      Self.text(PresentMonTests.frames, bytes: 12_000_000, seed: 8) { number, random in
        let row = Self.frames(number, &random)
        let isLong = number > 25_000 && number % 7 == 0
        return isLong ? row.replacing("Application,", with: "\(name),") : row
      }, has: 3)
  }

  @Test func windowsLineEndsAndACutLastRowAreReadTheSame() throws {
    let text = Self.text(
      PresentMonTests.presents, bytes: 4_000_000, seed: 3, lineEnd: "\r\n", row: Self.presents)
    try Self.check(String(text.dropLast(20)), has: 3)
  }

  /// What was read before compressed data breaks is kept.
  @Test(arguments: [0.3, 0.9, 0.999])
  func brokenCompressionIsReadTheSame(_ share: Double) throws {
    let text = Self.text(PresentMonTests.frames, bytes: 4_500_000, seed: 4, row: Self.frames)
    let whole = CompressionTests.gzip(Array(text.utf8))
    let bytes = Array(whole.prefix(Int(Double(whole.count) * share)))
    try CompressionTests().withFile(bytes) { path in
      let several = ReadTrace(path: path, .threads)
      let one = ReadTrace(path: path, .none)
      #expect(several == one)
      #expect(one.issues.contains { $0.contains("brokenCompression") })
    }
  }

  /// A line that is longer than any trace's ends the reading with the same error.
  @Test func anEndlessLineIsRefusedTheSame() throws {
    var bytes = Array(
      Self.text(PresentMonTests.frames, bytes: 3_000_000, seed: 5, row: Self.frames).utf8)
    bytes += [UInt8](repeating: 0x31, count: LineWindow.longestLine + (1 << 19))
    let (several, one) = (ReadTrace(bytes, .threads), ReadTrace(bytes, .none))
    #expect(several == one)
    #expect(one.error != nil || !one.issues.isEmpty)
  }
}

extension String {
  /// A line with another line end.
  fileprivate func trimmed(_ lineEnd: String) -> String {
    trimmingCharacters(in: .newlines) + lineEnd
  }
}

import Fixtures
import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace

/// Recordings of trace-cmd.
@Suite struct TraceDatTests {
  private static func scenario() throws -> Trace {
    let scenario = try #require(Scenarios.all.first { $0.name == "scheduling-faults" })
    return scenario.play(.init(seed: 1, frames: 60)).trace
  }

  /// Every change of a processor that `trace-cmd report` prints of a real recording (ARM-software/lisa, Apache-2.0), in
  /// version 7 with zstd, is the start of a state.
  @Test(
    .enabled(if: TestData.hasCases, Comment(rawValue: TestData.absenceOfCases)))
  func everyChangeOfARealRecordingIsRead() throws {
    let folder = TestData.cases.appending(path: "formats/tracedat")
    let trace = try TestData.read(folder.appending(path: "lisa2s.v7.dat").path)
    let report = try InputFile(path: folder.appending(path: "lisa2s.report.txt.gz").path)
      .readAll(atMost: 1 << 24, of: "text")
    var expected: [String] = []
    for line in String(decoding: report, as: UTF8.self).split(separator: "\n")
    where line.contains(" sched_switch: ") {
      let (head, rest) = try #require(
        line.firstRange(of: " sched_switch: ").map {
          (line[..<$0.lowerBound], line[$0.upperBound...])
        })
      let cpu = try #require(
        head.firstRange(of: "[").flatMap { Int(head[$0.upperBound...].prefix(3)) })
      let time = try #require(head.split(separator: " ").last).dropLast()
      let next = try #require(rest.firstRange(of: " ==> ")).upperBound
      let thread = rest[next...].prefix { $0 != "[" }.split(separator: ":").last
      let number = try #require(thread.flatMap { Int64($0.filter(\.isNumber)) })
      if number != 0 { expected.append("\(time) \(cpu) \(number)") }
    }
    let states = trace.threadStates
    let found = (0..<states.count).compactMap { row -> String? in
      guard states[row, .state] == ThreadStateColumn.State.running.rawValue,
        let start = states[row, .start]
      else { return nil }
      let microseconds = (start + 500) / 1000
      let fraction = String(microseconds % 1_000_000)
      let padded = String(repeating: "0", count: 6 - fraction.count) + fraction
      return
        "\(microseconds / 1_000_000).\(padded) \(states[row, .processor] ?? -1) \(states[row, .thread] ?? -1)"
    }
    #expect(expected.count > 700 && found.sorted() == expected.sorted())
    print("\(expected.count) changes of processors compared")
  }

  /// A file that ends anywhere gives what could be read, or one line.
  @Test func cutFilesGiveWhatTheyHave() throws {
    let bytes = TraceDatWriter(try Self.scenario()).bytes
    let whole = try TestData.read(bytes: bytes).threadStates.count
    var last = 0
    for count in stride(from: 16, to: bytes.count, by: 97) {
      do {
        let part = try TestData.read(bytes: Array(bytes[..<count]))
        #expect(part.threadStates.count <= whole && part.threadStates.count >= last)
        last = part.threadStates.count
        #expect(!part.issues.isEmpty)
      } catch let error as ParseError {
        #expect(error.problem.contains("expected"), "\(count): \(error.problem)")
      }
    }
    #expect(last > whole / 2)
  }

  /// Any byte can be wrong.
  @Test func brokenBytesAreNoTraps() throws {
    let bytes = TraceDatWriter(try Self.scenario()).bytes
    var random = SplitMix64(seed: 7)
    for _ in 0..<400 {
      var broken = bytes
      for _ in 0..<3 {
        broken[Int.random(in: 0..<broken.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      // The head is where most of what can go wrong is.
      broken[Int.random(in: 11..<3000, using: &random)] = .random(in: 0...255, using: &random)
      _ = try? TestData.read(bytes: broken)
    }
  }

  /// Numbers of a hostile form do not trap, and processors that claim the same bytes are read once.
  @Test func hostileNumbersAreBounded() throws {
    let form = TraceDatForm(
      "name: sched_switch\nID: 3\nprint fmt: x { 0x1, \"S\" } (0xffffffffffffffff | 0x0001) + 1) << 1) ? \"+\""
    )
    #expect(form?.letters(of: 1) == "S")
    let bytes = TraceDatWriter(try Self.scenario()).bytes
    let whole = try TestData.read(bytes: bytes).threadStates.count
    // Every processor has the position of the first.
    let tag = Array("flyrecord\0".utf8)
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: tag) }) + tag.count
    let count = Int(bytes[start - tag.count - 16])
    var same = bytes
    for processor in 1..<count {
      for byte in 0..<16 { same[start + 16 * processor + byte] = bytes[start + byte] }
    }
    let trace = try TestData.read(bytes: same)
    #expect(trace.threadStates.count <= 3 * whole)
    #expect(trace.issues.contains { $0.message.contains("end early, or are corrupt") })
  }

  @Test(arguments: [
    ([10: UInt8(ascii: "5")], "version"), ([12: 1], "lower bytes first"),
    ([13: 5], "longs of 4 or 8"),
  ])
  func otherHeadsAreRefused(_ changes: [Int: UInt8], _ words: String) throws {
    var bytes = TraceDatWriter(try Self.scenario()).bytes
    for (position, value) in changes { bytes[position] = value }
    let error = #expect(throws: ParseError.self) { try TestData.read(bytes: bytes) }
    #expect(error?.problem.contains(words) == true, "\(error?.problem ?? "")")
  }

  /// What state a thread is left in, by the forms of several kernels.
  @Test(arguments: [
    // Linux 4.14 and later.
    (
      "(REC->prev_state & ((((0x0000 | 0x0001 | 0x0002 | 0x0004 | 0x0008 | 0x0010 | 0x0020 | 0x0040) + 1) << 1) - 1)) ? __print_flags(REC->prev_state, \"|\", { 0x0001, \"S\" }, { 0x0002, \"D\" }, { 0x0040, \"P\" }, { 0x0080, \"I\" }) : \"R\", REC->prev_state & (((0x0000 | 0x0001 | 0x0002 | 0x0004 | 0x0008 | 0x0010 | 0x0020 | 0x0040) + 1) << 1) ? \"+\" : \"\"",
      [0: "R", 1: "S", 2: "D", 64: "P", 128: "I", 256: "R+", 258: "D+"]
    ),
    // Linux 4.8 to 4.13, and before.
    (
      "REC->prev_state & (4096-1) ? __print_flags(REC->prev_state & (4096-1), \"|\", { 1, \"S\"} , { 2, \"D\" }, { 64, \"x\" }, { 128, \"K\" }) : \"R\", REC->prev_state & 4096 ? \"+\" : \"\"",
      [0: "R", 130: "D|K", 64: "x", 4096: "R+"]
    ),
  ])
  func statesAreThoseOfTheKernel(_ format: String, _ states: [UInt64: String]) throws {
    let form = try #require(
      TraceDatForm("name: sched_switch\nID: 3\nformat:\n\nprint fmt: \"%s\", \(format)\n"))
    for (bits, letters) in states { #expect(form.letters(of: bits) == letters) }
  }
}

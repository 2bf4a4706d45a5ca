import Foundation
import Testing

@testable import FrameImporters
@testable import FrameTrace

/// Files of Unreal Engine's CSV profiler.
@Suite struct UnrealTests {
  private static let text = """
    EVENTS,FrameTime,GameThreadTime
    ,10,4
    Region: A/B - Begin;Hello##0.0125,20,5,3
    ,30,6,0,2
    Region: A/B - End,40,7,3,2
    ,50,8,3,2
    EVENTS,FrameTime,GameThreadTime,RHIThreadTime,FMsgLogf/FMsgLogfCount
    [HasHeaderRowAtEnd],1,[os],Windows 11 (25H2) [10.0] ,[cpu],A,B|C,[loginid],me,[deviceprofile],P,[commandline]," -a,[os],b"
    """

  private static func read(_ text: String, _ demand: TraceDemand = .everything) throws -> Trace {
    try Importers.read(InputFile(bytes: Array((text + "\n").utf8), path: "p.csv"), demand: demand)
  }

  @Test func countersThatAppearLateHaveTheNamesAtTheEnd() throws {
    let trace = try Self.read(Self.text)
    let frames = trace.surfaces[0].frames
    #expect(
      (0..<5).map { frames[$0, .presentInterval] } == [10, 20, 30, 40, 50].map { $0 * 1_000_000 })
    #expect((0..<5).map { frames[$0, .commit] } == [10, 30, 60, 100, 150].map { $0 * 1_000_000 })
    // 0 was not measured, and the last row ends the recording.
    #expect((0..<5).map { frames[$0, .rhiThread] } == [nil, 3_000_000, nil, 3_000_000, nil])
    #expect(frames.extras.map(\.name) == ["FMsgLogf/FMsgLogfCount"])
    #expect((0..<5).map { frames.extras[0].text($0) } == [nil, nil, "2.0", "2.0", "2.0"])
  }

  @Test func regionsAreStretchesAndEventsAreMoments() throws {
    let trace = try Self.read(Self.text)
    let marks = (0..<trace.markers.count).map { row in
      [
        trace.markers.text(row, .name) ?? "", "\(trace.markers[row, .start] ?? -1)",
        "\(trace.markers[row, .end] ?? -1)",
      ]
    }
    #expect(
      Set(marks) == [["A/B", "10000000", "60000000"], ["Hello", "12500000", "-1"]])
  }

  /// Values have commas and brackets in them; who recorded it is not kept.
  @Test func factsEndWhereTheNextKeyIsDue() throws {
    let setting = try Self.read(Self.text).setting
    #expect(setting.device == "P, A,B|C" && setting.system == "Windows 11 (25H2) [10.0]")
  }

  @Test func onlyFrameTimesAreReadWhereNobodyAsksForMore() throws {
    let (all, some) = (
      try Self.read(Self.text),
      try Self.read(Self.text, TraceDemand(frameColumns: [.presentInterval]))
    )
    for column in [FrameColumn.presentInterval, .commit, .gameThread, .rhiThread] {
      #expect(
        (0..<5).map { all.surfaces[0].frames[$0, column] }
          == (0..<5).map { some.surfaces[0].frames[$0, column] })
    }
    #expect(some.surfaces[0].frames.extras.isEmpty && some.isPartial)
  }

  /// Files written over again by the engine's tools have the events last and are padded with 0.
  @Test func filesThatWereWrittenAgainAreRead() throws {
    let text = """
      FrameTime,GameThreadTime,RHIThreadTime,EVENTS
      10,4,0,
      20,5,3,Hello
      [HasHeaderRowAtEnd],0,[platform],Windows
      """
    let trace = try Self.read(text)
    let frames = trace.surfaces[0].frames
    #expect(frames.count == 2 && frames[0, .rhiThread] == nil && trace.markers.count == 1)
  }

  /// Nothing but an error follows from a part of a binary file, or from a changed byte.
  @Test func binaryFilesThatAreBrokenSayWhere() throws {
    let path = TestData.root.appending(path: "Tests/Golden/unreal/binary/input.csv.bin").path
    let bytes = try InputFile(path: path).readAll(atMost: 1 << 20, of: "a file")
    for size in 8..<bytes.count {
      let error = #expect(throws: ParseError.self) {
        _ = try UnrealBinary(Array(bytes[..<size]), path: "p.csv.bin")
      }
      #expect(error?.place != nil)
    }
    for place in bytes.indices.dropFirst(8) {
      for bit in [0, 7] as [UInt8] {
        var changed = bytes
        changed[place] ^= 1 << bit
        _ = try? UnrealBinary(changed, path: "p.csv.bin")
      }
    }
  }

  /// The three forms of the same recording, written by another program, hold the same numbers.
  @Test(.enabled(if: TestData.hasCases, Comment(rawValue: TestData.absenceOfCases)))
  func theFormsOfARecordingAreEqual() throws {
    let folder = TestData.cases.appending(path: "formats/unreal/").path
    let traces = try ["made-v2.csv.bin", "made-v3-none.csv.bin", "made-v3-max.csv.bin"].map {
      try Importers.read(InputFile(path: "\(folder)/\($0)"))
    }
    for trace in traces {
      let frames = trace.surfaces[0].frames
      let times = (0..<frames.count).compactMap { frames[$0, .presentInterval] }
      // The mean that the file states for the column.
      #expect(abs(Double(times.reduce(0, +)) / Double(times.count) / 1e6 - 22.61857) < 1e-4)
      #expect(times == (0..<70).compactMap { traces[0].surfaces[0].frames[$0, .presentInterval] })
    }
  }
}

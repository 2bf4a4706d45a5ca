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
      #expect(error?.position != nil)
    }
    for position in bytes.indices.dropFirst(8) {
      for bit in [0, 7] as [UInt8] {
        var changed = bytes
        changed[position] ^= 1 << bit
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

  /// One long row among many short ones needs no room for all cells of all rows.
  @Test func aWideRowCostsWhatItHas() throws {
    let count = 20_000
    let rows = [String](repeating: ",16,8", count: count)
    let wide = "," + [String](repeating: "1", count: count).joined(separator: ",")
    let text = (["EVENTS,FrameTime,GameThreadTime"] + rows + [wide]).joined(separator: "\n")
    let trace = try Self.read(text)
    #expect(trace.surfaces[0].frames.count == count + 1)
    let kept = trace.surfaces[0].frames.extras.count
    #expect(kept > 10 && kept < 200)
    let note = trace.issues.first { $0.message.contains("counters that few rows have") }
    #expect(note?.count == count - 2 - kept)
  }

  /// Only the row of facts is no frame: an event may begin with a bracket, too.
  @Test func anEventMayBeginWithABracket() throws {
    let text = """
      EVENTS,FrameTime
      ,16
      [Boss] spawned,100
      ,16
      EVENTS,FrameTime
      [HasHeaderRowAtEnd],1,[os],Linux
      """
    let trace = try Self.read(text)
    #expect(trace.surfaces[0].frames.count == 3)
    #expect(trace.markers.text(0, .name) == "[Boss] spawned")
  }

  /// A file that ends within its last header keeps the names of the first.
  @Test(arguments: ["EVENTS,FrameT", "EVENTS,FrameTime,Game"])
  func aHeaderThatIsCutOffNamesNothing(_ end: String) throws {
    let text = "EVENTS,FrameTime,GameThreadTime\n,16,8\n,16,9\n\(end)"
    let trace = try TestData.read(text: text)
    let frames = trace.surfaces[0].frames
    #expect((0..<frames.count).map { frames[$0, .gameThread] } == [8_000_000, 9_000_000])
    #expect(trace.issues.contains { $0.message == "a truncated last row, left out" })
  }

  /// Events of rows without a frame time are at the next frame; a region may be entered again before its end.
  @Test func noEventIsLost() throws {
    let text = """
      EVENTS,FrameTime
      Region: A - Begin,10
      Boom,0
      Region: A - Begin,10
      Region: A - End,10
      Region: A - End,10
      Bang,0
      """
    let trace = try Self.read(text)
    let marks = (0..<trace.markers.count).map { row in
      [
        trace.markers.text(row, .name) ?? "", "\((trace.markers[row, .start] ?? -1) / 1_000_000)",
        "\((trace.markers[row, .end] ?? -1_000_000) / 1_000_000)",
      ]
    }
    #expect(
      Set(marks) == [
        ["A", "0", "30"], ["A", "10", "20"], ["Boom", "10", "-1"], ["Bang", "40", "-1"],
      ])
  }

  /// 100 frames of 10 ms beside the length that the recording states: a twentieth of it may be missing without a word.
  @Test(arguments: [
    ("1.05", false), ("1.06", true), ("0.96", false), ("0.95", true), ("nan", false),
  ])
  func aGapBetweenFramesAndRecordingIsTold(_ stated: String, _ isKnown: Bool) throws {
    let rows = [String](repeating: ",10", count: 100).joined(separator: "\n")
    let trace = try Self.read(
      "EVENTS,FrameTime\n\(rows)\nEVENTS,FrameTime\n[HasHeaderRowAtEnd],1,[captureduration],\(stated)"
    )
    #expect(trace.issues.contains { $0.message.contains("frame times that cover") } == isKnown)
  }
}

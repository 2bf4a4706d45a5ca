import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameTrace

/// Formats of seconds, zones and counts, on what their files get wrong.
@Suite struct SampledFormatTests {
  private static func vrapi(_ time: String, fps: String = "72/72", stale: String = "0") -> String {
    "\(time)  2072 10406 I VrApi   : FPS=\(fps),Prd=34ms,Tear=0,Early=0,Stale=\(stale),TW=2.62ms,App=8.13ms"
  }

  private static func figures(_ trace: Trace, _ metric: StatedMetric) -> [Double] {
    StatedFigures.all(trace).filter { $0.metric == metric.rawValue }.flatMap(\.values)
  }

  /// Lines do not say the year.
  @Test func aNewYearIsASecondLater() throws {
    let times = ["12-31 23:59:58.000", "12-31 23:59:59.000", "01-01 00:00:00.000"]
    let text = times.map { Self.vrapi($0) }.joined(separator: "\n") + "\n"
    let range = try #require(try TestData.read(text: text).timeRange)
    #expect(range.upperBound - range.lowerBound == .milliseconds(2000))
  }

  /// Of two seconds, 72 frames were due in each, and 7 came late; a negative rate is no second.
  @Test func negativeNumbersAreNone() throws {
    let text =
      [
        Self.vrapi("06-14 22:00:01.000", stale: "-50"),
        Self.vrapi("06-14 22:00:02.000", fps: "65/72", stale: "7"),
        Self.vrapi("06-14 22:00:03.000", fps: "-5/72"),
      ].joined(separator: "\n") + "\n"
    let trace = try TestData.read(text: text)
    #expect(Self.figures(trace, .sampledFrameRate) == [72, 65])
    #expect(Self.figures(trace, .staleShare).map { ($0 * 72).rounded() } == [700])
  }

  /// Tracy quotes no text: commas in a name and in the value after a zone move cells.
  @Test func commasInTextsOfTracyAreFound() throws {
    let text = """
      name,src_file,src_line,ns_since_start,exec_time_ns,thread,value
      Frame,a.cpp,12,408000000,5120000,1,level 3, boss
      std::map<int, float>::at,a.cpp,13,1000,20,1,
      f(1, 2),a.cpp,14,2000,30,1,3 of, 4
      f,a.cpp,1,2,3,4,5,6,7
      """
    let trace = try TestData.read(text: text + "\n")
    let found = (0..<trace.markers.count).map { row in
      [
        trace.markers.text(row, .name) ?? "", "\(trace.markers[row, .start] ?? -1)",
        "\((trace.markers[row, .end] ?? 0) - (trace.markers[row, .start] ?? 0))",
      ]
    }
    #expect(
      Set(found) == [
        ["Frame", "408000000", "5120000"], ["std::map<int, float>::at", "1000", "20"],
        ["f(1, 2)", "2000", "30"],
      ], "\(found)")
    // The last row can be aligned in several ways.
    #expect(trace.issues.first { $0.message.contains("no zone") }?.count == 1)
  }

  /// One refresh was missed: the picture before is shown twice, and the frame after it was late.
  @Test func aMissOfSteamVRIsOneLateFrame() throws {
    let header =
      "FrameIndex,NumFramePresents,NumMisPresented,NumDroppedFrames,ReprojectionFlags,SystemTimeInSeconds,PreSubmitGpuMs,PostSubmitGpuMs"
    let rows = (1...60).map { row in
      "\(row),\(row == 30 ? 2 : 1),0,\(row == 31 ? 1 : 0),12,\(100 + Double(row) / 90),7,0"
    }
    let trace = try TestData.read(text: ([header] + rows).joined(separator: "\n") + "\n")
    let verdicts = try #require(TraceAnalysis(of: trace).surfaces[0].verdicts)
    #expect(verdicts.late == 1 && verdicts.judged == 60)
  }

  /// A count that sums could not hold exactly is left out with a word.
  @Test func hugeCountsOfSurfaceFlingerAreTold() throws {
    let text = """
      layerName = a
      presentToPresent histogram is as below:
      16ms=9007199254740992 17ms=5 18ms=9007199254740991

      """
    let trace = try TestData.read(text: text)
    #expect(trace.bins.count == 2)
    #expect(trace.issues.first { $0.message.contains("not numbers") }?.count == 1)
  }

  @Test func whatIsNotReadOfAnIOSDeviceIsTold() throws {
    let text = "{'time': 1, 'fps': 60, 'jank': 0, 'big_jank': 0, 'stutter': 0.0}\n"
    let trace = try TestData.read(text: text + text)
    let notes = trace.issues.filter { $0.message.hasPrefix("values of ") }
    #expect(
      notes.map(\.message) == ["values of big_jank, not read", "values of stutter, not read"])
    #expect(notes.allSatisfy { $0.count == 2 })
  }
}

import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace

/// What PresentMon's dialects leave to their reader, on hand-written rows.
@Suite struct PresentMonTests {
  static let owner = "game.exe,7,0x00AB,DXGI,0,0,0,Hardware: Independent Flip"
  static let presents =
    "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,AllowsTearing,"
    + "PresentMode,Dropped,TimeInSeconds,MsBetweenPresents,MsBetweenDisplayChange,MsInPresentAPI,"
    + "MsUntilRenderComplete,MsUntilDisplayed\n"
  static let frames =
    "Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,"
    + "AllowsTearing,PresentMode,FrameType,CPUStartTime,FrameTime,CPUBusy,CPUWait,GPULatency,"
    + "GPUTime,GPUBusy,GPUWait,DisplayLatency,DisplayedTime,ClickToPhotonLatency\n"

  /// A file of `frames` rows, each given from its start time on.
  static func framesFile(_ rows: [String], type: String = "Application") -> String {
    frames + rows.map { "\(owner),\(type),\($0)\n" }.joined()
  }

  @Test func aRowBecomesAFrame() throws {
    let trace = try TestData.read(
      text: Self.framesFile(["1000.5,16.6,14.1,2.5,1.5,12,10,2,31.2,16.7,NA"]))
    let frames = trace.surfaces[0].frames
    #expect(trace.surfaces[0].id == "7:0xAB")
    #expect(trace.surfaces[0].process == "game.exe")
    #expect(frames[0, .appStart] == 1_000_500_000)
    #expect(frames[0, .commit] == 1_014_600_000)
    #expect(frames[0, .appEnd] == 1_017_100_000)
    #expect(frames[0, .gpuStart] == 1_002_000_000)
    #expect(frames[0, .gpuEnd] == 1_014_000_000)
    #expect(frames[0, .displayed] == 1_031_700_000)
    #expect(frames[0, .replaced] == 1_048_400_000)
    #expect(frames[0, .startInterval] == 16_600_000)
  }

  @Test func zeroAndNAAreMissingWhereNothingCanBeInNoTime() throws {
    let trace = try TestData.read(
      text: Self.presents + "\(Self.owner),1,1.0,16.6,0.000,0.1,2.0,0.000\n"
        + "\(Self.owner),0,1.0166,16.6,0.000,0.1,2.0,20.0\n")
    let frames = trace.surfaces[0].frames
    #expect(frames[0, .displayed] == nil)
    #expect(frames[0, .displayInterval] == nil)
    #expect(frames[0, .fate] == FrameColumn.Fate.discarded.rawValue)
    #expect(frames[1, .displayed] == 1_036_600_000)
    #expect(FrameOutcomes(of: frames).replaced == 1)
  }

  @Test func columnsAreFoundByNameInAnyOrderAndCase() throws {
    let trace = try TestData.read(
      text: "\u{feff}MSUNTILDISPLAYED, processid ,msbetweenpresents,SwapChainAddress,application,"
        + "TimeInSeconds,msInPresentAPI\r\n20.0,7,16.6,0xAB,\"a,b.exe\",1.5,0.1\r\n")
    #expect(trace.surfaces[0].process == "a,b.exe")
    #expect(trace.surfaces[0].frames[0, .displayed] == 1_520_000_000)
  }

  /// Builds between releases had other column names: in 2024-01 before 2.0, and in 2020 before 1.7.
  @Test func buildsBetweenReleasesAreRead() throws {
    let frames = try TestData.read(
      text: """
        Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,CPUFrameQPC,CPUDuration,CPUFramePacingStall,GPULatency,GPUDuration,GPUBusy,DisplayLatency,DisplayDuration,InputLatency
        a.exe,1,0x1,DXGI,0,0,0,Composed: Flip,100000000,9,1,2,5,4,30,10,25
        a.exe,1,0x1,DXGI,0,0,0,Composed: Flip,100100000,9,1,2,5,4,30,10,0

        """)
    let row = frames.surfaces[0].frames
    #expect(row.count == 2 && row[0, .gpuTime] == 5_000_000 && row[0, .gpuBusy] == 4_000_000)
    #expect(
      row[1, .appStart].flatMap { later in row[0, .appStart].map { later - $0 } } == 10_000_000)
    #expect(
      row[0, .displayed].flatMap { shown in row[0, .appStart].map { shown - $0 } } == 30_000_000)
    #expect(frames.touches.count == 1)
    let presents = try TestData.read(
      text: """
        Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,TimeInSeconds,msInPresentAPI,msBetweenPresents,AllowsTearing,PresentMode,msUntilRenderStarts,msUntilRenderComplete,msUntilDisplayed,msBetweenDisplayChange,GPUDuration,VideoDuration
        a.exe,1,0x1,DXGI,0,0,0,1.000,1,10,0,Composed: Flip,1,6,20,10,4.5,0.5
        a.exe,1,0x1,DXGI,0,0,0,1.010,1,10,0,Composed: Flip,1,6,20,10,4.5,0.5

        """
    ).surfaces[0].frames
    #expect(presents[0, .gpuBusy] == 4_500_000 && presents[0, .videoBusy] == 500_000)
    #expect(presents[0, .gpuStart] == 1_001_000_000)
  }

  /// A row with a click and a newer input: each figure comes from a separate column.
  @Test func inputToPhotonIsTheNewestInputOfARow() throws {
    // The last column of the other rows is ClickToPhotonLatency.
    let header = String(Self.frames.dropLast()) + ",AllInputToPhotonLatency\n"
    let row = "a.exe,1,0x1,DXGI,0,0,0,Composed: Flip,Application"
    let trace = try TestData.read(
      text: header + "\(row),10,10,9,1,1,1,1,0,30,10,40,25\n"
        + "\(row),20,10,9,1,1,1,1,0,30,10,NA,22\n" + "\(row),30,10,9,1,1,1,1,0,30,10,28,28\n")
    let surface = MeasuredSurface(Pipeline(reconstructing: trace), index: 0)
    let values = [InputLatencyMetric.inputToPhoton, .clickToPhoton].map { metric -> [Int64] in
      if case .sample(let sample) = metric.measure(surface).content { return sample.values }
      return []
    }
    #expect(values == [[25_000_000, 22_000_000, 28_000_000], [40_000_000, 28_000_000]])
  }

  @Test func framesOfSeveralProcessesComeApartAndInOrder() throws {
    let row = "DXGI,0,0,0,Composed: Flip,Application"
    let trace = try TestData.read(
      text: Self.frames + "a.exe,1,0x1,\(row),30,10,9,1,1,1,1,0,15,10,NA\n"
        + "a.exe,2,0x1,\(row),5,10,9,1,1,1,1,0,15,10,NA\n"
        + "a.exe,1,0x1,\(row),20,10,9,1,1,1,1,0,15,10,NA\n")
    #expect(trace.surfaces.map(\.id) == ["1:0x1", "2:0x1"])
    #expect(trace.surfaces[0].frames[0, .appStart] == 20_000_000)
    #expect(trace.issues.first { $0.kind == .disorder }?.count == 1)
  }

  @Test func anInputOfAFrameThatWasNeverShownBelongsToTheNextOneThatWas() throws {
    let header = String(Self.presents.dropLast()) + ",msSinceInput\n"
    let trace = try TestData.read(
      text: header + "\(Self.owner),1,1.000,10,0,0.1,2.0,0.000,4.0\n"
        + "\(Self.owner),0,1.010,10,0,0.1,2.0,20.0,0\n")
    let surface = MeasuredSurface(Pipeline(reconstructing: trace), index: 0)
    guard case .sample(let sample) = InputLatencyMetric.inputToPhoton.measure(surface).content
    else {
      Issue.record("no input latency")
      return
    }
    #expect(sample.values == [34_000_000])
  }

  @Test func generatedFramesStayApartFromTheApplications() throws {
    let rows = ["10,20,18,2,1,5,5,0,30,10,NA", "10,0,0,0,0,0,0,0,40,10,NA"]
    let text =
      Self.framesFile([rows[0]])
      + Self.framesFile([rows[1]], type: "AMD AFMF")
      .dropFirst(Self.frames.count)
    let trace = try TestData.read(
      text: text
        + Self.framesFile(["30,20,18,2,1,5,5,0,30,10,NA"])
        .dropFirst(Self.frames.count))
    let analysis = TraceAnalysis(of: trace)
    #expect(analysis.surfaces[0].outcomes.generated == 1)
    #expect(analysis.surfaces[0].outcomes.displayed == 3)
    guard case .summary(let frameTime) = analysis.surfaces[0]["frameTime"]?.figures,
      case .summary(let shown) = analysis.surfaces[0]["displayChange"]?.figures
    else {
      Issue.record("no figures")
      return
    }
    #expect(frameTime.n == 2)
    #expect(frameTime.mean == 20)
    #expect(shown.n == 2)
    #expect(shown.maximum == 10)
    let excluded = analysis.surfaces[0]["frameTime"]?.exclusions.first
    #expect(excluded?.reason == "generated by a driver")
    #expect(excluded?.count == 1)
  }

  /// Frames of the app every 16.6667 ms, each followed on the display by a generated one.
  /// - Parameters:
  ///   - ownPresent: How long after the app's present the generated frame is presented; `nil` if it
  ///     shares the app's call.
  ///   - shown: How long after the app's frame it is displayed.
  private static func generating(ownPresent: Int?, shown: Int) -> String {
    let header =
      "Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,"
      + "AllowsTearing,PresentMode,FrameType,TimeInQPC,MsBetweenPresents,MsBetweenDisplayChange,"
      + "MsInPresentAPI,MsUntilDisplayed,CPUStartQPC,MsBetweenAppStart,MsCPUBusy\n"
    let ms = { (ticks: Int) in FixedNumber.text(Double(ticks) / 10_000, decimals: 4) }
    let step = 166_667
    let rows = (0..<120).map { index -> String in
      let time = 10_000_000 + index * step
      let generated = time + (ownPresent ?? 0)
      let before = ownPresent.map { step - $0 } ?? step
      let change = "\(ms(step - shown))"
      let own =
        "Application,\(time),\(ms(index == 0 ? step : before)),\(index == 0 ? "NA" : change),2,30,"
        + "\(time - 100_000),\(ms(step)),10"
      let driver =
        "Intel XeSS-FG,\(generated),\(ms(ownPresent ?? step)),\(ms(shown)),2,"
        + "\(ms(300_000 + shown - (ownPresent ?? 0))),\(time - 100_000),NA,NA"
      return "\(Self.owner),\(own)\n\(Self.owner),\(driver)\n"
    }
    return header + rows.joined()
  }

  /// The interval of a present call counts from the previous call of any kind.
  @Test(arguments: [nil, 83_333, 50_000])
  func generatedFramesWithCallsOfTheirOwnChangeNoTime(_ ownPresent: Int?) throws {
    for shown in [83_333, 50_000] {
      let trace = try TestData.read(text: Self.generating(ownPresent: ownPresent, shown: shown))
      let frames = trace.surfaces[0].frames
      #expect(trace.issues.allSatisfy { $0.kind != .clockAssumed && $0.kind != .timeRebuilt })
      let own = (0..<frames.count).filter {
        frames[$0, .kind] != FrameColumn.Kind.generated.rawValue
      }
      #expect(own.count == 120 && frames.count == 240)
      #expect(own.dropFirst().allSatisfy { frames[$0, .presentInterval] == 16_666_700 })
      let surface = TraceAnalysis(of: trace).surfaces[0]
      let rate = try #require(surface["averageFrameRate"]?.figures)
      guard case .figure(let figure, _) = rate else { throw CancellationError() }
      #expect(abs(figure - 60) < 0.01)
      // A driver's own pacing is not a refresh.
      let refreshes = Pipeline(reconstructing: trace).surfaces[0].refreshes
      let interval = refreshes.interval?.milliseconds
      #expect(
        shown == 50_000 ? interval == nil : interval.map { abs($0 - 8.3333) < 0.001 } ?? false)
      #expect(surface.drops.value?.refreshes ?? 0 == 0)
    }
  }
}

/// The time columns that PresentMon has used, each with its unit.
@Suite struct PresentMonClockTests {
  /// Reads 40 frames of 16.6 ms whose time column is made by `time` from milliseconds.
  static func read(_ column: String, _ time: (Double) -> String) throws -> Trace {
    let header = PresentMonTests.frames.replacing("CPUStartTime", with: column)
    let rows = (0..<40).map { index in
      "\(PresentMonTests.owner),Application,\(time(1000 + 16.6 * Double(index))),"
        + "16.6,14.1,2.5,1.5,12,10,2,31.2,16.6,NA\n"
    }
    return try TestData.read(text: header + rows.joined())
  }

  static func starts(_ trace: Trace) -> [Int64] {
    let frames = trace.surfaces[0].frames
    return (0..<frames.count).compactMap { frames[$0, .appStart] }
  }

  @Test func ticksOfTenMegahertzAreToldByTheIntervals() throws {
    let trace = try Self.read("CPUStartQPC") { "\(Int(($0 * 10_000).rounded()))" }
    #expect(Self.starts(trace)[1] - Self.starts(trace)[0] == 16_600_000)
    #expect(trace.clocks[0].name == "QPC")
    #expect(trace.issues.allSatisfy { $0.kind != .clockAssumed })
  }

  @Test func ticksOfAnotherRateAreWorkedOutAndSaidSo() throws {
    let trace = try Self.read("CPUStartQPC") { "\(Int(($0 * 3_000).rounded()))" }
    #expect(Self.starts(trace)[1] - Self.starts(trace)[0] == 16_600_000)
    #expect(
      trace.issues.first { $0.kind == .clockAssumed }?.message
        == "a counter rate of 3000000 Hz, computed from the intervals")
  }

  @Test func ticksThatNothingConfirmsAreAssumedAndSaidSo() throws {
    let header = PresentMonTests.frames.replacing("CPUStartTime", with: "CPUStartQPC")
    let trace = try TestData.read(
      text: header + "\(PresentMonTests.owner),Application,5000,16.6,14,2,1,1,1,0,30,16,NA\n")
    #expect(Self.starts(trace) == [500_000])
    #expect(trace.issues.contains { $0.kind == .clockAssumed })
  }

  @Test(arguments: [
    ("CPUStartTime", 1.0), ("CPUStartTimeInMs", 1.0), ("CPUStartQPCTime", 1.0),
    ("CPUStartQPCTimeInMs", 1.0), ("CPUStartTimeInSeconds", 0.001),
  ])
  func namesTellMillisecondsFromSeconds(_ column: String, _ factor: Double) throws {
    let trace = try Self.read(column) { FixedNumber.text($0 * factor, decimals: 7) }
    #expect(Self.starts(trace)[0] == 1_000_000_000)
    #expect(Self.starts(trace)[1] == 1_016_600_000)
    #expect(trace.issues.allSatisfy { $0.kind != .clockAssumed })
  }

  @Test func aColumnInSecondsUnderAMillisecondNameIsToldByTheIntervals() throws {
    let trace = try Self.read("CPUStartTime") { FixedNumber.text($0 / 1000, decimals: 7) }
    #expect(Self.starts(trace)[1] == 1_016_600_000)
    #expect(trace.issues.contains { $0.kind == .clockAssumed })
  }

  @Test func aColumnInMillisecondsUnderASecondsNameIsToldByTheIntervals() throws {
    let trace = try Self.read("CPUStartTimeInSeconds") { FixedNumber.text($0, decimals: 4) }
    #expect(Self.starts(trace)[1] == 1_016_600_000)
    #expect(trace.issues.contains { $0.kind == .clockAssumed })
  }

  @Test func dateAndTimeIsReadWithoutPaddingToTheNanosecond() throws {
    #expect(PresentMonClock.dateAndTime("1970-1-1 0:00:00.000000001") == 1)
    #expect(PresentMonClock.dateAndTime("2024-5-9 13:02:11.123456789") == 1_715_259_731_123_456_789)
    #expect(PresentMonClock.dateAndTime("2024-02-29 00:00:00") == 1_709_164_800_000_000_000)
    for text in [
      "", "2024-13-1 0:0:0", "2024-5-9", "yesterday", "2024-5-9 25:00:00", "1-2-3 4:5:6",
    ] {
      #expect(PresentMonClock.dateAndTime(text) == nil, "\(text)")
    }
    let trace = try Self.read("CPUStartDateTime") {
      "2024-5-9 13:02:\(FixedNumber.text($0 / 1000, decimals: 9))"
    }
    #expect(Self.starts(trace)[1] - Self.starts(trace)[0] == 16_600_000)
    #expect(trace.clocks[0].name == "local date and time")
  }

  @Test func timesCoarserThanTheFramesAreWorkedOutFromTheIntervals() throws {
    // Four digits, as Intel's capture application writes them.
    let trace = try Self.read("CPUStartTimeInSeconds") {
      FixedNumber.text(($0 / 10).rounded() / 100, decimals: 2)
    }
    let starts = Self.starts(trace)
    #expect(zip(starts.dropFirst(), starts).allSatisfy { $0 - $1 == 16_600_000 })
    let issue = trace.issues.first { $0.kind == .timeRebuilt }
    #expect(issue?.count == 40)
    #expect(issue?.message.hasSuffix("recomputed from FrameTime") == true)
  }

  @Test func qpcTimeWithAPointIsInSeconds() throws {
    let header = String(PresentMonTests.presents.dropLast()) + ",QPCTime\n"
    let trace = try TestData.read(
      text: header + "\(PresentMonTests.owner),0,1.0,16.6,0,0.1,2.0,20.0,500.25000000000000\n")
    #expect(trace.surfaces[0].frames[0, .commit] == 500_250_000_000)
  }

  @Test func withoutATimeColumnTimesAreTheSumsOfTheIntervals() throws {
    let header = PresentMonTests.presents.replacing("TimeInSeconds,", with: "")
    let row = "\(PresentMonTests.owner),0"
    let trace = try TestData.read(
      text: header + "\(row),16,0,0.1,2,20\n\(row),17,17,0.1,2,20\n\(row),18,18,0.1,2,20\n")
    let frames = trace.surfaces[0].frames
    #expect((0..<3).map { frames[$0, .commit] } == [16_000_000, 33_000_000, 51_000_000])
    #expect(trace.issues.count { $0.kind == .timeRebuilt } == 1)
  }
}

/// Errors in a file are reported with their position, and the correct parts are still read.
@Suite struct PresentMonFlawTests {
  @Test func rowsOfAnotherWidthAreLeftOutAndCounted() throws {
    let good = (0..<3).map { "\(PresentMonTests.owner),0,1.0\($0),16.6,0,0.1,2.0,20.0\n" }
    let trace = try TestData.read(
      text: PresentMonTests.presents + good[0] + "game.exe,7\n" + good[1] + "a,b,c\n" + good[2])
    #expect(trace.frameCount == 3)
    let issue = trace.issues.first { $0.kind == .rowWidth }
    #expect(issue?.count == 2)
    #expect(issue?.first == .line(3))
  }

  @Test func aLastRowWithoutLineFeedIsARowAndACutOneIsNot() throws {
    let row = "\(PresentMonTests.owner),0,1.0,16.6,0,0.1,2.0,20.0"
    let whole = try TestData.read(text: PresentMonTests.presents + row)
    #expect(whole.frameCount == 1)
    let cut = try TestData.read(text: PresentMonTests.presents + row + "\n" + row.dropLast(12))
    #expect(cut.frameCount == 1)
    #expect(cut.issues.map(\.kind) == [.cutOff])
  }

  @Test func absurdNumbersAreMissingAndCountedByColumn() throws {
    let trace = try TestData.read(
      text: PresentMonTests.presents
        + "\(PresentMonTests.owner),0,1.0,1844674407370955,0,0.1,2.0,20.0\n"
        + "\(PresentMonTests.owner),0,1.0166,16.6,0,0.1,many,-1844674407370945.5000\n")
    #expect(trace.frameCount == 2)
    let found = trace.issues.map {
      "\($0.kind) \($0.count) \($0.first?.description ?? "") \($0.message)"
    }
    #expect(
      found == [
        "absurdValue 1 line 2 MsBetweenPresents: implausibly large numbers, treated as missing",
        "malformedValue 1 line 3 MsUntilRenderComplete: expected a number, treated as missing",
        "absurdValue 1 line 3 MsUntilDisplayed: implausibly large numbers, treated as missing",
      ])
  }

  @Test func aHeaderThatComesAgainIsLeftOut() throws {
    let rows = [1, 2].map { "\(PresentMonTests.owner),0,\($0).0,16.6,0,0.1,2.0,20.0\n" }
    let trace = try TestData.read(
      text: PresentMonTests.presents + rows[0] + PresentMonTests.presents + rows[1])
    #expect(trace.frameCount == 2)
    #expect(trace.issues.contains { $0.kind == .malformedLine && $0.count == 1 })
  }

  @Test func renderTimesThatAreAllZeroWereNotMeasured() throws {
    let rows = [1, 2].map { "\(PresentMonTests.owner),0,\($0).0,16.6,0,0.1,0.000,20.0\n" }
    let trace = try TestData.read(text: PresentMonTests.presents + rows.joined())
    #expect(!trace.surfaces[0].frames.has(.gpuEnd))
    #expect(trace.issues.contains { $0.kind == .columnUnused })
  }

  @Test func displayChangesOnFramesNeverShownAreWorkedOutAgain() throws {
    let trace = try TestData.read(
      text: PresentMonTests.presents + "\(PresentMonTests.owner),0,1.0,16,16,0.1,2.0,20.0\n"
        + "\(PresentMonTests.owner),1,1.016,16,16,0.1,2.0,0\n"
        + "\(PresentMonTests.owner),0,1.032,16,0,0.1,2.0,20.0\n")
    #expect(trace.issues.contains { $0.kind == .columnRecomputed })
    let surface = MeasuredSurface(Pipeline(reconstructing: trace), index: 0)
    guard case .sample(let sample) = FrameMetric.displayChange.measure(surface).content else {
      Issue.record("no display changes")
      return
    }
    #expect(sample.values == [32_000_000])
  }

  @Test func columnsOutsideOfTheModelAreKeptByNameAndUnit() throws {
    let header = String(PresentMonTests.presents.dropLast()) + ",GPU0Clk(MHz),MsPCLatency,Note\n"
    let trace = try TestData.read(
      text: header + "\(PresentMonTests.owner),0,1.0,16,16,0.1,2.0,20.0,1800,12.5,hello\n"
        + "\(PresentMonTests.owner),0,1.016,16,16,0.1,2.0,20.0,1900,NA,\n")
    let extras = trace.surfaces[0].frames.extras
    let found = extras.suffix(3).map { extra in
      "\(extra.name) \(extra.unit ?? "-") \(extra.text(0) ?? "-") \(extra.text(1) ?? "-")"
    }
    #expect(found == ["GPU0Clk(MHz) MHz 1800 1900", "MsPCLatency ms 12.5 -", "Note - hello -"])
    #expect(trace.surfaces[0].frames.text(1, .presentMode) == "Hardware: Independent Flip")
  }

  /// Notes are in the order of their lines, wherever a pipe ends a block.
  @Test func notesAreInTheOrderOfLines() throws {
    let owner = PresentMonTests.owner
    let text =
      PresentMonTests.presents + "\(owner),0,1.000,16,16,0.1,2.0,20.0\n"
      + "\(owner),0,1.016,16,16,0.1,2.0,twenty\n" + "\(owner),0,1.032,16,16,0.1,two,20.0\n"
      + "\(owner),0,1.048,16,16\n" + "\(owner),0,1.064,sixteen,16,0.1,2.0,20.0\n"
      + "\(owner),0,1.080,16,16,0.1,2.0,20.0\n"
    let issues = try TestData.read(text: text).issues
    let lines = issues.compactMap { issue in
      if case .line(let line) = issue.first { line } else { nil }
    }
    #expect(lines == [3, 4, 5, 6])
    #expect(issues.prefix(4).allSatisfy { $0.first != nil && $0.count == 1 })
  }

  /// Each of many swap chains has its own rows, modes and owner, however they are mixed.
  @Test func theRowsOfManySwapChainsAreKeptApart() throws {
    let modes = [
      "Composed: Flip", "Hardware: Independent Flip", "NA", "Composed: Copy with GPU GDI",
    ]
    let chains = 300
    var text =
      "Application,ProcessID,SwapChainAddress,PresentMode,TimeInSeconds,msBetweenPresents\n"
    for row in 0..<3 * chains {
      let chain = row * 7 % chains
      // The third frame of a chain is presented in another mode.
      let mode = modes[(chain + row / (2 * chains)) % modes.count]
      text += "game\(chain % 5).exe,\(chain % 7),0x\(chain),\(mode),\(row + 1),1000\n"
    }
    let trace = try TestData.read(text: text)
    #expect(trace.surfaces.count == chains)
    for (chain, surface) in trace.surfaces.enumerated().map({ ($0 * 7 % chains, $1) }) {
      #expect(surface.id == "\(chain % 7):0x\(chain)" && surface.process == "game\(chain % 5).exe")
      let expected = [0, 0, 1].map { modes[(chain + $0) % modes.count] }
      let found = (0..<surface.frames.count).map { surface.frames.text($0, .presentMode) ?? "NA" }
      #expect(found == expected, "swap chain \(chain)")
    }
  }

  @Test func aFileOfOnlyAHeaderIsRefused() {
    let error = TestData.error(text: PresentMonTests.presents, path: "empty.csv")
    #expect(
      error?.description
        == "empty.csv: expected records in the capture (PresentMon CSV, 1.x columns), found only its start"
    )
  }

  @Test func aFileCutAnywhereReadsOrThrows() throws {
    let text = Array(
      (PresentMonTests.frames
        + (0..<4).map { index in
          "\(PresentMonTests.owner),Application,\(index * 17),16.6,14.1,2.5,1.5,12,10,2,31.2,16.6,NA\r\n"
        }.joined()).utf8)
    for length in 0...text.count {
      let input = try InputFile(bytes: Array(text.prefix(length)))
      do throws(ParseError) {
        let trace = try Importers.read(input)
        #expect(trace.frameCount <= 4)
      } catch {
        #expect(!error.problem.isEmpty)
      }
    }
  }
}

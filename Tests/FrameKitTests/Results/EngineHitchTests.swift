import Testing

@testable import FrameAnalysis
@testable import FrameReport
@testable import FrameTrace

/// Long frames of an engine, and which of its threads was longer then.
@Suite struct EngineHitchTests {
  /// 60 frames of 16 ms with threads of 8 ms; one frame, and one counter some rows after it, are longer.
  private static func sentence(
    frame: Int64 = 50, _ column: FrameColumn? = .renderThread, counter: Int64 = 45, lag: Int = 0,
    within region: TraceRegion? = nil
  ) -> String? {
    hitches(frame: frame, column, counter: counter, lag: lag, within: region)?.sentence
  }

  private static func hitches(
    frame: Int64 = 50, _ column: FrameColumn? = .renderThread, counter: Int64 = 45, lag: Int = 0,
    within region: TraceRegion? = nil
  ) -> EngineHitches? {
    var frames = Table<FrameColumn>()
    for row in 0..<60 {
      var values = Table<FrameColumn>.Row()
      values[.commit] = Int64(row) * 16_000_000
      values[.presentInterval] = (row == 30 ? frame : 16) * 1_000_000
      for own in [FrameColumn.gameThread, .renderThread, .rhiThread, .gpuBusy] {
        values[own] = 8_000_000
      }
      if let column, row == 30 + lag { values[column] = counter * 1_000_000 }
      frames.append(values)
    }
    return EngineHitches(frames, within: region, lag: 2)
  }

  private static let words: [(FrameColumn, String)] = [
    (.gameThread, "game thread"), (.renderThread, "render thread"), (.rhiThread, "RHI thread"),
    (.gpuBusy, "GPU"),
  ]

  @Test(arguments: 0...2) func theLongerThreadIsFoundUpToTwoRowsLater(_ lag: Int) {
    for (column, name) in Self.words {
      #expect(
        Self.sentence(column, lag: lag)
          == "1 of 60 frames took more than twice the usual (above 32.0 ms): 1 with a longer \(name)"
      )
    }
  }

  @Test func threeRowsLaterIsAnotherFrame() {
    #expect(Self.sentence(.gameThread, lag: 3)?.hasSuffix("1 with none of them longer") == true)
    #expect(Self.sentence(nil)?.hasSuffix("1 with none of them longer") == true)
  }

  /// Both sides of twice the usual, and of a quarter of it.
  @Test func theLimits() {
    #expect(Self.sentence(frame: 32) == nil && Self.sentence(frame: 33) != nil)
    #expect(Self.sentence(counter: 11)?.contains("none of them longer") == true)
    #expect(Self.sentence(counter: 12)?.contains("longer render thread") == true)
  }

  /// A source whose rows are a frame's own is not searched further.
  @Test func withoutALagOnlyTheRowItselfCounts() {
    var frames = Table<FrameColumn>()
    for row in 0..<60 {
      var values = Table<FrameColumn>.Row()
      values[.commit] = Int64(row) * 16_000_000
      values[.presentInterval] = row == 30 ? 50_000_000 : 16_000_000
      values[.gameThread] = row == 32 ? 45_000_000 : 8_000_000
      frames.append(values)
    }
    let sentence = { (lag: Int) in EngineHitches(frames, within: nil, lag: lag)?.sentence ?? "" }
    #expect(sentence(2).hasSuffix("1 with a longer game thread"))
    #expect(sentence(0).hasSuffix("1 with none of them longer"))
  }

  /// A part of a trace is counted and compared by its own frames.
  @Test func aPartHasItsOwnCounts() {
    let time = { (row: Int64) in Timestamp(nanoseconds: row * 16_000_000) }
    let before = TraceRegion(start: nil, end: time(30))
    let around = TraceRegion(start: time(20), end: time(40))
    #expect(Self.sentence(within: before) == nil)
    #expect(Self.sentence(within: around)?.hasPrefix("1 of 20 frames took") == true)
    // Both sides of the fewest frames that are judged.
    let (nine, ten) = (
      TraceRegion(start: time(26), end: time(35)), TraceRegion(start: time(26), end: time(36))
    )
    #expect(Self.sentence(within: nine) == nil && Self.sentence(within: ten) != nil)
  }

  /// A script reads the same figures as a person.
  @Test func theJSONHasTheFiguresOfTheSentences() throws {
    let medians = ["frameTime": 16.0, "gameThreadTime": 15, "gpuBusy": 4]
    let engine = try #require(EngineWords { medians[$0].map { ($0, 60) } })
    let hitches = try #require(Self.hitches(.gameThread))
    let text = JSONText.write(FieldRecord(EngineWords.fields, of: (engine, hitches)))
      .filter { !$0.isWhitespace }
    #expect(
      text.hasPrefix(
        #"{"fills":"game_thread","frame_time_ms":16,"game_thread_ms":15,"render_thread_ms":null,"rhi_thread_ms":null,"gpu_ms":4,"n":60,"long":{"frames":1,"n":60,"above_ms":32,"game_thread":1,"render_thread":0,"rhi_thread":0,"gpu":0,"none":0},"why_missing":"#
      ), "\(text)")
  }
}

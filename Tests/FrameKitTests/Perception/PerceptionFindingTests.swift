import FrameTrace
import Testing

@testable import FrameAnalysis
@testable import FrameImporters

/// What models say of traces: only where they are valid, with the trace's own rates.
struct PerceptionFindingTests {
  /// A trace whose pictures are shown at given times, in ms.
  private func findings(
    _ times: [Double], interval: Double? = 1000 / 120.0
  ) throws -> [PerceptionModel: PerceptionFinding] {
    let nanoseconds = times.map { Int64(($0 * 1e6).rounded()) }
    var lines = [#"{"schema":"frametool.trace/1","unit":"ns","origin":"a test"}"#]
    if let interval {
      lines.append(
        #"{"type":"display","id":"d","interval":\#(Int64((interval * 1e6).rounded())),"variable":false}"#
      )
    } else {
      lines.append(#"{"type":"display","id":"d","shortestInterval":6944400,"variable":true}"#)
    }
    lines.append(#"{"type":"surface","id":"s","process":"p","display":"d","bufferOwner":"app"}"#)
    for (position, time) in nanoseconds.enumerated() {
      let end =
        position + 1 < nanoseconds.count ? #","replaced":\#(nanoseconds[position + 1])"# : ""
      // The app works on each frame from the one before on, so that a long picture is no rest.
      let start = (position > 0 ? nanoseconds[position - 1] : time - 12_000_000) - 10_000_000
      lines.append(
        #"{"type":"frame","surface":"s","fate":"displayed","appStart":\#(start),"commit":\#(time - 8_000_000),"displayed":\#(time)\#(end)}"#
      )
    }
    let input = try InputFile(
      bytes: Array((lines.joined(separator: "\n") + "\n").utf8), path: "t.jsonl")
    var options = AnalysisOptions()
    options.predictsPerception = true
    let analysis = TraceAnalysis(of: Study(of: try Importers.read(input), options))
    let all = try #require(analysis.surfaces.first).perception
    return Dictionary(uniqueKeysWithValues: all.map { ($0.model, $0) })
  }

  /// Times of pictures at a rate, from 100 ms on.
  private func steady(_ rate: Double, seconds: Double, from start: Double = 100) -> [Double] {
    (0...Int(seconds * rate)).map { start + Double($0) * 1000 / rate }
  }

  @Test func halfTheDisplaysRateIsComparedWithAllOfIt() throws {
    let found = try #require(try findings(steady(60, seconds: 12))[.steadyRate])
    let prediction = try #require(found.predictions.first)
    // 60 against 120 Hz: 4 to 13 % over 15 to 45°/s.
    #expect(
      abs(prediction.low - 0.035) < 0.01 && abs(prediction.high - 0.13) < 0.01, "\(prediction)")
    #expect(
      prediction.sentence.contains("60 Hz over the display's 120 Hz"), "\(prediction.sentence)")
    #expect(found.predictions.count == 1)
  }

  @Test func whatIsOutsideOrUnsteadyIsRefusedWithTheReason() throws {
    let slow = try #require(try findings(steady(30, seconds: 12))[.steadyRate])
    #expect(
      slow.predictions.isEmpty
        && slow.why?.contains("30 Hz is outside the model's 50 to 165 Hz") == true)
    let own = try #require(try findings(steady(120, seconds: 12))[.steadyRate])
    #expect(own.predictions.isEmpty && own.why?.contains("no second rate") == true)
    // 3, 2, 3, 2 refreshes: a mean of 48 Hz that nobody sees.
    var (times, time) = ([100.0], 100.0)
    for position in 0..<600 {
      time += (position % 2 == 0 ? 3 : 2) * 1000 / 120.0
      times.append(time)
    }
    let uneven = try #require(try findings(times)[.steadyRate])
    #expect(
      uneven.predictions.isEmpty
        && uneven.why?.contains("no second was shown at a steady rate") == true)
  }

  /// Both sides of the second that makes a rate steady.
  @Test(arguments: [(0.95, false), (1.05, true)])
  func aSteadyTimeLastsASecond(_ seconds: Double, _ isSteady: Bool) throws {
    var times: [Double] = []
    for part in 0..<12 {
      // Pictures of three refreshes keep the parts at 60 Hz apart.
      let start = (times.last ?? 75) + 25
      times += steady(60, seconds: seconds, from: start)
      _ = part
    }
    let found = try #require(try findings(times)[.steadyRate])
    #expect(found.predictions.isEmpty != isSteady, "\(found)")
  }

  /// A display of variable refresh has no interval that steps could be rounded to: only rates within 5 % are steady.
  @Test func onVariableRefreshAShareOfTheStepIsUnsteady() throws {
    var times = [100.0]
    for position in 0..<1500 { times.append((times.last ?? 0) + (position % 2 == 0 ? 8 : 12)) }
    let uneven = try #require(try findings(times, interval: nil)[.steadyRate])
    #expect(
      uneven.predictions.isEmpty && uneven.why?.contains("no second was shown") == true, "\(uneven)"
    )
    // 100 Hz against the 144 Hz that the panel can do.
    let even = try #require(try findings(steady(100, seconds: 10), interval: nil)[.steadyRate])
    #expect(
      even.predictions.first?.sentence.contains("100 Hz over the display's 144 Hz") == true,
      "\(even)")
  }

  @Test func longPicturesAreListedAndNotRated() throws {
    let first = steady(60, seconds: 6)
    let second = steady(60, seconds: 6, from: (first.last ?? 0) + 100)
    let found = try #require(try findings(first + second)[.steadyRate])
    #expect(
      found.predictions.count == 1
        && found.why == "it says nothing about one longer picture, of 100 ms")
  }

  /// A display of variable refresh whose pictures stay alternately longer and shorter, so many times a second.
  private func swing(_ frequency: Double, depth: Double, seconds: Double = 20) -> [Double] {
    var times = [100.0]
    while let last = times.last, last < seconds * 1000 {
      let isLong = Int(2 * frequency * last / 1000) % 2 == 0
      times.append(last + 10 * (isLong ? 1 + depth : 1 - depth))
    }
    return times
  }

  @Test(arguments: [1.5, 5.0, 10.0])
  func aRegularSwingSaysWhatLightMayDiffer(_ frequency: Double) throws {
    let found = try #require(try findings(swing(frequency, depth: 0.2), interval: nil)[.flicker])
    let prediction = try #require(found.predictions.first, "\(found)")
    let expected = FlickerSensitivity.visibleDifference(at: frequency, luminance: 100) * 100
    #expect(abs(prediction.low - expected) < 0.05, "\(prediction)")
    #expect(
      prediction.sentence.contains(
        "swing at \(frequency == 1.5 ? "1.5" : frequency == 5 ? "5" : "10") Hz"),
      "\(prediction.sentence)")
  }

  @Test func whatDoesNotSwingFlickersNot() throws {
    let steady = try #require(try findings(swing(5, depth: 0.01), interval: nil)[.flicker])
    #expect(steady.predictions.isEmpty && steady.why == "frame times hardly differ")
    let fixed = try #require(try findings(self.steady(60, seconds: 12))[.flicker])
    #expect(fixed.why == "the trace does not say that the display's refresh varies")
    let short = try #require(
      try findings(swing(5, depth: 0.2, seconds: 4), interval: nil)[.flicker])
    #expect(short.predictions.isEmpty && short.why?.contains("five seconds") == true)
    var (times, state) = ([100.0], UInt64(7))
    while let last = times.last, last < 20_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      times.append(last + 8 + 4 * Double(state >> 40) / Double(1 << 24))
    }
    let random = try #require(try findings(times, interval: nil)[.flicker])
    #expect(
      random.predictions.isEmpty && random.why?.contains("do not swing regularly") == true,
      "\(random)")
  }

  // Both sides of each bound.

  @Test(arguments: [(0.02, true), (0.03, false)])
  func onVariableRefreshStepsWithinATwentiethAreSteady(_ share: Double, _ isSteady: Bool) throws {
    var times = [100.0]
    for position in 0..<1500 {
      times.append((times.last ?? 0) + 10 * (position % 2 == 0 ? 1 + share : 1 - share))
    }
    let found = try #require(try findings(times, interval: nil)[.steadyRate])
    #expect(found.predictions.isEmpty != isSteady, "\(found)")
  }

  @Test(arguments: [(0.022, false), (0.028, true)])
  func ratesThatDifferByATwentiethSwing(_ depth: Double, _ swings: Bool) throws {
    let found = try #require(try findings(swing(5, depth: depth), interval: nil)[.flicker])
    #expect(found.predictions.isEmpty != swings, "\(found)")
  }

  @Test(arguments: [(4.8, false), (5.3, true)])
  func aSwingIsSeenFromFiveSecondsOn(_ seconds: Double, _ isSeen: Bool) throws {
    let found = try #require(
      try findings(swing(5, depth: 0.2, seconds: seconds), interval: nil)[.flicker])
    #expect(found.predictions.isEmpty != isSeen, "\(found)")
  }

  /// Noise over a swing takes its share of the changes, until the swing is no clear line any more.
  @Test func moreNoiseNeverMakesASwingClearer() throws {
    var isClear = true
    for noise in [0.0, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8] {
      var (times, state) = ([100.0], UInt64(11))
      while let last = times.last, last < 20_000 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let random = 2 * Double(state >> 40) / Double(1 << 24) - 1
        times.append(last + 10 * (Int(10 * last / 1000) % 2 == 0 ? 1.2 : 0.8) + 10 * noise * random)
      }
      let found = try #require(try findings(times, interval: nil)[.flicker])
      #expect(isClear || found.predictions.isEmpty, "\(noise)")
      isClear = !found.predictions.isEmpty
      if noise == 0 { #expect(isClear) }
    }
    #expect(!isClear)
  }

  @Test(arguments: [(2.0, false), (3.0, true)])
  func aPictureOfThreeRefreshesIsLong(_ refreshes: Double, _ isLong: Bool) throws {
    let first = steady(60, seconds: 6)
    let second = steady(60, seconds: 6, from: (first.last ?? 0) + refreshes * 1000 / 60)
    let found = try #require(try findings(first + second, interval: 1000 / 60.0)[.steadyRate])
    #expect(found.why?.contains("one longer picture") == isLong, "\(found)")
  }

  /// Other displays and other apps: 40 Hz, 30 of 60 Hz, one frame.
  @Test func theReasonsHoldForOtherTraces() throws {
    let slow = try findings(steady(40, seconds: 12), interval: 25)
    #expect(slow[.steadyRate]?.why?.contains("the display's own") == true)
    let one = try findings([100])
    #expect(
      one[.steadyRate]?.why == "only one frame was shown"
        && one[.flicker]?.predictions.isEmpty == true)
  }

  /// Without being asked, an analysis has none of it.
  @Test func itIsOffByDefault() { #expect(!AnalysisOptions().predictsPerception) }
}

import FrameStatistics
import Testing

@testable import FrameAnalysis
@testable import FrameReport
@testable import FrameTrace

/// What an importer repairs before anything is measured: frames that an input has twice, and clocks
/// that go back.
@Suite("Repairs of what was read")
struct TraceRepairTests {
  private static let header =
    "Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,FrameType,TimeInSeconds,MsBetweenPresents,MsBetweenDisplayChange,MsInPresentAPI,MsRenderPresentLatency,MsUntilDisplayed,CPUStartTimeInSeconds,MsBetweenAppStart,MsCPUBusy,MsCPUWait\n"

  private static func row(_ milliseconds: Double, _ application: String = "game.exe") -> String {
    let seconds = { (time: Double) in FixedNumber.text(time / 1000, decimals: 6) }
    return
      "\(application),100,0x1,DXGI,1,0,0,Hardware: Independent Flip,Application,\(seconds(milliseconds)),16.6667,16.6667,0.3,5.0,20.0,\(seconds(milliseconds - 16)),16.6667,16.0,0.3\n"
  }

  private static func rows(_ count: Int, from start: Double = 1000) -> [String] {
    (0..<count).map { row(start + Double($0) * 16.6667) }
  }

  private static func figures(_ text: String) throws -> (trace: Trace, words: String) {
    let trace = try TestData.read(text: header + text, path: "game.csv")
    let surface = TraceAnalysis(of: trace).surfaces[0]
    let drops = try #require(surface.drops.value)
    let metrics = surface.metrics.map { "\($0.name) \($0.figures)" }
    return (trace, "\(drops.sentence) \(metrics)")
  }

  @Test("rows that an input has twice change nothing but the warning")
  func repeated() throws {
    let rows = Self.rows(200)
    let (plain, own) = try Self.figures(rows.joined())
    #expect(plain.issues.allSatisfy { $0.kind != .repeatedRecord })
    let doubled = rows.map { $0 + $0 }.joined()
    let appended = rows.joined() + Self.header + rows.joined()
    let some = rows.enumerated().map { $0 % 7 == 3 ? $1 + $1 : $1 }.joined()
    for (text, count) in [(doubled, 200), (appended, 200), (some, 29)] {
      let (trace, words) = try Self.figures(text)
      #expect(words == own)
      #expect(trace.issues.first { $0.kind == .repeatedRecord }?.count == count)
    }
  }

  @Test("a clock that goes back keeps its rate", arguments: [155.0, 1007, 3_600_000])
  func jump(_ length: Double) throws {
    let before = Self.rows(150)
    let after = Self.rows(150, from: 1000 + 150 * 16.6667 - length)
    let (trace, _) = try Self.figures((before + after).joined())
    let jump = trace.issues.first { $0.kind == .clockJump }
    #expect(jump != nil)
    let frames = trace.surfaces[0].frames
    let steps = (1..<300).compactMap { row in
      frames[row, .commit].flatMap { own in frames[row - 1, .commit].map { own - $0 } }
    }
    #expect(steps.count == 299 && steps.allSatisfy { (16_000_000...17_400_000).contains($0) })
  }

  @Test("frames without any time are no repetitions of each other")
  func withoutTimes() throws {
    let frame =
      #"{"type":"frame","surface":"w","id":7,"buffer":1,"fate":"discarded","kind":"generated"}"#
    let text =
      #"{"schema":"frametool.trace/1","unit":"ns"}"# + "\n" + #"{"type":"surface","id":"w"}"# + "\n"
      + #"{"type":"frame","surface":"w","commit":5}"# + "\n" + frame + "\n" + frame + "\n"
    let trace = try TestData.read(text: text, path: "t.jsonl")
    #expect(trace.surfaces[0].frames.count == 3)
    #expect(trace.issues.allSatisfy { $0.kind != .repeatedRecord })
  }

  @Test(
    "a frame far from those around it is moved, and a clock that is set or a long pause is not",
    arguments: [
      // Seconds that a row is moved by, the row, and whether it is far.
      (7_344_000.0, 100, true), (-600, 100, true), (10.1, 57, true), (9.8, 57, false),
      (7_344_000, 199, false),
    ])
  func farTime(_ seconds: Double, _ row: Int, _ isFar: Bool) throws {
    var rows = Self.rows(200)
    rows[row] = Self.rows(1, from: 1000 + Double(row) * 16.6667 + seconds * 1000)[0]
    let (trace, _) = try Self.figures(rows.joined())
    let issue = trace.issues.first { $0.kind == .absurdValue }
    #expect((issue != nil) == isFar)
    guard let issue else { return }
    #expect(issue.message.contains("the first is frame \(row + 1) in the order of the file"))
    let moved = try #require(trace.surfaces[0].frames[row, .commit])
    let own = try #require(Self.plain.surfaces[0].frames[row, .commit])
    #expect((moved - own).magnitude < 10_000_000)
    let plain = try Self.plain
    #expect(issue.severity == .repaired && Self.sentence(trace) == Self.sentence(plain))
  }

  private static var plain: Trace {
    get throws { try figures(rows(200).joined()).trace }
  }

  private static func sentence(_ trace: Trace) -> String? {
    TraceAnalysis(of: trace).surfaces[0].drops.value?.sentence
  }

  @Test("of a frame with one far time, that time alone is left out")
  func oneFarTime() throws {
    let frames = (0..<200).map { index in
      let time = 1_000_000_000 + Int64(index) * 16_666_667
      let far = index == 120 ? Int64(7_000_000_000_000_000) : 0
      return
        #"{"type": "frame", "appStart": \#(time), "commit": \#(time + 4_000_000 + far), "displayed": \#(time + 20_000_000)}"#
    }
    let text =
      #"{"schema": "frametool.trace/1", "unit": "ns"}"# + "\n" + #"{"type": "surface", "id": "w"}"#
      + "\n" + frames.joined(separator: "\n")
    let trace = try TestData.read(text: text, path: "far.jsonl")
    let table = trace.surfaces[0].frames
    let start = Int64(1_000_000_000) + 120 * 16_666_667
    #expect(table[120, .appStart] == start && table[120, .displayed] == start + 20_000_000)
    #expect(table[120, .commit] == nil && table[119, .commit] != nil)
    let issue = try #require(trace.issues.first { $0.kind == .absurdValue })
    #expect(issue.severity == .dataLoss && issue.message.contains("frame 121 in the order"))
    #expect(TraceAnalysis(of: trace).surfaces[0].metrics.allSatisfy { $0.exclusions.isEmpty })
  }

  @Test("many times far from those around them are another order, and stay")
  func manyFarTimes() throws {
    for (count, isFar) in [(2, true), (3, false)] {
      var rows = Self.rows(200)
      for position in 0..<count {
        rows[50 + 30 * position] = Self.rows(1, from: 5_000_000 + Double(position) * 16.6667)[0]
      }
      let trace = try TestData.read(text: Self.header + rows.joined(), path: "game.csv")
      #expect(trace.issues.contains { $0.kind == .absurdValue } == isFar)
    }
  }

  @Test("parts in the wrong order are put in order, and parts of one time are a jump")
  func parts() throws {
    let read = { (first: Int64, second: Int64) throws -> (jump: Bool, last: Int64?) in
      let frames = [first, second].flatMap { start in
        (0..<100).map { index in
          let time = start + Int64(index) * 16_666_667
          return
            #"{"type": "frame", "appStart": \#(time), "commit": \#(time + 4_000_000), "displayed": \#(time + 20_000_000)}"#
        }
      }
      let text =
        #"{"schema": "frametool.trace/1", "unit": "ns"}"# + "\n"
        + #"{"type": "surface", "id": "w"}"#
        + "\n" + frames.joined(separator: "\n")
      let trace = try TestData.read(text: text, path: "parts.jsonl")
      let jump = trace.issues.contains { $0.kind == .clockJump }
      return (jump, trace.surfaces[0].frames[199, .commit])
    }
    // Two dumps in the wrong order.
    let swapped = try read(10_000_000_000, 1_000_000_000)
    #expect(!swapped.jump && swapped.last == 10_000_000_000 + 99 * 16_666_667 + 4_000_000)
    // The second begins within the first.
    let mixed = try read(1_000_000_000, 1_900_000_000)
    #expect(mixed.jump && mixed.last ?? 0 > 4_000_000_000)
  }

  @Test("frames that were finished in another order are no jump")
  func completionOrder() throws {
    var rows = Self.rows(200)
    for position in stride(from: 0, to: 190, by: 10) { rows.swapAt(position, position + 7) }
    let (trace, words) = try Self.figures(rows.joined())
    #expect(trace.issues.allSatisfy { $0.kind != .clockJump })
    #expect(words == (try Self.figures(Self.rows(200).joined())).words)
  }

  @Test("a number of a process that is given again is another process")
  func reuse() throws {
    let first = (0..<100).map { Self.row(1000 + Double($0) * 16.6667, "a.exe") }
    let second = (0..<60).map { Self.row(9000 + Double($0) * 16.6667, "b.exe") }
    let trace = try TestData.read(
      text: Self.header + (first + second).joined(), path: "game.csv")
    #expect(trace.surfaces.map(\.process) == ["a.exe", "b.exe"])
    #expect(trace.surfaces.map(\.frames.count) == [100, 60])
    #expect(Set(trace.surfaces.map(\.id)).count == 2)
    // A process whose name was not known yet is the one that is known later.
    let unnamed = (0..<5).map { Self.row(900 + Double($0) * 16.6667, "<unknown>") }
    let joined = try TestData.read(
      text: Self.header + (unnamed + first).joined(), path: "game.csv")
    #expect(joined.surfaces.map(\.process) == ["a.exe"] && joined.surfaces[0].frames.count == 105)
  }

  /// A window of which a number of frames come at a refresh that has already shown another one.
  private static func window(sharing count: Int) throws -> SurfaceAnalysis {
    let frames = (0..<200).map { index in
      let refresh = index < 2 * count ? index / 2 : index - count
      return #"{"type": "frame", "displayed": \#(refresh * 16_666_667)}"#
    }
    let text =
      #"{"schema": "frametool.trace/1", "unit": "ns"}"# + "\n"
      + #"{"type": "display", "id": "d", "interval": 16666667}"# + "\n"
      + #"{"type": "surface", "id": "w", "display": "d"}"# + "\n" + frames.joined(separator: "\n")
    return TraceAnalysis(of: try TestData.read(text: text, path: "twice.jsonl")).surfaces[0]
  }

  /// Counting a refresh at an end of the active time explains one frame too many, and no more.
  @Test(
    "drops of more frames than refreshes are unknown",
    arguments: [(0, true), (1, true), (2, false), (100, false)])
  func sharedRefreshes(_ count: Int, _ isJudged: Bool) throws {
    let surface = try Self.window(sharing: count)
    #expect((surface.drops.value != nil) == isJudged)
    if isJudged {
      #expect(surface.drops.value?.sharedRefreshes == count)
    } else {
      #expect(
        surface.drops.whyMissing?.hasPrefix(
          "drops cannot be judged: 200 frames shown and 0 refreshes dropped do not fit into \(200 - count) refreshes"
        ) == true)
      #expect(surface["droppedShare"]?.figure == nil && surface.hitches.value == nil)
    }
  }

  /// Frames that were shown at unknown times count only where the refreshes around them are counted: many of them
  /// before the first known time say nothing.
  @Test(arguments: [(0, 20, true), (0, 0, true), (1, 20, true), (2, 0, false)])
  func framesWithoutATimeCountBetweenOthers(_ between: Int, _ before: Int, _ isJudged: Bool) throws
  {
    let frame = { (index: Int, time: String) in
      #"{"type": "frame", "commit": \#(index * 16_666_667 + 500_000_000)\#(time)}"#
    }
    let early = (0..<before).map {
      #"{"type": "frame", "fate": "displayed", "commit": \#($0 * 16_666_667)}"#
    }
    let shown = (0..<100).map { frame($0, #", "displayed": \#($0 * 16_666_667 + 516_666_667)"#) }
    let extra = (0..<between).map { position in
      #"{"type": "frame", "fate": "displayed", "commit": \#((position + 40) * 16_666_667 + 500_000_001)}"#
    }
    let text =
      ([
        #"{"schema": "frametool.trace/1", "unit": "ns"}"#,
        #"{"type": "display", "id": "d", "interval": 16666667}"#,
        #"{"type": "surface", "id": "w", "display": "d"}"#,
      ] + early + shown + extra).joined(separator: "\n")
    let surface = TraceAnalysis(of: try TestData.read(text: text, path: "untimed.jsonl")).surfaces[
      0]
    #expect(surface.outcomes.displayed == 100 + before + between)
    let isTooMany = surface.drops.whyMissing?.contains("do not fit into") == true
    #expect(isTooMany == !isJudged, "\(surface.drops.whyMissing ?? "judged")")
  }
}

/// The order of records does not matter where they are independent of each other.
@Suite struct RecordOrderTests {
  @Test(arguments: 0..<6)
  func launchesAreNumberedByTheirTime(_ seed: UInt64) throws {
    let header = #"{"schema": "frametool.trace/1", "unit": "ms"}"#
    let launches = (1...5).map { number in
      #"{"type": "launch", "process": "app", "kind": "warm", "tapped": \#(number * 1000), "firstFrame": \#(number * 1000 + number * 10)}"#
    }
    var random = SplitMix64(seed: seed)
    let shuffled = launches.shuffled(using: &random)
    let read = { (records: [String]) in
      let text = ([header] + records).joined(separator: "\n")
      return TraceAnalysis(of: try TestData.read(text: text, path: "launches.jsonl")).launches.all
        .map { "\($0.number): \($0.total.map { "\($0)" } ?? "")" }
    }
    #expect(try read(shuffled) == read(launches))
  }
}

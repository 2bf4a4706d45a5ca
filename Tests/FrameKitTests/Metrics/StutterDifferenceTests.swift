import FrameStatistics
import Testing

@testable import FrameAnalysis
@testable import FrameReport
@testable import FrameTrace

/// Marks and threads are compared around stutters like readings of sensors.
@Suite struct StutterDifferenceTests {
  /// A game of 100 frames per second with 14 stutters of 80 ms, the first after 6 s.
  private struct Game {
    var lines = [
      #"{"schema": "frametool.trace/1", "unit": "ms"}"#,
      #"{"type": "surface", "id": "s", "process": "game", "pid": 7, "derivesStarts": true}"#,
      #"{"type": "thread", "id": 7, "name": "main", "process": "game", "main": true}"#,
    ]
    private(set) var stutters: [Double] = []
    private(set) var end = 0.0

    init() {
      for row in 0..<9000 {
        let isStutter = row >= 600 && (row - 600) % 611 == 0
        if isStutter { stutters.append(end) }
        let length = isStutter ? 80.0 : 10
        lines.append(
          #"{"type": "frame", "id": \#(row), "appStart": \#(end), "appEnd": \#(end + length), "commit": \#(end + length)}"#
        )
        end += length
      }
    }

    mutating func mark(_ name: String, at start: Double, for length: Double?, process: String) {
      let end = length.map { #", "end": \#(start + $0)"# } ?? ""
      lines.append(
        #"{"type": "marker", "name": "\#(name)", "start": \#(start)\#(end), "process": "\#(process)"}"#
      )
    }

    var differences: StutterDifferences {
      get throws {
        let trace = try TestData.read(text: lines.joined(separator: "\n") + "\n", path: "g.jsonl")
        let surface = try #require(TraceAnalysis(of: trace).surfaces.first)
        #expect(surface.stutters?.stutters.count == stutters.count)
        return try #require(surface.stutterDifferences)
      }
    }
  }

  /// Marks of 30 ms that begin at another distance from each stutter, and others at random times.
  @Test(arguments: [
    (-150.0, MomentDifference.Side.before), (-60, .before), (0, .during), (20, .during),
    (82, .after), (150, .after),
  ])
  func aMarkIsFoundWhereItIs(_ distance: Double, _ side: MomentDifference.Side) throws {
    var game = Game()
    var random = SplitMix64(seed: 5)
    for start in game.stutters {
      game.mark("compile", at: start + distance, for: 30, process: "game")
    }
    for _ in 0..<200 {
      game.mark("save", at: random.nextUnit() * game.end, for: nil, process: "game")
    }
    for start in game.stutters { game.mark("other", at: start, for: 30, process: "editor") }
    let found = try game.differences
    #expect(found.series == 2)
    #expect(found.findings.map(\.name) == ["mark compile"])
    let difference = try #require(found.findings.first).difference
    #expect(difference.side == side && difference.isHigher && difference.usual == 0)
    // 30 ms of 200 ms, or of the 80 ms of the stutter.
    let share = side == .during ? 37.5 : 15
    #expect(abs(difference.near - share) < 3 && difference.distinct == difference.count)
    let words = try #require(StutterWords.differences(found))
    #expect(words.hasPrefix("around the stutters: mark compile "), "\(words)")
  }

  @Test func aMarkInEachFrameIsNoFinding() throws {
    var game = Game()
    for number in 0..<9000 {
      game.mark("frame", at: Double(number) * game.end / 9000, for: 4, process: "game")
    }
    #expect(try game.differences.findings.isEmpty)
  }

  /// A thread that runs on and off, and waits for a processor before each stutter.
  @Test func aThreadsStatesAreCompared() throws {
    var game = Game()
    var random = SplitMix64(seed: 9)
    var time = 0.0
    func add(_ state: String, _ length: Double) {
      game.lines.append(
        #"{"type": "threadState", "thread": 7, "start": \#(time), "end": \#(time + length), "state": "\#(state)"}"#
      )
      time += length
    }
    for start in game.stutters {
      while time < start - 110 {
        add(time > 0 && random.nextUnit() < 0.5 ? "running" : "blocked", 5)
      }
      add("blocked", max(0.1, start - 100 - time))
      add("runnable", 100)
    }
    let found = try game.differences
    #expect(found.findings.map(\.name).contains("main thread runnable"))
    #expect(found.findings.allSatisfy { $0.difference.side == .before })
  }

  /// States of threads are compared only where they are recorded: not from a buffer that lost them between.
  @Test func timesWithoutStatesDoNotCount() throws {
    var game = Game()
    for start in game.stutters {
      // Running at each stutter and well before it, and nothing is known in between.
      for distance in [-3000.0, -150] {
        game.lines.append(
          #"{"type": "threadState", "thread": 7, "start": \#(start + distance), "end": \#(start + distance + 140), "state": "running"}"#
        )
      }
    }
    #expect(try game.differences.findings.isEmpty)
  }

  /// How much of a step is covered adds up, and nothing outside counts.
  @Test func stepsHaveTheirShare() throws {
    let range = Timestamp(nanoseconds: 0)..<Timestamp(nanoseconds: 100_000_000)
    var series = try #require(ActivitySeries(range))
    let span = { (from: Int64, to: Int64) in
      Timestamp(nanoseconds: from * 1_000_000)..<Timestamp(nanoseconds: to * 1_000_000)
    }
    for interval in [span(-50, 5), span(10, 45), span(90, 300), span(200, 210)] {
      series.add(interval)
    }
    series.add(Timestamp(nanoseconds: 70_000_000))
    series.add(Timestamp(nanoseconds: 100_000_000))
    #expect(series.times == [20, 40, 60, 80, 100].map { $0 * 1_000_000 })
    #expect(series.values == [75, 100, 25, 50, 50])
    #expect(ActivitySeries(span(0, 19)) == nil)
  }
}

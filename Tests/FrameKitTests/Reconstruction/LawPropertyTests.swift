import Fixtures
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace

/// Properties of dropped refreshes that hold for any rate, phase, jitter and number of late frames,
/// however a trace is written, cut or moved.
@Suite("Properties of dropped refreshes")
struct LawPropertyTests {
  private static let seeds = 0..<UInt64(max(6, RandomTraceTests.perFamily / 2))
  private static let shares = [0.0, 0.02, 0.1, 0.3]

  /// Chains of a kind with some late frames, and how each is written.
  private static func made(
    _ kind: LateSet.Kind
  ) -> [(set: LateSet, late: [Int: LateSet.Late], words: String)] {
    seeds.map { seed in
      let set = LateSet(kind, seed: seed)
      let late = set.lateFrames(shares[Int(seed) % shares.count], seed: seed)
      return (set, late, "\(set.description), \(late.count) late")
    }
  }

  private static func rebuilt(_ bytes: [UInt8], _ name: String = "made") throws -> RebuiltSurface {
    let pipeline = Pipeline(
      reconstructing: try Importers.read(InputFile(bytes: bytes, path: name)))
    #expect(pipeline.violations == [])
    return try #require(pipeline.surfaces.first)
  }

  private static func count(_ surface: RebuiltSurface) -> Int {
    surface.drops.reduce(0) { $0 + Int($1.count) }
  }

  /// The time of each dropped refresh.
  private static func times(_ surface: RebuiltSurface) -> Set<Timestamp> {
    Set(
      surface.drops.flatMap { drop in
        (drop.refresh..<drop.refresh + drop.count).map {
          surface.timeline.schedule.grid.time($0)
        }
      })
  }

  private static func written(_ change: (inout LateSet.Writing) -> Void) -> LateSet.Writing {
    var writing = LateSet.Writing()
    change(&writing)
    return writing
  }

  @Test("a microsecond more or less changes no count", arguments: LateSet.Kind.allCases)
  func microsecond(_ kind: LateSet.Kind) throws {
    for made in Self.made(kind) {
      let own = Self.count(try Self.rebuilt(made.set.bytes(made.late)))
      for shift in [-1000, -1, 1, 1000] as [Int64] {
        let moved = made.set.bytes(made.late, Self.written { $0.shift = shift })
        #expect(Self.count(try Self.rebuilt(moved)) == own, "\(made.words), \(shift) ns")
      }
    }
  }

  @Test("times of any scale give figures of that scale", arguments: LateSet.Kind.allCases)
  func scale(_ kind: LateSet.Kind) throws {
    for made in Self.made(kind) {
      let own = try Self.rebuilt(made.set.bytes(made.late))
      for scale in [(5, 4), (4, 5), (1001, 1000)] as [(Int64, Int64)] {
        let other = try Self.rebuilt(made.set.bytes(made.late, Self.written { $0.scale = scale }))
        #expect(Self.count(other) == Self.count(own), "\(made.words), times \(scale)")
      }
    }
  }

  @Test("what is not recorded adds no drop", arguments: LateSet.Kind.allCases)
  func columns(_ kind: LateSet.Kind) throws {
    guard kind != .displayed, kind != .minimal else { return }
    for made in Self.made(kind) {
      var trace = try Importers.read(InputFile(bytes: made.set.bytes(made.late), path: "made"))
      let own = Pipeline(reconstructing: trace).surfaces[0]
      for column in [FrameColumn.gpuStart, .gpuEnd, .queued, .compositorEnd] {
        let frames = trace.surfaces[0].frames
        guard frames.has(column) else { continue }
        trace.surfaces[0].frames.setStored(column, IntegerColumn(missing: frames.count))
        let pipeline = Pipeline(reconstructing: trace)
        #expect(pipeline.violations == [], "\(made.words), without \(column)")
        #expect(
          Self.count(pipeline.surfaces[0]) <= Self.count(own), "\(made.words), without \(column)")
      }
    }
  }

  /// Whether any figure is better than it was.
  private static func isBetter(
    _ new: MetricResult.Figures, than old: MetricResult.Figures, _ direction: MetricDirection
  ) -> Bool {
    let values = { (figures: MetricResult.Figures) -> [Double] in
      switch figures {
      case .summary(let summary): summary.figures
      case .figure(let value, _): [value]
      case .unavailable: []
      }
    }
    return zip(values(new), values(old)).contains { new, old in
      let change = (new - old) / max(abs(old), 1e-9)
      return direction == .lowerIsBetter
        ? change < -1e-6 : direction == .higherIsBetter && change > 1e-6
    }
  }

  @Test("a stop of any length drops nothing and improves nothing", arguments: LateSet.Kind.allCases)
  func stops(_ kind: LateSet.Kind) throws {
    for made in Self.made(kind) {
      let cut = 100
      let late = made.late.filter { !(cut - 16...cut + 16).contains($0.key) }
      let second = 1_000_000_000 / made.set.interval
      var before: (count: Int, figures: [MetricResult.Figures], names: [String])?
      for length in [second * 2, second * 600, second * 8 * 3600] {
        let bytes = made.set.bytes(
          late,
          Self.written {
            $0.recordsRefreshes = false
            $0.pause = (cut, length)
          })
        let surface = try Self.rebuilt(bytes)
        let analysis = TraceAnalysis(of: surface.trace)
        let metrics = analysis.surfaces[0].metrics.filter { !Self.ofWholeTime.contains($0.name) }
        let figures = metrics.map(\.figures)
        let count = Self.count(surface)
        if let before {
          #expect(count == before.count, "\(made.words), paused for \(length)")
          for (position, figure) in figures.enumerated() {
            #expect(
              !Self.isBetter(
                figure, than: before.figures[position],
                Metrics.direction(of: before.names[position])),
              "\(made.words), stopped for \(length): \(before.names[position])")
          }
        }
        before = (count, figures, metrics.map(\.name))
        // The halves alone have the same drops as the whole.
        var halves = 0
        for part in [0..<cut, cut..<made.set.count] {
          halves += Self.count(
            try Self.rebuilt(
              made.set.bytes(
                late,
                Self.written {
                  $0.recordsRefreshes = false
                  $0.pause = (cut, length)
                  $0.part = part
                })))
        }
        // What is usual in a half differs slightly from what is usual in the whole.
        #expect(
          abs(halves - count) <= 1 + count / 10,
          "\(made.words): \(halves) in halves, \(count) in all")
      }
    }
  }

  /// Metrics that depend on the whole time that a trace covers.
  private static let ofWholeTime: Set<String> = []

  @Test("cutting a trace adds no drop to what stays", arguments: LateSet.Kind.allCases)
  func cuts(_ kind: LateSet.Kind) throws {
    for made in Self.made(kind) {
      let whole = Self.times(try Self.rebuilt(made.set.bytes(made.late)))
      let doubtful = made.set.doubtful(made.late)
      for part in [0..<120, 60..<200, 80..<160] {
        let cut = Self.times(
          try Self.rebuilt(made.set.bytes(made.late, Self.written { $0.part = part })))
        let added = cut.subtracting(whole).filter {
          !doubtful.contains(($0.nanoseconds + made.set.interval / 2) / made.set.interval)
        }
        #expect(added.isEmpty, "\(made.words), frames \(part): \(added.count) more")
      }
    }
  }

  @Test(
    "a rate that is kept may be stated too",
    arguments: [LateSet.Kind.steady, .minimal, .tick, .phase, .displayed])
  func statedRate(_ kind: LateSet.Kind) throws {
    for made in Self.made(kind) {
      let own = try Self.rebuilt(made.set.bytes(made.late))
      let stated = try Self.rebuilt(
        made.set.bytes(made.late, Self.written { $0.statesTarget = true }))
      #expect(Self.count(stated) == Self.count(own), "\(made.words)")
    }
  }

  @Test("the measured refresh may be stated too", arguments: LateSet.Kind.allCases)
  func statedRefresh(_ kind: LateSet.Kind) throws {
    for made in Self.made(kind) {
      let bytes = made.set.bytes(
        made.late,
        Self.written {
          $0.recordsRefreshes = false
          $0.statesInterval = false
        })
      let own = try Self.rebuilt(bytes)
      guard let interval = own.refreshes.interval else { continue }
      var trace = try Importers.read(InputFile(bytes: bytes, path: "made"))
      var choice = ImportChoice()
      choice.refreshInterval = interval
      try choice.state(in: &trace)
      let stated = Pipeline(reconstructing: trace).surfaces[0]
      #expect(Self.count(stated) == Self.count(own), "\(made.words)")
    }
  }

  @Test("a limiter may wait where it likes")
  func limiters() throws {
    for seed in Self.seeds {
      let made = CappedGame(.capInPresent, seed: seed)
      let late = made.lateFrames(Self.shares[Int(seed) % Self.shares.count] / 3, seed: seed)
      let doubtful = made.doubtful(late).count
      let present = Self.count(try Self.rebuilt(made.bytes(late), "game.csv"))
      let busy = Self.count(
        try Self.rebuilt(made.moved(to: .capInBusy).bytes(late), "game.csv"))
      #expect(abs(present - busy) <= doubtful, "\(made.description): \(present), \(busy)")
    }
  }

  @Test("what cannot be judged has no drops, hitches or grade, but a bound")
  func unjudged() throws {
    for seed in Self.seeds {
      let made = CappedGame(.capInPresent, seed: seed)
      let bytes = made.bytes([:], knowsGPU: false)
      let trace = try Importers.read(InputFile(bytes: bytes, path: "game.csv"))
      let surface = TraceAnalysis(of: trace).surfaces[0]
      #expect(surface.drops.value == nil && surface.hitches.value == nil, "\(made.description)")
      let words = try #require(surface.drops.whyMissing)
      #expect(words.hasPrefix("drops cannot be judged:"), "\(words)")
      // Each frame is shown for as many refreshes as it takes longer than one.
      let shown = Pipeline(reconstructing: trace).surfaces[0]
      let repeats = shown.timeline.schedule.repeats.reduce(0) { $0 + $1.count }
      let share = Double(repeats) / Double(repeats + 200)
      #expect(words.contains("at most \(FixedNumber.text(share * 100, decimals: 1))"), "\(words)")
    }
  }

  @Test(
    "a later end of a stage never moves a charge to a later one", arguments: LateSet.Kind.allCases)
  func charges(_ kind: LateSet.Kind) throws {
    guard kind != .displayed else { return }
    let order: [PipelineStage] = [.app, .compositor, .gpu, .display]
    for made in Self.made(kind) {
      for (frame, late) in made.late.sorted(by: { $0.key < $1.key }).prefix(3) {
        guard let first = order.firstIndex(of: late.stage) else { continue }
        var before = -1
        for refreshes in 1...4 as ClosedRange<Int64> {
          var more = made.late
          more[frame] = LateSet.Late(late.stage, refreshes)
          let surface = try Self.rebuilt(made.set.bytes(more))
          // Only the refreshes that this frame dropped: later frames may be delayed longer too.
          let own = surface.drops.filter { $0.frame == Self.row(frame, kind) }
          let known = own.filter { $0.stage != .unknown && !$0.isInferred }
          let early = known.filter { order.firstIndex(of: $0.stage) ?? 9 <= first }
            .reduce(0) { $0 + Int($1.count) }
          #expect(early >= before, "\(made.words), frame \(frame), \(late.stage) by \(refreshes)")
          #expect(
            known.allSatisfy { order.firstIndex(of: $0.stage) ?? 9 <= first },
            "\(made.words), frame \(frame), \(late.stage) by \(refreshes)")
          before = early
        }
      }
    }
  }

  /// The row of a frame of a set; a driver adds rows of its own.
  private static func row(_ frame: Int, _ kind: LateSet.Kind) -> Int {
    kind == .generated ? 2 * frame : frame
  }
}

/// Properties of display times without any other data.
@Suite("Properties of display times")
struct DisplayTimePropertyTests {
  private static func trace(_ times: [Int64]) throws -> RebuiltSurface {
    var lines = [#"{"schema": "frametool.trace/1", "unit": "ns"}"#]
    lines += times.map { #"{"type": "frame", "surface": "w", "displayed": \#($0)}"# }
    let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    return Pipeline(
      reconstructing: try Importers.read(InputFile(bytes: bytes, path: "made"))
    ).surfaces[0]
  }

  private static func count(_ surface: RebuiltSurface) -> Int64 {
    surface.drops.reduce(0) { $0 + $1.count }
  }

  private static func isNear(_ interval: Nanoseconds?, _ truth: Double) -> Bool {
    interval.map { abs(Double($0.count) / truth - 1) < 0.005 } ?? false
  }

  @Test("any rate from 39 to 540 Hz is found, alone and with some intervals doubled")
  func anyRate() throws {
    for number in 0..<60 {
      var random = SplitMix64(seed: UInt64(number))
      let rate =
        number < 12
        ? [39, 40, 50, 56, 60, 66.7, 70, 72, 75, 144, 165, 540][number]
        : Double.random(in: 39...540, using: &random)
      let interval = 1e9 / rate
      let steady = try Self.trace((0..<300).map { Int64(Double($0) * interval) })
      #expect(Self.isNear(steady.refreshes.interval, interval), "\(rate) Hz")
      #expect(Self.count(steady) == 0, "\(rate) Hz")
      // Single late frames, too far apart to be a pattern.
      var position = 0.0
      var missing: Int64 = 0
      let times = (0..<300).map { index -> Int64 in
        if index % 17 == 9 {
          position += 1
          missing += 1
        }
        defer { position += 1 }
        return Int64(position * interval)
      }
      let mixed = try Self.trace(times)
      #expect(Self.isNear(mixed.refreshes.interval, interval), "\(rate) Hz, mixed")
      #expect(Self.count(mixed) == missing, "\(rate) Hz, mixed")
    }
  }

  @Test("second display times within a refresh change neither rate nor drops")
  func secondTimes() throws {
    for seed in 0..<UInt64(30) {
      var random = SplitMix64(seed: seed)
      let interval = 1e9 / [60, 75, 90, 120, 144].randomElement(using: &random)!
      let late = Set((0..<6).map { _ in Int.random(in: 20..<280, using: &random) })
      var times: [Int64] = []
      var more: [Int64] = []
      var position = 0.0
      for index in 0..<300 {
        position += late.contains(index) ? 2 : 1
        let time = Int64(position * interval)
        times.append(time)
        more.append(time)
        if Double.random(in: 0..<1, using: &random) < 0.18 {
          more.append(time + Int64(interval * Double.random(in: 0.1...0.4, using: &random)))
        }
      }
      let (own, other) = (try Self.trace(times), try Self.trace(more))
      #expect(Self.isNear(other.refreshes.interval, interval), "seed \(seed)")
      #expect(Self.count(other) == Self.count(own), "seed \(seed)")
    }
  }

  /// A display that waits for frames of a steady rate and repeats each of them once or twice. One
  /// frame comes late by the given number of usual distances.
  private static func variable(
    repeats: Int, distance: Int64, late: Int64, seed: UInt64
  ) throws -> RebuiltSurface {
    var random = SplitMix64(seed: seed)
    var lines = [
      #"{"schema": "frametool.trace/1", "unit": "ns"}"#,
      #"{"type": "display", "id": "d", "variable": true, "shortestInterval": 6944444}"#,
      #"{"type": "surface", "id": "g", "display": "d", "bufferOwner": "app"}"#,
    ]
    var (number, time) = (0, Int64(100_000_000))
    for index in 0..<120 {
      // The late frame took as much longer to make.
      let start = time - 25_000_000 - (index == 71 ? late * distance : 0)
      lines.append(
        #"{"type": "frame", "appStart": \#(start), "appEnd": \#(time - 5_000_000), "queued": \#(time - 1_000_000), "displayed": \#(time)}"#
      )
      let noise = Int64.random(in: -200_000...200_000, using: &random)
      let next = time + distance + noise + (index == 70 ? late * distance : 0)
      let shown = Int64(repeats + 1) * (index == 70 ? late + 1 : 1)
      for part in 0..<shown {
        let repeated = part > 0 ? #", "repeated": true"# : ""
        lines.append(
          #"{"type": "refresh", "display": "d", "number": \#(number), "time": \#(time + (next - time) * part / shown)\#(repeated)}"#
        )
        number += 1
      }
      time = next
    }
    let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    return Pipeline(
      reconstructing: try Importers.read(InputFile(bytes: bytes, path: "made"))
    ).surfaces[0]
  }

  @Test("what a variable display repeats by itself is dropped only once a frame is late")
  func variableDisplay() throws {
    for seed in 0..<UInt64(12) {
      let repeats = Int(seed) % 2 + 1
      let distance = Int64(28_000_000 + 1_000_000 * seed)
      let calm = try Self.variable(repeats: repeats, distance: distance, late: 0, seed: seed)
      #expect(calm.drops.isEmpty, "seed \(seed)")
      for late in 1...2 as ClosedRange<Int64> {
        let surface = try Self.variable(
          repeats: repeats, distance: distance, late: late, seed: seed)
        let most = late * Int64(repeats + 1)
        #expect((1...most).contains(Self.count(surface)), "seed \(seed), late by \(late)")
        #expect(surface.drops.allSatisfy { $0.frame == 71 }, "seed \(seed), late by \(late)")
      }
    }
  }
}

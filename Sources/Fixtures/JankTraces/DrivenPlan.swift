import FrameKit

/// Work that refreshes drive: an app that starts at a refresh, and a compositor that wakes at the next one.
struct DrivenPlan: JankPlan {
  var surfaces: [SurfaceWork]
  var display: SimulatedDisplay
  var isLowLatency = false
  var faults: [PlannedFault] = []
  /// How long the app's main thread usually works, if the trace shows threads; `nil` if it does not.
  var threads: Int64?
  /// When the window was hidden, and the app drew frames that nobody saw.
  var hidden: [Range<Int64>] = []
  /// What the recorder reports about those frames: discarded, as Wayland compositors do, or nothing, as on Android.
  var fateOfHidden = FrameColumn.Fate.discarded

  func play(_ faults: [PlannedFault]) -> PlayedWork {
    var surfaces = surfaces
    for fault in faults {
      surfaces[fault.surface].units[fault.unit].add(fault.extra, to: fault.stage, display.interval)
    }
    let frames = PipelineSimulation.play(surfaces, on: display, isLowLatency: isLowLatency)
    var recorder = SimulationTrace.Recorder()
    recorder.commits = true
    var trace = SimulationTrace.make(surfaces, frames, on: display, named: "jank", recorder) {
      guard let threads else { return }
      let spans = frames[0].compactMap { $0.commits.first?.app }
      let kinds = Dictionary(
        faults.compactMap { fault in fault.thread.map { (fault.unit, $0) } }
      ) { first, _ in first }
      ScheduledThreads.write(spans, kinds, base: threads, to: &$0.builder)
    }
    var played = frames.enumerated().map { Self.played($1, surfaces[$0].units.count) }
    for stretch in hidden { trace.hide(stretch, fateOfHidden, &played[0]) }
    return PlayedWork(trace: trace, surfaces: played, display: .fixed(display))
  }

  private static func played(_ frames: [SimulatedFrame], _ count: Int) -> PlayedSurface {
    var played = PlayedSurface(
      refreshes: [Int64?](repeating: nil, count: count),
      rows: [Int?](repeating: nil, count: count))
    for (row, frame) in frames.enumerated() {
      for commit in frame.commits {
        played.refreshes[commit.unit] = frame.displayedRefresh
        played.rows[commit.unit] = row
      }
    }
    return played
  }
}

extension Trace {
  /// Adds frames that were drawn once a second while the window was hidden, and discarded.
  fileprivate mutating func hide(
    _ stretch: Range<Int64>, _ fate: FrameColumn.Fate, _ played: inout PlayedSurface
  ) {
    var frames = surfaces[0].frames
    for start in stride(from: stretch.lowerBound, to: stretch.upperBound, by: 1_000_000_000) {
      var row = Table<FrameColumn>.Row()
      row[.appStart] = start
      row[.commit] = start + 3_000_000
      row[.appEnd] = start + 3_000_000
      row[.fate] = fate.rawValue
      frames.append(row)
    }
    let order = (0..<frames.count).sorted {
      (frames[$0, .appStart] ?? 0, $0) < (frames[$1, .appStart] ?? 0, $1)
    }
    var position = [Int](repeating: 0, count: frames.count)
    for (new, old) in order.enumerated() { position[old] = new }
    frames.reorder(by: order.map(Int32.init))
    surfaces[0].frames = frames
    var moved = IntegerColumn()
    for row in 0..<commits.count {
      moved.append(commits[row, .frame].map { Int64(position[Int($0)]) } ?? IntegerColumn.missing)
    }
    commits.setStored(.frame, moved)
    played.rows = played.rows.map { $0.map { position[$0] } }
  }
}

// The families.
extension DrivenPlan {
  /// The pipelines that a refresh drives.
  private enum Pipeline: CaseIterable {
    case double, triple, lowLatency, filledByApp

    /// The shares of an interval that app, compositor and GPU take.
    var shares: [ClosedRange<Double>] {
      switch self {
      case .double: [0.2...0.8, 0.1...0.4, 0.1...0.4]
      case .triple: [0.2...0.8, 0.65...0.85, 0.65...0.85]
      case .lowLatency: [0.1...0.3, 0.1...0.25, 0.1...0.25]
      case .filledByApp: [0.1...0.4, 0.1...0.5, 0.1...0.4]
      }
    }
  }

  private static let stages: [PipelineStage] = [.app, .compositor, .gpu, .display]

  /// Work at the given refreshes, with its variation from frame to frame.
  private init(
    _ pipeline: Pipeline, at refreshes: [Int64], interval: Int64, surfaces count: Int = 1,
    _ random: inout SplitMix64
  ) {
    surfaces = (0..<count).map { index in
      // Surfaces share the budget.
      let usual = pipeline.shares.map {
        Double.random(in: $0, using: &random) / Double(count)
      }
      let overlap = Double.random(in: 0...(pipeline == .triple ? 0.2 : 0.5), using: &random)
      let units = refreshes.map { refresh in
        let lengths = usual.map { share in
          let factor = 1 + Double.random(in: -0.05...0.05, using: &random)
          return Int64(Double(interval) * share * factor)
        }
        var work = AppWork(
          at: refresh, app: lengths[0], compositor: lengths[1], gpu: lengths[2])
        work.gpuOverlap =
          pipeline == .filledByApp ? 0 : Int64(Double(work.compositor) * overlap)
        work.startOffset = Int64.random(in: 0...interval * 3 / 100, using: &random)
        return work
      }
      var work = SurfaceWork(id: "surface \(index)", process: "app", units)
      work.isFilledByApp = pipeline == .filledByApp
      return work
    }
    display = SimulatedDisplay(interval: interval)
    display.wakeDelays = (0..<16).map { _ in
      Int64(Double(interval) * Double.random(in: 0...0.03, using: &random))
    }
    isLowLatency = pipeline == .lowLatency
  }

  private static func every(_ count: Int, from first: Int64 = 1) -> [Int64] {
    (0..<Int64(count)).map { first + $0 }
  }

  /// Makes a stage of some units longer, far enough apart for the pipeline to recover between faults.
  private mutating func addFaults(
    _ stages: [PipelineStage], _ sizes: ClosedRange<Double>, atMost most: Int,
    _ random: inout SplitMix64
  ) {
    let count = surfaces[0].units.count
    let positions = Int.random(in: 1...most, using: &random)
    let part = (count - 20) / positions
    for position in 0..<positions {
      let stage = stages.randomElement(using: &random) ?? .app
      let size = Double.random(in: sizes, using: &random)
      let unit = 10 + position * part + Int.random(in: 0..<max(1, part - 14), using: &random)
      faults.append(
        PlannedFault(
          surface: Int.random(in: surfaces.indices, using: &random), unit: unit, stage: stage,
          extra: Int64(size * Double(display.interval))))
    }
  }

  /// A finger that touches the app's surface.
  private mutating func addTouches(_ random: inout SplitMix64) {
    let interval = display.interval
    let start = Int64.random(in: 0...interval, using: &random)
    surfaces[0].scans = SimulatedScans(
      start: start, interval: interval, count: surfaces[0].units.count - 8)
  }

  static func singleFault(isClean: Bool, _ random: inout SplitMix64) -> DrivenPlan {
    let pipeline = Pipeline.allCases.randomElement(using: &random) ?? .double
    let count = Int.random(in: 60...120, using: &random)
    var plan = DrivenPlan(
      pipeline, at: every(count), interval: RandomDisplay.interval(&random), &random)
    if !isClean { plan.addFaults(stages, 0.25...3, atMost: 2, &random) }
    if Bool.random(using: &random) { plan.addTouches(&random) }
    return plan
  }

  static func twoSurfaces(isClean: Bool, _ random: inout SplitMix64) -> DrivenPlan {
    let pipeline: Pipeline = Bool.random(using: &random) ? .double : .lowLatency
    let count = Int.random(in: 60...120, using: &random)
    var plan = DrivenPlan(
      pipeline, at: every(count), interval: RandomDisplay.interval(&random), surfaces: 2, &random)
    if !isClean { plan.addFaults([.app, .compositor, .gpu], 0.8...3, atMost: 2, &random) }
    return plan
  }

  static func overload(isClean: Bool, _ random: inout SplitMix64) -> DrivenPlan {
    let pipeline: Pipeline = Bool.random(using: &random) ? .double : .filledByApp
    let count = Int.random(in: 60...120, using: &random)
    var plan = DrivenPlan(
      pipeline, at: every(count), interval: RandomDisplay.interval(&random), &random)
    guard !isClean else { return plan }
    let stage = [PipelineStage.app, .compositor, .gpu].randomElement(using: &random) ?? .app
    let isWhole = Int.random(in: 0..<6, using: &random) == 0
    let slow = isWhole ? 0..<count : 15..<15 + Int.random(in: 8...20, using: &random)
    let share = Double.random(in: 1.15...1.9, using: &random)
    for unit in slow {
      let work = plan.surfaces[0].units[unit]
      let usual = stage == .app ? work.app : stage == .gpu ? work.gpu : work.compositor
      let factor = 1 + Double.random(in: -0.05...0.05, using: &random)
      let length = Int64(Double(plan.display.interval) * share * factor)
      plan.faults.append(
        PlannedFault(unit: unit, stage: stage, extra: length - usual, isSustained: true))
    }
    return plan
  }

  static func bufferStuffing(isClean: Bool, _ random: inout SplitMix64) -> DrivenPlan {
    let count = Int.random(in: 60...120, using: &random)
    var plan = DrivenPlan(
      .filledByApp, at: every(count), interval: RandomDisplay.interval(&random), &random)
    plan.surfaces[0].buffers = 4
    if !isClean { plan.addFaults([.compositor, .gpu, .display], 1.0...1.6, atMost: 1, &random) }
    return plan
  }

  static func cadence(isClean: Bool, _ random: inout SplitMix64) -> DrivenPlan {
    let rates: [(display: Int64, content: Double)] = [
      (60, 24), (60, 30), (60, 40), (90, 24), (90, 30), (90, 40), (120, 24), (120, 30), (120, 40),
    ]
    let (rate, content) = rates.randomElement(using: &random) ?? (60, 30)
    let count = Int.random(in: 60...100, using: &random)
    let step = Double(rate) / content
    let refreshes = (0..<count).map { 1 + Int64((Double($0) * step).rounded(.down)) }
    var plan = DrivenPlan(
      Bool.random(using: &random) ? .double : .filledByApp, at: refreshes,
      interval: 1_000_000_000 / rate, &random)
    if !isClean { plan.addFaults(stages, 1.0...2.5, atMost: 3, &random) }
    return plan
  }

  static func rests(isClean: Bool, _ random: inout SplitMix64) -> DrivenPlan {
    var refreshes: [Int64] = []
    var next: Int64 = 1
    for _ in 0..<Int.random(in: 3...6, using: &random) {
      let count = Int.random(in: 14...28, using: &random)
      refreshes += every(count, from: next)
      next += Int64(count) + Int64.random(in: 8...90, using: &random)
    }
    // With three buffers, each animation would begin with a drop.
    let pipelines: [Pipeline] = [.double, .lowLatency, .filledByApp]
    let pipeline = pipelines.randomElement(using: &random) ?? .double
    var plan = DrivenPlan(
      pipeline, at: refreshes, interval: RandomDisplay.interval(&random), &random)
    if !isClean { plan.addFaults(stages, 0.5...3, atMost: 2, &random) }
    return plan
  }

  static func hiddenWindow(isClean: Bool, _ random: inout SplitMix64) -> DrivenPlan {
    let interval = RandomDisplay.interval(&random)
    let shown = Int.random(in: 30...50, using: &random)
    let seconds = Double.random(in: 1.5...4.5, using: &random)
    let away = Int64(Nanoseconds.seconds(seconds).count / interval)
    let refreshes =
      every(shown) + every(Int.random(in: 30...50, using: &random), from: Int64(shown) + away)
    var plan = DrivenPlan(.filledByApp, at: refreshes, interval: interval, &random)
    if !isClean { plan.addFaults(stages, 1.0...2.5, atMost: 2, &random) }
    let start = (Int64(shown) + 30) * interval
    plan.fateOfHidden = Bool.random(using: &random) ? .unknown : .discarded
    plan.hidden = [start..<max(start, (Int64(shown) + away - 20) * interval)]
    return plan
  }

  static func scheduling(isClean: Bool, _ random: inout SplitMix64) -> DrivenPlan {
    let count = Int.random(in: 60...120, using: &random)
    let interval = RandomDisplay.interval(&random)
    var plan = DrivenPlan(.double, at: every(count), interval: interval, &random)
    // The thread's activity is written for an app that usually takes half a refresh.
    let usual = interval / 2
    for unit in 0..<count {
      plan.surfaces[0].units[unit].app = usual
      plan.surfaces[0].units[unit].startOffset = 0
    }
    plan.threads = usual
    guard !isClean else { return plan }
    plan.addFaults([.app], 0.9...2.2, atMost: 3, &random)
    for position in plan.faults.indices {
      plan.faults[position].thread = ScheduledThreads.Fault.allCases.randomElement(using: &random)
    }
    return plan
  }
}

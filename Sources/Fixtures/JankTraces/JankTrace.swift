package import FrameKit

/// A generated trace, and the truth about it.
package struct JankTrace: Sendable {
  package let family: JankFamily
  package let seed: UInt64
  package let trace: Trace
  package let truth: JankTruth

  /// The trace with a number in a set: families take turns.
  package init(number: Int, of seed: UInt64) {
    let families = JankFamily.allCases
    self.init(families[number % families.count], number: number, of: seed)
  }

  /// The trace of a family. The same numbers always give the same trace.
  package init(_ family: JankFamily, number: Int, of seed: UInt64) {
    let own = seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(number) &* 0xBF58_476D_1CE4_E5B9
    var random = SplitMix64(seed: own)
    // Two of five traces are clean, so that false alarms show.
    let isClean = Int.random(in: 0..<5, using: &random) < 2
    let plan = family.plan(isClean: isClean, &random)
    let (played, clean) = (plan.play(plan.faults), plan.play([]))
    let digits = String(number)
    let name =
      family.rawValue + "-" + String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    self.family = family
    self.seed = own
    trace = played.trace
    truth = TruthOfPlay(plan, played, clean).truth(
      JankTruth(name: name, family: family.rawValue, seed: own, surfaces: []))
  }
}

/// Finds the truth by comparing the played work with the same work without the faults.
struct TruthOfPlay {
  private let plan: any JankPlan
  private let played, clean: PlayedWork

  init(_ plan: any JankPlan, _ played: PlayedWork, _ clean: PlayedWork) {
    (self.plan, self.played, self.clean) = (plan, played, clean)
  }

  func truth(_ empty: JankTruth) -> JankTruth {
    var truth = empty
    truth.surfaces = played.trace.surfaces.indices.map(surface)
    switch played.display {
    case .fixed(let display):
      let last = truth.surfaces.joined.compactMap(\.refresh).max() ?? 0
      truth.rates = display.rates(until: last)
    case .waiting: truth.isVariable = true
    }
    truth.faults = plan.faults.compactMap { fault in
      position(of: fault).map {
        JankTruth.Fault(
          position: $0, stage: fault.stage, extra: Nanoseconds(fault.extra),
          isSustained: fault.isSustained, cause: fault.thread?.cause.rawValue)
      }
    }
    for surface in played.surfaces.indices {
      truth.drops += played.dropped(surface: surface, without: clean).compactMap {
        drop($0, surface)
      }
    }
    truth.drops.sort { ($0.refresh, $0.surface) < ($1.refresh, $1.surface) }
    truth.touches = touches()
    return truth
  }

  private func position(of fault: PlannedFault) -> JankTruth.Position? {
    played.surfaces[fault.surface].rows[fault.unit].map {
      JankTruth.Position(surface: fault.surface, frame: $0)
    }
  }

  /// Faults are so far apart that a drop is always due to the last fault that began before it.
  private func drop(_ dropped: PlayedWork.Dropped, _ surface: Int) -> JankTruth.Drop? {
    let time = played.time(ofRefresh: dropped.refresh)
    guard let victim = played.surfaces[surface].rows[dropped.unit],
      let fault = plan.faults.last(where: { start(of: $0).map { $0 <= time } ?? false })
        ?? plan.faults.first
    else { return nil }
    return JankTruth.Drop(
      refresh: dropped.refresh, time: time, surface: surface, victim: victim,
      culprit: fault.isSustained ? nil : culprit(fault, surface), stage: fault.stage,
      cause: fault.thread?.cause.rawValue)
  }

  private func start(of fault: PlannedFault) -> Int64? {
    position(of: fault).flatMap {
      played.trace.surfaces[$0.surface].frames[$0.frame, .appStart]
    }
  }

  /// The frame with the fault. If the compositor drew it together with a frame of the surface that dropped the refresh,
  /// the latter frame is used, because the two cannot be distinguished.
  private func culprit(_ fault: PlannedFault, _ surface: Int) -> JankTruth.Position? {
    guard let position = position(of: fault), fault.stage == .compositor,
      position.surface != surface,
      let start = played.trace.surfaces[position.surface].frames[position.frame, .compositorStart]
    else { return position(of: fault) }
    let frames = played.trace.surfaces[surface].frames
    let together = (0..<frames.count).first { frames[$0, .compositorStart] == start }
    return together.map { JankTruth.Position(surface: surface, frame: $0) } ?? position
  }

  private func surface(_ index: Int) -> JankTruth.Surface {
    let surface = played.trace.surfaces[index]
    let isFilledByApp = surface.bufferOwner == .app
    var written = JankTruth.Surface(
      id: surface.id, isFilledByApp: isFilledByApp,
      frames: (0..<surface.frames.count).map { frame(surface.frames, $0) })
    written.depth = Self.depth(surface.frames, isFilledByApp)
    return written
  }

  private func frame(_ frames: Table<FrameColumn>, _ row: Int) -> JankTruth.Frame {
    var frame = JankTruth.Frame(row: row)
    frame.isGenerated = frames[row, .kind] == FrameColumn.Kind.generated.rawValue
    frame.appStart = frames[row, .appStart]
    frame.commit = frames[row, .commit]
    frame.compositorStart = frames[row, .compositorStart]
    frame.compositorEnd = frames[row, .compositorEnd]
    frame.gpuStart = frames[row, .gpuStart]
    frame.gpuEnd = frames[row, .gpuEnd]
    frame.queued = frames[row, .queued]
    frame.displayed = frames[row, .displayed]
    frame.replaced = frames[row, .replaced]
    frame.buffer = frames[row, .buffer]
    frame.refresh = frame.displayed.map { time in
      switch played.display {
      case .fixed(let display): display.first(atOrAfter: time)
      case .waiting(let refreshes):
        Int64(refreshes.firstIndex { $0.time >= time } ?? refreshes.count)
      }
    }
    return frame
  }

  /// The number of buffers in use from each time onward. A buffer is in use from when a frame is drawn into it until
  /// the frame leaves the display, or until the buffer is released, if that is later.
  private static func depth(
    _ frames: Table<FrameColumn>, _ isFilledByApp: Bool
  ) -> [(time: Int64, buffers: Int)] {
    var steps: [Int64: Int] = [:]
    // The buffers of a driver's frames are not the app's.
    let generated = FrameColumn.Kind.generated.rawValue
    for row in 0..<frames.count where frames[row, .kind] != generated {
      let drawn =
        isFilledByApp
        ? frames[row, .bufferWaitEnd] ?? frames[row, .appStart] : frames[row, .compositorStart]
      guard let start = drawn ?? frames[row, .commit] else { continue }
      steps[start, default: 0] += 1
      let thrownAway =
        frames[row, .displayed] == nil ? frames[row, .commit] : nil
      if let end = frames[row, .released] ?? frames[row, .replaced] ?? thrownAway {
        steps[max(start, end), default: 0] -= 1
      }
    }
    var buffers = 0
    var changes: [(time: Int64, buffers: Int)] = []
    for (time, step) in steps.sorted(by: { $0.key < $1.key }) where step != 0 {
      buffers += step
      changes.append((time, buffers))
    }
    return changes
  }

  private func touches() -> [JankTruth.Touch] {
    let touches = played.trace.touches
    return (0..<touches.count).compactMap { row in
      guard touches[row, .kind] == TouchColumn.Kind.main.rawValue,
        let start = touches[row, .scanStart]
      else { return nil }
      let surface = Int(touches[row, .surface] ?? 0)
      let frame = touches[row, .frame].map(Int.init)
      let shown = frame.flatMap { played.trace.surfaces[surface].frames[$0, .displayed] }
      let latency = shown.flatMap { shown -> Nanoseconds? in
        guard case .fixed(let display) = played.display else { return nil }
        return Nanoseconds(display.time(display.first(atOrAfter: shown) + 1) - start)
      }
      return JankTruth.Touch(time: start, surface: surface, frame: frame, latency: latency)
    }
  }
}

extension [JankTruth.Surface] {
  fileprivate var joined: [JankTruth.Frame] { flatMap(\.frames) }
}

extension SimulatedDisplay {
  /// The refresh rates up to a refresh.
  fileprivate func rates(until last: Int64) -> [JankTruth.Rate] {
    var rates: [JankTruth.Rate] = []
    for number in 0...max(0, last) {
      let interval = time(number + 1) - time(number)
      if rates.last?.interval != interval {
        rates.append(.init(refresh: number, time: time(number), interval: interval))
      }
    }
    return rates
  }
}

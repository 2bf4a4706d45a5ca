/// Puts frames together.
///
/// Rows of `display-surface-swap` and of the `hitches-` tables are of one frame where they have the
/// same swap id. A row of `displayed-surfaces-interval` begins at the instant of its swap, and names
/// the app's frame where an app draws without the compositor. The surface ids that take turns on a
/// display are the buffers of one surface: what the compositor draws for it.
struct XctraceFrames {
  private typealias Stretch = XctraceFrameFacts.Stretch
  private typealias Swap = XctraceDisplayFacts.Swap
  private typealias Render = XctraceFrameFacts.Render

  private var join: XctraceJoin
  /// The app's, the GPU's, the waiting and the whole time of each frame that no row has taken, by
  /// swap id.
  private var updates, gpu, waits, lifetimes: [Int64: Stretch]
  /// The GPU's work for each frame of an app that no row has taken.
  private var work: [XctraceDisplayFacts.AppFrame: [XctraceDisplayFacts.Work]]
  /// Where the frame of each swap is.
  private var places: [Int64: (surface: Int, frame: Int)] = [:]
  private var queuedByDelay = 0
  private var queuedByWait = 0
  private var strayWaits = 0
  private var workByLabel = 0

  static func add(to join: inout XctraceJoin) {
    var frames = XctraceFrames(join)
    frames.addAll()
    join = frames.join
  }

  private init(_ join: XctraceJoin) {
    self.join = join
    let facts = join.recording.frames
    updates = Self.bySwap(facts.updates)
    gpu = Self.bySwap(facts.gpu)
    waits = Self.bySwap(facts.waits)
    lifetimes = Self.bySwap(facts.lifetimes)
    work = Dictionary(grouping: join.recording.displays.work, by: \.frame)
  }

  /// One stretch for each frame, from the first of its rows to the last.
  private static func bySwap(_ stretches: [Stretch]) -> [Int64: Stretch] {
    Dictionary(stretches.map { ($0.swap, $0) }) { one, other in
      Stretch(
        start: min(one.start, other.start), end: max(one.end, other.end), display: one.display,
        swap: one.swap)
    }
  }

  private mutating func addAll() {
    let (facts, displays) = (join.recording.frames, join.recording.displays)
    var renders: [Int64: Render] = [:]
    for render in facts.renders {
      if let swap = render.swap { renders[swap] = renders[swap] ?? render }
    }
    let stays = Dictionary(
      displays.shown.map { (Stay(start: $0.start, surface: $0.surface), $0) },
      uniquingKeysWith: { $0.end < $1.end ? $1 : $0 })
    for swap in displays.swaps {
      let render = swap.swap.flatMap { renders.removeValue(forKey: $0) }
      add(swap, render, stays[Stay(start: swap.displayed, surface: swap.surface)])
    }
    // What was drawn and not swapped in within the recording, once for all its colours and levels.
    for render in facts.renders {
      guard let swap = render.swap else {
        add(render)
        continue
      }
      if let own = renders.removeValue(forKey: swap) { add(own) }
    }
    addUndrawn()
    if displays.swaps.isEmpty, facts.lifetimes.isEmpty { addShown() }
    addUnshownWork()
    addInputs()
    note()
  }

  /// What tells a stretch on the display from others.
  private struct Stay: Hashable {
    let start: Int64
    let surface: Int64?
  }

  private mutating func note() {
    join.builder.log.note(
      .timeRebuilt, .info, "times of queueing taken to be a swap's time less its delay",
      count: queuedByDelay)
    join.builder.log.note(
      .joinAssumed, .info, "frames taken to be queued when their wait for the display began",
      count: queuedByWait)
    join.builder.log.note(
      .joinAssumed, .dataLoss,
      "waits for the display that do not end with the frame of their swap, left out",
      count: strayWaits + waits.count)
    join.builder.log.note(
      .joinAssumed, .info, "frames given the GPU's work by the number in their label",
      count: workByLabel)
    join.builder.log.note(
      .unknownRecord, .info, "GPU work that is of no frame of an app, left out",
      count: join.recording.displays.framelessWork)
    join.builder.log.note(
      .joinAssumed, .info, "inputs of an unnamed device, taken to be touches scanned at their time",
      count: join.builder.trace.touches.count)
  }
}

// MARK: Rows

extension XctraceFrames {
  @discardableResult private mutating func append(
    _ row: Table<FrameColumn>.Row, to surface: Int
  ) -> Int {
    let frame = join.builder.trace.surfaces[surface].frames.count
    join.builder.trace.surfaces[surface].frames.append(row)
    if let swap = row[.identifier] { places[swap] = (surface, frame) }
    return frame
  }

  private mutating func add(_ swap: Swap, _ render: Render?, _ stay: XctraceDisplayFacts.Shown?) {
    let surface =
      if let app = stay?.app { join.surface(of: app.process, on: swap.display) } else {
        join.surface(of: swap.display)
      }
    var row = Table<FrameColumn>.Row()
    row[.identifier] = swap.swap
    row[.compositorStart] = render?.start
    row[.compositorEnd] = render?.end
    row[.offscreenPasses] = render?.passes
    row[.queued] = swap.queued
    if swap.queued != nil { queuedByDelay += 1 }
    row[.displayed] = swap.displayed
    row[.replaced] = stay?.end
    row[.expectedDisplay] = swap.desired
    row[.buffer] = swap.surface
    addStretches(of: swap.swap, to: &row)
    if let app = stay?.app { addWork(of: app, to: &row) }
    let frame = append(row, to: surface)
    if let input = swap.input { addInput(at: input, (surface, frame)) }
  }

  private mutating func add(_ render: Render) {
    var row = Table<FrameColumn>.Row()
    row[.identifier] = render.swap
    row[.compositorStart] = render.start
    row[.compositorEnd] = render.end
    row[.offscreenPasses] = render.passes
    row[.buffer] = render.surface
    addStretches(of: render.swap, to: &row)
    append(row, to: join.surface(of: render.display))
  }

  /// Frames that neither a swap nor a render is there of.
  private mutating func addUndrawn() {
    let facts = join.recording.frames
    for stretch in facts.lifetimes + facts.updates + facts.gpu {
      guard [lifetimes, updates, gpu].contains(where: { $0[stretch.swap] != nil }) else { continue }
      var row = Table<FrameColumn>.Row()
      row[.identifier] = stretch.swap
      addStretches(of: stretch.swap, to: &row)
      append(row, to: join.surface(of: stretch.display))
    }
  }

  /// Stretches on the display by themselves, where no table tells the swaps.
  private mutating func addShown() {
    for shown in join.recording.displays.shown {
      var row = Table<FrameColumn>.Row()
      row[.displayed] = shown.start
      row[.replaced] = shown.end
      row[.buffer] = shown.surface
      if let app = shown.app {
        addWork(of: app, to: &row)
        append(row, to: join.surface(of: app.process, on: shown.display))
      } else {
        append(row, to: join.surface(of: shown.display))
      }
    }
  }

  /// Frames of apps that no row of the display is there of.
  private mutating func addUnshownWork() {
    for work in join.recording.displays.work where self.work[work.frame] != nil {
      var row = Table<FrameColumn>.Row()
      addWork(of: work.frame, to: &row)
      append(row, to: join.surface(of: work.frame.process, on: nil))
    }
  }
}

// MARK: Stages

extension XctraceFrames {
  /// Gives a frame the stretches of its swap id.
  private mutating func addStretches(of swap: Int64?, to row: inout Table<FrameColumn>.Row) {
    guard let swap else { return }
    let (update, work) = (updates.removeValue(forKey: swap), gpu.removeValue(forKey: swap))
    let lifetime = lifetimes.removeValue(forKey: swap)
    row[.appStart] = update?.start ?? lifetime?.start
    row[.appEnd] = update?.end
    row[.gpuStart] = work?.start
    row[.gpuEnd] = work?.end
    row[.displayed] = row[.displayed] ?? lifetime?.end
    if let wait = waits.removeValue(forKey: swap) { add(wait, to: &row) }
  }

  /// A frame's wait for the display tells when it was queued, if it ends with its display.
  private mutating func add(_ wait: Stretch, to row: inout Table<FrameColumn>.Row) {
    guard let displayed = row[.displayed], abs(wait.end - displayed) <= Self.sameInstant else {
      strayWaits += 1
      return
    }
    guard row[.queued] == nil else { return }
    row[.queued] = wait.start
    queuedByWait += 1
  }

  /// How far apart two tables may have the same instant.
  private static let sameInstant: Int64 = 1_000_000

  /// Gives a frame of an app the GPU's work for it.
  private mutating func addWork(
    of app: XctraceDisplayFacts.AppFrame, to row: inout Table<FrameColumn>.Row
  ) {
    row[.identifier] = row[.identifier] ?? app.number
    guard let work = work.removeValue(forKey: app) else { return }
    if row[.displayed] != nil { workByLabel += 1 }
    let span = { (kind: XctraceDisplayFacts.Work.Kind?) -> (start: Int64?, end: Int64?) in
      let own = work.filter { kind == nil || $0.kind == kind }
      return (own.map(\.start).min(), own.map(\.end).max())
    }
    (row[.gpuStart], row[.gpuEnd]) = span(nil)
    (row[.vertexStart], row[.vertexEnd]) = span(.vertex)
    (row[.fragmentStart], row[.fragmentEnd]) = span(.fragment)
  }
}

// MARK: Inputs

extension XctraceFrames {
  private mutating func addInput(at time: Int64, _ place: (surface: Int, frame: Int)?) {
    var touch = Table<TouchColumn>.Row()
    touch[.kind] = TouchColumn.Kind.main.rawValue
    touch[.scanStart] = time
    touch[.surface] = place.map { Int64($0.surface) }
    touch[.frame] = place.map { Int64($0.frame) }
    join.builder.trace.touches.append(touch)
  }

  /// Inputs that no swap tells.
  private mutating func addInputs() {
    let known = Set(join.recording.displays.swaps.compactMap(\.input))
    for input in join.recording.frames.inputs where !known.contains(input.time) {
      addInput(at: input.time, input.swap.flatMap { places[$0] })
    }
  }
}

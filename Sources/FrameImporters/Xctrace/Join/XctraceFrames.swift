import FrameTrace

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
  private var updates, gpu, waits, lifetimes: [SwapKey: Stretch]
  /// The GPU's work for each frame of an app that no row has taken.
  private var work: [XctraceDisplayFacts.AppFrame: [XctraceDisplayFacts.Work]]
  /// Where the frame of each swap is.
  private var places: [SwapKey: (surface: Int, frame: Int)] = [:]
  /// The apps whose frames are shown without the compositor.
  private let direct: Set<XctraceProcess>
  private var strayStays = 0
  private var composedWork = 0
  private var repeatedInputs = 0
  private var inputs: Set<Int64> = []
  private var queuedByDelay = 0
  private var queuedByWait = 0
  private var strayWaits = 0
  private var workByLabel = 0

  /// A swap by its id, and where there are several displays by the name that a table has for its own.
  struct SwapKey: Hashable {
    let display: String?
    let swap: Int64
  }

  private func key(_ swap: Int64?, on display: String) -> SwapKey? {
    swap.map { SwapKey(display: join.isOneDisplay ? nil : display, swap: $0) }
  }

  static func add(to join: inout XctraceJoin) {
    var frames = XctraceFrames(join)
    frames.addAll()
    join = frames.join
  }

  private init(_ join: XctraceJoin) {
    self.join = join
    let facts = join.recording.frames
    let isOne = join.isOneDisplay
    updates = Self.bySwap(facts.updates, isOne)
    gpu = Self.bySwap(facts.gpu, isOne)
    waits = Self.bySwap(facts.waits, isOne)
    lifetimes = Self.bySwap(facts.lifetimes, isOne)
    direct = Set(join.recording.displays.shown.compactMap { $0.app?.process })
    work = Dictionary(grouping: join.recording.displays.work, by: \.frame)
  }

  /// One stretch for each frame, from the first of its rows to the last.
  private static func bySwap(_ stretches: [Stretch], _ isOneDisplay: Bool) -> [SwapKey: Stretch] {
    Dictionary(
      stretches.map { (SwapKey(display: isOneDisplay ? nil : $0.display, swap: $0.swap), $0) }
    ) { one, other in
      Stretch(
        start: min(one.start, other.start), end: max(one.end, other.end), display: one.display,
        swap: one.swap)
    }
  }

  private mutating func addAll() {
    let (facts, displays) = (join.recording.frames, join.recording.displays)
    var renders: [SwapKey: Render] = [:]
    for render in facts.renders {
      if let key = key(render.swap, on: render.display) { renders[key] = renders[key] ?? render }
    }
    var stays = Dictionary(
      displays.shown.map { (stay($0.start, $0.surface, on: $0.display), $0) },
      uniquingKeysWith: { $0.end < $1.end ? $1 : $0 })
    for swap in displays.swaps {
      let render = key(swap.swap, on: swap.display).flatMap { renders.removeValue(forKey: $0) }
      let stay = stays.removeValue(forKey: stay(swap.displayed, swap.surface, on: swap.display))
      add(swap, render, stay)
    }
    // What was drawn and not swapped in within the recording, once for all its colors and levels.
    for render in facts.renders {
      guard let key = key(render.swap, on: render.display) else {
        add(render)
        continue
      }
      if let own = renders.removeValue(forKey: key) { add(own) }
    }
    addUndrawn()
    addShown(stays)
    addUnshownWork()
    addInputs()
    note()
  }

  /// What tells a stretch on the display from others.
  private struct Stay: Hashable {
    let start: Int64
    let surface: Int64?
    let display: String?
  }

  private func stay(_ start: Int64, _ surface: Int64?, on display: String) -> Stay {
    Stay(start: start, surface: surface, display: join.isOneDisplay ? nil : display)
  }

  private mutating func note() {
    join.builder.log.note(
      .timeRebuilt, .info, "queue times taken to be a swap's time minus its delay",
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
      .unknownRecord, .info,
      "GPU work for no app frame, or for an app that the compositor draws, left out",
      count: join.recording.displays.framelessWork + composedWork)
    join.builder.log.note(
      .brokenReference, .info, "stretches on a display that no swap begins, left out",
      count: strayStays)
    join.builder.log.note(
      .joinAssumed, .info, "inputs that a later swap repeats, taken to belong to the first",
      count: repeatedInputs)
    if !join.isOneDisplay, !join.recording.frames.renders.isEmpty {
      join.builder.log.note(
        .joinAssumed, .info,
        "swaps of several displays are joined only where tables call a display the same")
    }
    join.builder.log.note(
      .joinAssumed, .info, "inputs of an unnamed device, taken to be touches scanned at their time",
      count: join.builder.trace.touches.count)
  }
}

// MARK: Rows

extension XctraceFrames {
  @discardableResult private mutating func append(
    _ row: Table<FrameColumn>.Row, to surface: Int, _ key: SwapKey? = nil
  ) -> Int {
    let frame = join.builder.trace.surfaces[surface].frames.count
    join.builder.trace.surfaces[surface].frames.append(row)
    if let key { places[key] = (surface, frame) }
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
    let key = key(swap.swap, on: swap.display)
    addStretches(of: key, to: &row)
    if let app = stay?.app { addWork(of: app, to: &row) }
    let frame = append(row, to: surface, key)
    if let input = swap.input, !inputs.insert(input).inserted {
      repeatedInputs += 1
    } else if let input = swap.input {
      addInput(at: input, (surface, frame))
    }
  }

  private mutating func add(_ render: Render) {
    var row = Table<FrameColumn>.Row()
    row[.identifier] = render.swap
    row[.compositorStart] = render.start
    row[.compositorEnd] = render.end
    row[.offscreenPasses] = render.passes
    row[.buffer] = render.surface
    let key = key(render.swap, on: render.display)
    addStretches(of: key, to: &row)
    append(row, to: join.surface(of: render.display), key)
  }

  /// Frames that have neither a swap nor a render.
  private mutating func addUndrawn() {
    let facts = join.recording.frames
    for stretch in facts.lifetimes + facts.updates + facts.gpu {
      guard let key = key(stretch.swap, on: stretch.display),
        [lifetimes, updates, gpu].contains(where: { $0[key] != nil })
      else { continue }
      var row = Table<FrameColumn>.Row()
      row[.identifier] = stretch.swap
      addStretches(of: key, to: &row)
      append(row, to: join.surface(of: stretch.display), key)
    }
  }

  /// Stretches on the display that no swap begins: frames of their own where no table tells swaps or
  /// lifetimes, and where an app is named.
  private mutating func addShown(_ stays: [Stay: XctraceDisplayFacts.Shown]) {
    let isAlone =
      join.recording.displays.swaps.isEmpty && join.recording.frames.lifetimes.isEmpty
    var stays = stays
    for shown in join.recording.displays.shown {
      guard stays.removeValue(forKey: stay(shown.start, shown.surface, on: shown.display)) != nil
      else { continue }
      var row = Table<FrameColumn>.Row()
      row[.displayed] = shown.start
      row[.replaced] = shown.end
      row[.buffer] = shown.surface
      if let app = shown.app {
        addWork(of: app, to: &row)
        append(row, to: join.surface(of: app.process, on: shown.display))
      } else if isAlone {
        append(row, to: join.surface(of: shown.display))
      } else {
        strayStays += 1
      }
    }
  }

  /// Frames of apps that have no row of the display.
  private mutating func addUnshownWork() {
    for work in join.recording.displays.work where self.work[work.frame] != nil {
      guard direct.contains(work.frame.process) else {
        composedWork += 1
        continue
      }
      var row = Table<FrameColumn>.Row()
      addWork(of: work.frame, to: &row)
      append(row, to: join.surface(of: work.frame.process, on: nil))
    }
  }
}

// MARK: Stages

extension XctraceFrames {
  /// Gives a frame the stretches of its swap id.
  private mutating func addStretches(of key: SwapKey?, to row: inout Table<FrameColumn>.Row) {
    guard let key else { return }
    let (update, work) = (updates.removeValue(forKey: key), gpu.removeValue(forKey: key))
    let lifetime = lifetimes.removeValue(forKey: key)
    row[.appStart] = update?.start ?? lifetime?.start
    row[.appEnd] = update?.end
    row[.gpuStart] = work?.start
    row[.gpuEnd] = work?.end
    row[.displayed] = row[.displayed] ?? lifetime?.end
    if let wait = waits.removeValue(forKey: key) { add(wait, to: &row) }
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

  /// Inputs that no swap reports.
  private mutating func addInputs() {
    for input in join.recording.frames.inputs where inputs.insert(input.time).inserted {
      // The table names no display, so that of several none is known.
      let key = join.isOneDisplay ? input.swap.map { SwapKey(display: nil, swap: $0) } : nil
      addInput(at: input.time, key.flatMap { places[$0] })
    }
  }
}

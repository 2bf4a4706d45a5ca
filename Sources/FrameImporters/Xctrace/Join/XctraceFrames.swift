import FrameTrace

/// Assembles frames from the tables of a recording.
///
/// Rows of `display-surface-swap` and of the `hitches-` tables with the same swap ID belong to one
/// frame. A row of `displayed-surfaces-interval` begins at the instant of its swap, and names the
/// app's frame if an app draws without the compositor. Surface IDs that take turns on a display are
/// the buffers of one surface, which the compositor draws for that display.
struct XctraceFrames {
  private typealias Stretch = XctraceFrameFacts.Stretch
  private typealias Swap = XctraceDisplayFacts.Swap
  private typealias Render = XctraceFrameFacts.Render

  private var join: XctraceJoin
  /// The app's time, the GPU's time, the wait and the lifetime of each frame that no row has taken
  /// yet, by swap ID.
  private var updates, gpu, waits, lifetimes: SwapStretches
  /// The GPU work for each app frame that no row has taken yet.
  private var work: [XctraceDisplayFacts.AppFrame: [XctraceDisplayFacts.Work]]
  /// The surface and frame index of each swap, if there are inputs that name a swap.
  private var positions: [SwapKey: (surface: Int, frame: Int)] = [:]
  private let hasInputs: Bool
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

  /// A swap, by its ID and the number of its display.
  struct SwapKey: Hashable {
    let display, swap: Int64
  }

  private func key(_ swap: Int64?, on display: String) -> SwapKey? {
    swap.map { SwapKey(display: join.number(ofDisplay: display), swap: $0) }
  }

  static func add(to join: inout XctraceJoin) {
    var frames = XctraceFrames(join)
    frames.addAll()
    join = frames.join
  }

  private init(_ join: XctraceJoin) {
    self.join = join
    let facts = join.recording.frames
    hasInputs = !facts.inputs.isEmpty
    updates = SwapStretches(facts.updates, join)
    gpu = SwapStretches(facts.gpu, join)
    waits = SwapStretches(facts.waits, join)
    lifetimes = SwapStretches(facts.lifetimes, join)
    direct = Set(join.recording.displays.shown.compactMap { $0.app?.process })
    work = Dictionary(grouping: join.recording.displays.work, by: \.frame)
  }

  private mutating func addAll() {
    let (facts, displays) = (join.recording.frames, join.recording.displays)
    // The first render of each swap, until a row has taken it.
    var renders = PairTable()
    for (position, render) in facts.renders.enumerated() {
      guard let key = key(render.swap, on: render.display) else { continue }
      if renders[key.display, key.swap] == nil { renders[key.display, key.swap] = Int32(position) }
    }
    var stays = DisplayStays(displays.shown, join)
    for swap in displays.swaps {
      let render = key(swap.swap, on: swap.display).flatMap { renders.remove($0.display, $0.swap) }
      let stay = stays.remove(
        swap.displayed, swap.surface, on: join.number(ofDisplay: swap.display))
      add(
        swap, render.map { facts.renders[Int($0)] }, stay.map { displays.shown[$0] })
    }
    // Frames that were drawn but not swapped in within the recording, once for all colors and
    // levels.
    for render in facts.renders {
      guard let key = key(render.swap, on: render.display) else {
        add(render)
        continue
      }
      if let own = renders.remove(key.display, key.swap) { add(facts.renders[Int(own)]) }
    }
    addUndrawn()
    addShown(stays)
    addUnshownWork()
    addInputs()
    note()
  }

  private mutating func note() {
    join.builder.log.note(
      .timeRebuilt, .info, "queue times assumed to be a swap's time minus its delay",
      count: queuedByDelay)
    join.builder.log.note(
      .joinAssumed, .info, "frames assumed to be queued when their wait for the display began",
      count: queuedByWait)
    join.builder.log.note(
      .joinAssumed, .dataLoss,
      "waits for the display that do not end with the frame of their swap, left out",
      count: strayWaits + waits.count)
    join.builder.log.note(
      .joinAssumed, .info, "frames matched to GPU work by the number in their label",
      count: workByLabel)
    join.builder.log.note(
      .unknownRecord, .info,
      "GPU work for no app frame, or for an app that the compositor draws, left out",
      count: join.recording.displays.framelessWork + composedWork)
    join.builder.log.note(
      .brokenReference, .info, "intervals on a display that no swap begins, left out",
      count: strayStays)
    join.builder.log.note(
      .joinAssumed, .info, "inputs that a later swap repeats, assumed to belong to the first",
      count: repeatedInputs)
    if !join.isOneDisplay, !join.recording.frames.renders.isEmpty {
      join.builder.log.note(
        .joinAssumed, .info,
        "swaps of several displays are joined only where tables call a display the same")
    }
    join.builder.log.note(
      .joinAssumed, .info,
      "inputs of an unnamed device, assumed to be touches scanned at their time",
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
    if hasInputs, let key { positions[key] = (surface, frame) }
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

  /// Adds the frames that have neither a swap nor a render.
  private mutating func addUndrawn() {
    let facts = join.recording.frames
    for stretches in [facts.lifetimes, facts.updates, facts.gpu] {
      for stretch in stretches {
        guard let key = key(stretch.swap, on: stretch.display),
          lifetimes.has(key) || updates.has(key) || gpu.has(key)
        else { continue }
        var row = Table<FrameColumn>.Row()
        row[.identifier] = stretch.swap
        addStretches(of: key, to: &row)
        append(row, to: join.surface(of: stretch.display), key)
      }
    }
  }

  /// Adds the stretches on the display that no swap begins. They are separate frames if no table
  /// has swaps or lifetimes, or if an app is named.
  private mutating func addShown(_ stays: DisplayStays) {
    let isAlone =
      join.recording.displays.swaps.isEmpty && join.recording.frames.lifetimes.isEmpty
    var stays = stays
    for shown in join.recording.displays.shown {
      let display = join.number(ofDisplay: shown.display)
      guard stays.remove(shown.start, shown.surface, on: display) != nil else { continue }
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

  /// Adds the frames of apps without a row of the display.
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
  /// Adds the stretches of a swap ID to its frame.
  private mutating func addStretches(of key: SwapKey?, to row: inout Table<FrameColumn>.Row) {
    guard let key else { return }
    let (update, work) = (updates.remove(key), gpu.remove(key))
    let lifetime = lifetimes.remove(key)
    row[.appStart] = update?.start ?? lifetime?.start
    row[.appEnd] = update?.end
    row[.gpuStart] = work?.start
    row[.gpuEnd] = work?.end
    row[.displayed] = row[.displayed] ?? lifetime?.end
    if let wait = waits.remove(key) { add(wait, to: &row) }
  }

  /// Adds the queue time of a frame: the start of its wait, if the wait ends when the frame is displayed.
  private mutating func add(_ wait: Stretch, to row: inout Table<FrameColumn>.Row) {
    guard let displayed = row[.displayed], abs(wait.end - displayed) <= Self.sameInstant else {
      strayWaits += 1
      return
    }
    guard row[.queued] == nil else { return }
    row[.queued] = wait.start
    queuedByWait += 1
  }

  /// The maximum difference between two tables' times of the same instant, in ns.
  private static let sameInstant: Int64 = 1_000_000

  /// Adds the GPU work for an app's frame to its row.
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
  private mutating func addInput(at time: Int64, _ position: (surface: Int, frame: Int)?) {
    var touch = Table<TouchColumn>.Row()
    touch[.kind] = TouchColumn.Kind.main.rawValue
    touch[.scanStart] = time
    touch[.surface] = position.map { Int64($0.surface) }
    touch[.frame] = position.map { Int64($0.frame) }
    join.builder.trace.touches.append(touch)
  }

  /// Adds the inputs that no swap reports.
  private mutating func addInputs() {
    for input in join.recording.frames.inputs where inputs.insert(input.time).inserted {
      // The table names no display, so the display is unknown if there are several.
      let key = join.isOneDisplay ? input.swap.map { SwapKey(display: 0, swap: $0) } : nil
      addInput(at: input.time, key.flatMap { positions[$0] })
    }
  }
}

/// The stretches of frames that no row has taken yet, one for each swap, from the start of its first row to the end of
/// its last row.
private struct SwapStretches {
  private var stretches: [XctraceFrameFacts.Stretch] = []
  /// The index of each swap's stretch, by the number of its display and its ID.
  private var positions = PairTable()

  init(_ stretches: [XctraceFrameFacts.Stretch], _ join: XctraceJoin) {
    self.stretches.reserveCapacity(stretches.count)
    for stretch in stretches {
      let display = join.number(ofDisplay: stretch.display)
      if let position = positions[display, stretch.swap] {
        self.stretches[Int(position)].join(stretch)
      } else {
        positions[display, stretch.swap] = Int32(self.stretches.count)
        self.stretches.append(stretch)
      }
    }
  }

  /// The number of stretches that are left.
  var count: Int { positions.count }

  func has(_ key: XctraceFrames.SwapKey) -> Bool { positions[key.display, key.swap] != nil }

  /// Removes and returns the stretch of a swap.
  mutating func remove(_ key: XctraceFrames.SwapKey) -> XctraceFrameFacts.Stretch? {
    positions.remove(key.display, key.swap).map { stretches[Int($0)] }
  }
}

/// The stretches on displays that no frame has taken yet, by start and surface; among equal stretches, only the longest
/// is kept.
private struct DisplayStays {
  /// The indexes of each display's stretches.
  private var positions: [PairTable] = []

  init(_ shown: [XctraceDisplayFacts.Shown], _ join: XctraceJoin) {
    for (position, one) in shown.enumerated() {
      let display = Int(join.number(ofDisplay: one.display))
      while positions.count <= display { positions.append(PairTable()) }
      let surface = one.surface ?? Self.none
      if let known = positions[display][one.start, surface], shown[Int(known)].end >= one.end {
        continue
      }
      positions[display][one.start, surface] = Int32(position)
    }
  }

  /// Stands for the surface of a stretch without one.
  private static let none = Int64.min

  /// Removes a stretch.
  /// - Returns: The stretch's index; `nil` if there is no such stretch.
  mutating func remove(_ start: Int64, _ surface: Int64?, on display: Int64) -> Int? {
    guard display < positions.count else { return nil }
    return positions[Int(display)].remove(start, surface ?? Self.none).map { Int($0) }
  }
}

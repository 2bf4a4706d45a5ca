/// Puts the tables of a recording together into a trace.
///
/// Rows of `display-surface-swap`, `hitches-renders`, `-updates`, `-gpu` and `-frame-lifetimes` are
/// of one frame where they have the same swap id. A row of `displayed-surfaces-interval` begins at the instant of its swap. The
/// surface ids that take turns on a display are the buffers of one surface: what the compositor
/// draws for it.
struct XctraceJoin {
  private let recording: XctraceRecording
  private var builder: TraceBuilder
  /// The app's, the GPU's and the whole time of each frame that no row has taken, by swap id.
  private var updates, gpu, lifetimes: [Int64: XctraceRecording.Stretch]
  /// Whether all tables are of one display, however they name it.
  private let isOneDisplay: Bool

  static func trace(_ recording: XctraceRecording, _ provenance: Provenance) -> TraceBuilder {
    var join = XctraceJoin(recording, provenance)
    join.addRefreshes()
    join.addFrames()
    join.addHitches()
    join.addMarks()
    return join.builder
  }

  private init(_ recording: XctraceRecording, _ provenance: Provenance) {
    self.recording = recording
    builder = TraceBuilder(provenance)
    builder.trace.clocks = [
      ClockDomain(
        name: "recording start", join: .traceClock, offset: nil, resolution: Nanoseconds(1))
    ]
    updates = Self.bySwap(recording.updates)
    gpu = Self.bySwap(recording.gpu)
    lifetimes = Self.bySwap(recording.lifetimes)
    let names: [Set<String>] = [
      Set(recording.renders.map(\.display)), Set(recording.swaps.map(\.display)),
      Set(recording.shown.map(\.display)), Set(recording.refreshes.keys),
      Set(recording.updates.map(\.display)), Set(recording.gpu.map(\.display)),
      Set(recording.lifetimes.map(\.display)),
    ]
    isOneDisplay = names.allSatisfy { $0.count <= 1 }
  }

  /// The place of a display, by the first name that it had.
  private mutating func display(_ name: String) -> Int {
    if isOneDisplay, !builder.trace.displays.isEmpty { return 0 }
    return builder.display(name)
  }

  /// The place of the surface that the compositor draws for a display.
  private mutating func surface(of name: String) -> Int {
    let display = display(name)
    let id = builder.trace.displays[display].id
    return builder.surface(id) {
      Surface(id: id, display: display, bufferOwner: .compositor)
    }
  }

  private mutating func addRefreshes() {
    for (name, times) in recording.refreshes.sorted(by: { $0.key < $1.key }) {
      let place = display(name)
      for time in Set(times).sorted() {
        var row = Table<RefreshColumn>.Row()
        row[.time] = time
        builder.trace.displays[place].refreshes.append(row)
      }
    }
  }
}

extension XctraceJoin {
  private mutating func addFrames() {
    var renders: [Int64: XctraceRecording.Render] = [:]
    for render in recording.renders {
      if let swap = render.swap { renders[swap] = renders[swap] ?? render }
    }
    let ends = Dictionary(
      recording.shown.map { (Stay(start: $0.start, surface: $0.surface), $0.end) },
      uniquingKeysWith: max)
    for swap in recording.swaps {
      let render = swap.swap.flatMap { renders.removeValue(forKey: $0) }
      let end = ends[Stay(start: swap.displayed, surface: swap.surface)]
      add(swap, render, end: end)
    }
    // What was drawn and not swapped in within the recording, once for all its colours and levels.
    for render in recording.renders {
      guard let swap = render.swap else {
        add(render)
        continue
      }
      if let own = renders.removeValue(forKey: swap) { add(own) }
    }
    addUndrawn()
    if recording.swaps.isEmpty, recording.lifetimes.isEmpty { addShown() }
  }

  /// One stretch for each frame, from the first of its rows to the last.
  private static func bySwap(
    _ stretches: [XctraceRecording.Stretch]
  ) -> [Int64: XctraceRecording.Stretch] {
    Dictionary(stretches.map { ($0.swap, $0) }) { one, other in
      XctraceRecording.Stretch(
        start: min(one.start, other.start), end: max(one.end, other.end), display: one.display,
        swap: one.swap)
    }
  }

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
  }

  /// Frames that neither a swap nor a render is there of.
  private mutating func addUndrawn() {
    for stretch in recording.lifetimes + recording.updates + recording.gpu {
      guard
        [lifetimes, updates, gpu].contains(where: { $0[stretch.swap] != nil })
      else { continue }
      let place = surface(of: stretch.display)
      var row = Table<FrameColumn>.Row()
      row[.identifier] = stretch.swap
      addStretches(of: stretch.swap, to: &row)
      builder.trace.surfaces[place].frames.append(row)
    }
  }

  /// What tells a stretch on the display from others.
  private struct Stay: Hashable {
    let start: Int64
    let surface: Int64?
  }

  private mutating func add(
    _ swap: XctraceRecording.Swap, _ render: XctraceRecording.Render?, end: Int64?
  ) {
    let place = surface(of: swap.display)
    var row = Table<FrameColumn>.Row()
    row[.identifier] = swap.swap
    row[.compositorStart] = render?.start
    row[.compositorEnd] = render?.end
    row[.offscreenPasses] = render?.passes
    row[.queued] = swap.queued
    row[.displayed] = swap.displayed
    row[.replaced] = end
    row[.expectedDisplay] = swap.desired
    row[.buffer] = swap.surface
    addStretches(of: swap.swap, to: &row)
    let frame = builder.trace.surfaces[place].frames.count
    builder.trace.surfaces[place].frames.append(row)
    guard let input = swap.input else { return }
    var touch = Table<TouchColumn>.Row()
    touch[.kind] = TouchColumn.Kind.main.rawValue
    touch[.device] = TouchColumn.Device.input.rawValue
    touch[.scanStart] = input
    touch[.surface] = Int64(place)
    touch[.frame] = Int64(frame)
    builder.trace.touches.append(touch)
  }

  private mutating func add(_ render: XctraceRecording.Render) {
    let place = surface(of: render.display)
    var row = Table<FrameColumn>.Row()
    row[.identifier] = render.swap
    row[.compositorStart] = render.start
    row[.compositorEnd] = render.end
    row[.offscreenPasses] = render.passes
    row[.buffer] = render.surface
    addStretches(of: render.swap, to: &row)
    builder.trace.surfaces[place].frames.append(row)
  }

  /// Stretches on the display by themselves, where no table tells the swaps.
  private mutating func addShown() {
    for shown in recording.shown {
      let place = surface(of: shown.display)
      var row = Table<FrameColumn>.Row()
      row[.displayed] = shown.start
      row[.replaced] = shown.end
      row[.buffer] = shown.surface
      builder.trace.surfaces[place].frames.append(row)
    }
  }

  private mutating func addHitches() {
    for hitch in recording.hitches {
      var row = Table<HitchColumn>.Row()
      row[.start] = hitch.start
      row[.duration] = hitch.duration
      row[.kind] = Self.kind(hitch.narrative).rawValue
      // Displays have names of their own in this table.
      row[.surface] = Int64(surface(of: hitch.display))
      row[.narrative] = builder.trace.statedHitches.texts.number(of: hitch.narrative)
      builder.trace.statedHitches.append(row)
    }
  }

  /// Whose work was late, where the narrative names one side only.
  static func kind(_ narrative: String) -> HitchColumn.Kind {
    // What passed between the two is of neither.
    if narrative.contains("Commit to Render") { return .unknown }
    let isApp = narrative.contains("app update") || narrative.contains("Commit")
    let isRender = ["expensive render", "Expensive Render", "GPU"].contains {
      narrative.contains($0)
    }
    if isApp == isRender { return .unknown }
    return isApp ? .commit : .render
  }

  private mutating func addMarks() {
    for mark in recording.marks {
      var row = Table<MarkerColumn>.Row()
      row[.name] = builder.trace.markers.texts.number(of: mark.name)
      row[.start] = mark.start
      row[.end] = mark.end
      builder.trace.markers.append(row)
    }
  }
}

import FrameStatistics
import FrameTrace

extension TraceIssue {
  /// The message about frames of a client that waits for a second frame callback before each.
  package static let secondCallbacks =
    "frames that waited for a second frame callback, a refresh after the first: the app draws at every second refresh"
}

/// Assembles a trace from connections to a compositor.
struct WaylandJoin {
  private let connections: [WaylandConnection]
  private let clocks: WaylandClocks
  private let timeline: WestonTimelineFacts?
  private var builder: TraceBuilder
  /// The index in the trace of each connection's surfaces.
  private var positions: [[Int: Int]] = []
  /// The timeline's surfaces that were matched to a connection's surface.
  private var joined: Set<Int64> = []
  /// Counts of frames by the evidence for their start, and of answered inputs.
  private var counts = (byCallback: 0, byInput: 0, unknown: 0, answered: 0, unseen: 0)
  /// The row of each connection's frames in their surfaces; negative for frames that are left out.
  private var rows: [[Int32]] = []
  private var injectedCounts = (answered: 0, unanswered: 0, rest: 0)
  /// What the proxy states about itself, and what the Vulkan layer states about frames; empty if only a log is read.
  private let proxied: WaylandProxyConnections
  private let gaps: RecorderGaps
  /// The commit times of the frames of each surface in the trace, in order.
  private var commitTimes: [Int: [(time: Int64, frame: Int)]] = [:]

  static func fill(
    _ builder: inout TraceBuilder, _ connections: [WaylandConnection], _ clocks: WaylandClocks,
    _ timeline: WestonTimelineFacts?, _ proxied: WaylandProxyConnections = WaylandProxyConnections()
  ) {
    var join = WaylandJoin(
      connections: connections, clocks: clocks, timeline: timeline, builder: builder,
      proxied: proxied)
    join.addSurfaces()
    join.addFrames()
    join.addInputs()
    join.addRest()
    builder = join.builder
  }

  private init(
    connections: [WaylandConnection], clocks: WaylandClocks,
    timeline: WestonTimelineFacts?, builder: TraceBuilder,
    proxied: WaylandProxyConnections
  ) {
    (self.connections, self.clocks) = (connections, clocks)
    (self.timeline, self.builder, self.proxied) = (timeline, builder, proxied)
    gaps = RecorderGaps(proxied.gaps)
  }

  /// Adds the surfaces that have frames, each with the display that it was seen on.
  private mutating func addSurfaces() {
    let owners = connections.count { $0.surfaces.contains { $0.frameCount > 0 } }
    for (index, connection) in connections.enumerated() {
      var known: [Int: Int] = [:]
      var generations: [UInt32: Int] = [:]
      for (position, surface) in connection.surfaces.enumerated() where surface.frameCount > 0 {
        if surface.isDoubtful { continue }
        generations[surface.object, default: 0] += 1
        let id = Self.name(
          surface.object, generations[surface.object] ?? 1,
          connection: owners > 1 ? index + 1 : nil)
        let display = display(of: surface, in: connection)
        known[position] = builder.surface(id) {
          Surface(
            id: id, name: Self.title(surface), process: connection.processName,
            processID: connection.process, display: display,
            bufferOwner: .app, isComposited: true)
        }
      }
      positions.append(known)
    }
  }

  private static func name(_ object: UInt32, _ generation: Int, connection: Int?) -> String {
    (connection.map { "connection \($0), " } ?? "") + "wl_surface \(object)"
      + (generation > 1 ? ", \(generation)" : "")
  }

  private static func title(_ surface: WaylandConnection.Surface) -> String? {
    if let title = surface.title { return title }
    switch surface.role {
    case .cursor: return "cursor"
    case .subsurface: return "subsurface"
    case .window, .none: return nil
    }
  }

  private mutating func display(
    of surface: WaylandConnection.Surface, in connection: WaylandConnection
  ) -> Int {
    let output = surface.outputs.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    let only = connection.modes.count == 1 ? connection.modes.keys.first : nil
    let position = builder.display("display")
    // The rate of an output is used if presentations do not state the interval.
    let rate = (output ?? only).flatMap { connection.modes[$0] }
    let stated = connection.refresh ?? rate.flatMap { $0 > 0 ? 1_000_000_000_000 / $0 : nil }
    // An interval that changes is derived from the display times.
    let isKept = !connection.changesRefresh && builder.trace.displays[position].interval == nil
    if let stated, isKept {
      builder.trace.displays[position].interval = Nanoseconds(stated)
    }
    return position
  }
}

extension WaylandJoin {
  private mutating func addFrames() {
    let offset = clocks.callbackOffset(connections)
    for (index, connection) in connections.enumerated() {
      let latches = latches(connection, positions[index])
      let vulkan = vulkanFrames(connection, positions[index])
      var rows = [Int32](repeating: -1, count: connection.frames.count)
      let debts = WaylandDebts(connection)
      let asked = surfacesWithCallbacks(connection, vulkan)
      for position in asked.compactMap({ positions[index][$0] }) {
        builder.trace.surfaces[position].derivesStarts = false
      }
      var row = Table<FrameColumn>.Row()
      for (number, frame) in connection.frames.enumerated() {
        guard let position = positions[index][frame.surface] else { continue }
        // The layer usually treats the end of one frame as the start of the next. The messages show whether the program
        // rested in between.
        let hasRested =
          asked.contains(frame.surface)
          && frame.rested(over: debts.refresh * 4, isOwed: debts.isOwed[number])
        let seen = vulkan[number]
        row.clear()
        fill(
          &row, frame, offset, refresh: debts.refresh, isOwed: debts.isOwed[number],
          isStartKnown: seen?.recordsStart ?? false && !hasRested)
        if let latch = latches[number] { latch.fill(&row, isFinished: frame.isShared) }
        // A program whose messages are not passed on also waits in its present call. Only the recorder causes this
        // wait.
        if row[.commit] == nil, isRecorders(seen?.call, refresh: debts.refresh) {
          seen?.fillStart(&row, withStart: !hasRested)
        } else {
          seen?.fill(&row, withStart: !hasRested)
        }
        if row[.commit] == nil, !proxied.gaps.isEmpty { counts.unseen += 1 }
        // The fates of the surface's other frames are known.
        if !frame.isAsked, connection.surfaces[frame.surface].askedCount > 0, row[.fate] == nil,
          row[.displayed] == nil
        {
          row[.fate] = FrameColumn.Fate.unknown.rawValue
        }
        row[.presentMode] = frame.presentMode.map {
          builder.trace.surfaces[position].frames.texts.number(of: $0)
        }
        let next = builder.trace.surfaces[position].frames.count
        rows[number] = Int32(next)
        if let commit = row[.commit] { commitTimes[position, default: []].append((commit, next)) }
        builder.trace.surfaces[position].frames.append(row)
      }
      addEvents(connection, positions[index], rows)
      self.rows.append(rows)
    }
    builder.log.note(
      .joinAssumed, .info,
      "frames assumed to be started by the last frame callback or input before them",
      count: counts.byCallback + counts.byInput)
    builder.log.note(
      .joinAssumed, .info,
      "frames without a start: no frame callback or input started them",
      count: counts.unknown)
    builder.log.note(
      .joinAssumed, .dataLoss,
      "frames that passed while the recorder was delayed: their start and commit times are unknown",
      count: counts.unseen)
    let surfaces = connections.lazy.flatMap(\.surfaces).filter { !$0.isDoubtful }
    builder.log.note(
      .conditions, .info,
      TraceIssue.secondCallbacks,
      count: surfaces.filter { $0.secondCallbackCount * 10 >= $0.frameCount * 9 }
        .reduce(0) { $0 + $1.secondCallbackCount })
  }

  /// Whether the recorder was held up for most of a present call, and for long enough to make a frame late.
  private func isRecorders(_ call: Range<Int64>?, refresh: Int64) -> Bool {
    guard let call, !call.isEmpty else { return false }
    let held = gaps.time(within: call)
    return held >= refresh / 2 && held >= call.upperBound - call.lowerBound - held
  }

  /// The surfaces whose frames the Vulkan layer saw, if the program had requested a wake-up for most of these frames.
  private func surfacesWithCallbacks(
    _ connection: WaylandConnection, _ vulkan: [Int: VulkanFrame]
  ) -> Set<Int> {
    var counts: [Int: (frames: Int, withCallback: Int)] = [:]
    for number in vulkan.keys {
      let frame = connection.frames[number]
      counts[frame.surface, default: (0, 0)].frames += 1
      if frame.callback != nil { counts[frame.surface, default: (0, 0)].withCallback += 1 }
    }
    return Set(counts.filter { $1.withCallback * 10 >= $1.frames * 9 }.keys)
  }

  private mutating func fill(
    _ row: inout Table<FrameColumn>.Row, _ frame: WaylandConnection.Frame,
    _ callbackOffset: Int64?, refresh: Int64, isOwed: Bool, isStartKnown: Bool
  ) {
    row[.buffer] = Int64(frame.buffer)
    row[.displayed] = frame.presented.flatMap(clocks.time(presented:))
    row[.fate] =
      frame.presented != nil
      ? FrameColumn.Fate.displayed.rawValue
      : frame.isDiscarded ? FrameColumn.Fate.discarded.rawValue : nil
    guard let commit = clocks.time(stamp: frame.commit) else { return }
    row[.commit] = commit
    row[.released] = frame.released.flatMap(clocks.time(stamp:))
    if !isStartKnown {
      row[.appStart] = start(frame, callbackOffset, refresh: refresh, isOwed: isOwed)
    }
    if isLate(frame.commit) || (frame.callback.map { isLate($0.arrival) } ?? false)
      || (frame.input.map(isLate) ?? false)
    {
      // If messages passed late, the times of the events that they report are unknown.
      (row[.appStart], row[.commit]) = (nil, nil)
      return
    }
    row[.firstWrite] = firstWrite(frame, start: row[.appStart], refresh: refresh)
  }

  /// Whether a message with this stamp may have waited for a delayed recorder.
  private func isLate(_ stamp: Int64) -> Bool {
    // Messages that waited pass immediately, but not at the exact instant.
    let gaps = proxied.gaps
    let next = gaps.partitioningIndex { $0.end >= stamp - 1_000_000 }
    return next < gaps.count && gaps[next].start < stamp
  }

  /// When the app started a frame: at the frame callback, or at an input if the app had been idle since the callback.
  private mutating func start(
    _ frame: WaylandConnection.Frame, _ callbackOffset: Int64?, refresh: Int64, isOwed: Bool
  ) -> Int64? {
    let age = frame.callback.map { frame.commit &- $0.arrival }
    if let callback = frame.callback, let age, let callbackOffset,
      isOwed || (frame.input == nil && age <= refresh * 4),
      let arrival = clocks.time(stamp: callback.arrival)
    {
      counts.byCallback += 1
      // A stopped program receives its messages late; the callback itself states when it was sent,
      // in whole ms.
      let sent = callback.milliseconds &* 1_000_000 &+ callbackOffset
      return arrival &- sent > 2_000_000 ? sent : arrival
    }
    guard let input = frame.input, frame.commit &- input <= WaylandConnection.longestAnswer,
      let time = clocks.time(stamp: input)
    else {
      counts.unknown += 1
      return nil
    }
    counts.byInput += 1
    return time
  }

  /// The earliest time at which the buffer's content can have been written. Unless idle, programs take the next buffer
  /// as soon as they have handed over the previous buffer.
  private func firstWrite(
    _ frame: WaylandConnection.Frame, start: Int64?, refresh: Int64
  ) -> Int64? {
    guard frame.commit &- frame.writable > 4 * refresh else {
      return clocks.time(stamp: frame.writable)
    }
    return start
  }

  private mutating func addEvents(
    _ connection: WaylandConnection, _ positions: [Int: Int], _ rows: [Int32]
  ) {
    var block = BufferEventBlock()
    for event in connection.bufferEvents {
      guard let position = positions[Int(event.surface)], let time = clocks.time(stamp: event.time)
      else {
        continue
      }
      let row = event.frame.map { Int64(rows[Int($0)]) } ?? -1
      block.append(event, at: time, of: position, row: row >= 0 ? row : nil)
      if block.isFull { block.move(to: &builder.trace.bufferEvents) }
    }
    block.move(to: &builder.trace.bufferEvents)
  }

  private mutating func addInputs() {
    let (rounds, changed) = proxied.injected.blankCounts
    builder.log.note(
      .conditions, .info,
      "rounds without an input, of which \(changed) showed a change that would have counted as a response",
      count: rounds)
    let all = connections.flatMap(\.inputs)
    guard !all.isEmpty else { return }
    let base = clocks.inputOffset(all)
    var injected = proxied.injected
    for (index, connection) in connections.enumerated() {
      for input in connection.inputs {
        guard let delivered = clocks.time(stamp: input.delivered) else { continue }
        var row = Table<TouchColumn>.Row()
        row[.kind] = TouchColumn.Kind.main.rawValue
        row[.device] = input.fact.device.rawValue
        row[.phase] = input.fact.phase?.rawValue
        row[.finger] = input.fact.finger
        row[.delivered] = delivered
        // An input without a clock counts from its delivery.
        let own = base.flatMap { base in
          input.milliseconds.map { $0 &* 1_000_000 &+ base.offset }
        }
        row[.scanStart] = own.map { min($0, delivered) } ?? delivered
        row[.x] = input.fact.x.map { Int64(bitPattern: $0.bitPattern) }
        row[.y] = input.fact.y.map { Int64(bitPattern: $0.bitPattern) }
        let position = input.surface.flatMap { positions[index][$0] }
        row[.surface] = position.map { Int64($0) }
        let part = connection.number.flatMap { number in
          injected.part(input.fact, deliveredAt: input.delivered, on: number)
        }
        switch part {
        case .beginning(let time, .commit(let surface, let commit)):
          row[.scanStart] = time
          show(&row, by: commit, of: surface, in: index)
        case .beginning(_, .none):
          injectedCounts.unanswered += 1
          continue
        case .rest:
          injectedCounts.rest += 1
          continue
        case .beginning(let time, .unknown):
          row[.scanStart] = time
          guess(&row, input, on: position)
        case nil: guess(&row, input, on: position)
        }
        builder.trace.touches.append(row)
      }
    }
    noteInputs(base, count: all.count)
  }

  /// Assigns an input to the first frame after it.
  private mutating func guess(
    _ row: inout Table<TouchColumn>.Row, _ input: WaylandConnection.Input, on position: Int?
  ) {
    guard let position, let delivered = row[.delivered],
      let frame = answer(to: input, deliveredAt: delivered, on: position)
    else { return }
    row[.frame] = frame
    counts.answered += 1
  }

  /// Assigns an injected input to the frame whose picture answered it.
  private mutating func show(
    _ row: inout Table<TouchColumn>.Row, by commit: Int64, of surface: UInt32, in index: Int
  ) {
    let connection = connections[index]
    let first = connection.frames.partitioningIndex { $0.commit >= commit }
    let number = connection.frames.indices[first...].first {
      connection.frames[$0].commit == commit
        && connection.surfaces[connection.frames[$0].surface].object == surface
    }
    guard let number, rows[index][number] >= 0,
      let position = positions[index][connection.frames[number].surface]
    else { return }
    row[.surface] = Int64(position)
    row[.frame] = Int64(rows[index][number])
    injectedCounts.answered += 1
  }

  private mutating func noteInputs(_ base: (offset: Int64, name: String)?, count: Int) {
    builder.log.note(
      .joinAssumed, .info,
      "keys, clicks and pointer moves assumed to be shown by the first commit after them, the earliest possible",
      count: counts.answered)
    builder.log.note(
      .conditions, .info,
      "inputs injected by the recorder, each with the first frame whose picture changed in response",
      count: injectedCounts.answered)
    builder.log.note(
      .conditions, .info,
      "injected inputs without a response in the picture, left out",
      count: injectedCounts.unanswered
    )
    builder.log.note(
      .conditions, .info, "events that lead up to injected inputs or end them, left out",
      count: injectedCounts.rest)
    // Injected inputs have the time of their injection.
    guard proxied.injected.isEmpty else { return }
    if let base {
      builder.log.note(
        .clockAssumed, .info,
        "inputs in ms on an unnamed clock, found to be \(base.name)", count: count)
    } else {
      builder.log.note(
        .clockAssumed, .repaired,
        "inputs in ms on a clock that cannot be aligned with the others, timed by their delivery",
        count: count)
    }
  }
}

extension WaylandJoin {
  /// The first frame committed after an input other than a touch, if within four refreshes; a later frame was probably
  /// not made for the input.
  private func answer(
    to input: WaylandConnection.Input, deliveredAt delivered: Int64, on position: Int
  ) -> Int64? {
    guard input.fact.device != .touch else { return nil }
    let commits = commitTimes[position] ?? []
    let next = commits.partitioningIndex { $0.time > delivered }
    guard next < commits.count,
      commits[next].time &- delivered <= WaylandConnection.longestAnswer
    else {
      return nil
    }
    return Int64(commits[next].frame)
  }

  /// The latches in the compositor's timeline for a connection's frames, by frame index.
  private mutating func latches(
    _ connection: WaylandConnection, _ positions: [Int: Int]
  ) -> [Int: WestonTimelineFacts.Latch] {
    guard let timeline else { return [:] }
    var found: [Int: WestonTimelineFacts.Latch] = [:]
    for position in positions.keys.sorted() {
      let frames = connection.frames.indices.filter { connection.frames[$0].surface == position }
      let commits = frames.map { clocks.time(stamp: connection.frames[$0].commit) }
      guard let match = timeline.match(commits, except: joined) else { continue }
      joined.insert(match.surface)
      for (frame, latch) in zip(frames, match.latches) { found[frame] = latch }
    }
    return found
  }

  /// The Vulkan layer's data for a connection's frames, by frame index.
  private func vulkanFrames(
    _ connection: WaylandConnection, _ positions: [Int: Int]
  ) -> [Int: VulkanFrame] {
    guard let process = connection.process, !proxied.vulkanFrames.isEmpty else { return [:] }
    var found: [Int: VulkanFrame] = [:]
    for position in positions.keys.sorted() {
      let key = WaylandProxyConnections.VulkanSurface(
        process: Int64(process), object: connection.surfaces[position].object)
      guard let seen = proxied.vulkanFrames[key] else { continue }
      let frames = connection.frames.indices.filter { connection.frames[$0].surface == position }
      let commits = frames.map { clocks.time(stamp: connection.frames[$0].commit) }
      for (frame, match) in zip(frames, VulkanFrame.match(commits, seen)) { found[frame] = match }
    }
    return found
  }

  private mutating func addRest() {
    builder.trace.clocks = clocks.domains
    timeline?.addRest(to: &builder, except: joined)
  }
}

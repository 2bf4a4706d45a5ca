package import FrameKit

/// Writes logs like those of a program with `WAYLAND_DEBUG=1` and libwayland 1.22: each frame starts at a frame
/// callback, and feedback reports its display. Objects get the numbers that libwayland assigns, which reuses the number
/// of a deleted object. A deletion is printed before the event that it follows, because the display's own events are
/// dispatched first.
package struct WaylandLogEncoder: TraceEncoder {
  package let name = "wayland-debug"
  package let importer = "wayland-debug"
  package let precision = 2e-3

  package init() {}

  package func whyNot(_ trace: Trace) -> String? {
    guard trace.surfaces.count == 1, let frames = trace.surfaces.first?.frames, frames.count > 0
    else { return "the format needs exactly one surface, with frames" }
    if trace.surfaces[0].display.map({ trace.displays[$0].isVariable == true }) ?? false {
      return "the log states a refresh interval; a variable refresh rate has none"
    }
    let rows = 0..<frames.count
    guard rows.allSatisfy({ frames[$0, .appStart] != nil && frames[$0, .commit] != nil }) else {
      return "every frame needs its frame callback and its commit"
    }
    let interval = Self.interval(trace)
    let isInRhythm = rows.allSatisfy { row in
      let length = (frames[row, .commit] ?? 0) - (frames[row, .appStart] ?? 0)
      return length >= 0 && length * 2 <= interval * 3
    }
    guard isInRhythm else {
      return "some frames take so long that the log cannot show whether a callback started them"
    }
    var last = Int64.min
    for row in Self.inOrder(frames) {
      guard let start = frames[row, .appStart], let commit = frames[row, .commit] else { continue }
      guard last <= start else {
        return "some frames start before the previous commit, which requests their callbacks"
      }
      guard frames[row, .displayed] ?? commit >= commit else {
        return "some frames are displayed before their commits"
      }
      last = commit
    }
    return trace.surfaces[0].bufferOwner == .app
      ? nil : "on Wayland the program draws its window, not the compositor"
  }

  /// The rows of frames in the order in which they were committed.
  private static func inOrder(_ frames: Table<FrameColumn>) -> [Int] {
    (0..<frames.count).sorted {
      (frames[$0, .commit] ?? 0, $0) < (frames[$1, .commit] ?? 0, $1)
    }
  }

  /// The shortest time between refreshes.
  private static func interval(_ trace: Trace) -> Int64 {
    guard let display = trace.displays.first else { return 16_666_667 }
    let times = (0..<display.refreshes.count).compactMap { display.refreshes[$0, .time] }
    let shortest = zip(times, times.dropFirst()).map { $1 - $0 }.min()
    return display.interval?.count ?? shortest ?? 16_666_667
  }

  package func encode(_ trace: Trace) -> [UInt8] {
    guard let surface = trace.surfaces.first else { return [] }
    var log = WaylandLogText(from: trace.timeRange?.lowerBound.nanoseconds ?? 0)
    let frames = surface.frames
    let refreshes = CountedRefreshes(trace, surface)
    log.begin(named: surface.name ?? surface.id)
    for row in Self.inOrder(frames) {
      guard let start = frames[row, .appStart], let commit = frames[row, .commit] else { continue }
      log.frame(
        row, start: start, commit: commit, displayed: frames[row, .displayed],
        isDiscarded: frames[row, .fate] == FrameColumn.Fate.discarded.rawValue,
        interval: frames[row, .displayed].flatMap { refreshes?.interval(at: $0) } ?? 0)
    }
    return Array(log.text.utf8)
  }
}

/// The lines of a log, sorted by time.
private struct WaylandLogText {
  private var lines: [(time: Int64, text: String)] = []
  private let zero: Int64
  /// Both clocks have already been running for a while.
  private static let shift: Int64 = 2_500_000_000_000
  private static let presentationShift: Int64 = 1_000_000_000_000
  private static let lead: Int64 = 1_000_000
  private var objects = ObjectNumbers(from: 11)
  /// The callback that the next frame waits for.
  private var callback: Int64 = 0

  init(from start: Int64) { zero = start }

  var text: String {
    lines.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element.text).joined(separator: "\n") + "\n"
  }

  private mutating func add(_ time: Int64, _ message: String) {
    let micro = (time - zero + Self.shift) / 1000
    let stamp = micro % (1 << 32)
    let (ms, us) = (stamp / 1000, stamp % 1000)
    let whole = String(repeating: " ", count: max(0, 7 - "\(ms)".count)) + "\(ms)"
    let part = String(repeating: "0", count: 3 - "\(us)".count) + "\(us)"
    lines.append((time, "[\(whole).\(part)] \(message)"))
  }

  mutating func begin(named name: String) {
    let time = zero - Self.lead
    for message in [
      " -> wl_display@1.get_registry(new id wl_registry@2)",
      " -> wl_registry@2.bind(1, \"wl_compositor\", 4, new id [unknown]@3)",
      " -> wl_registry@2.bind(2, \"wl_shm\", 1, new id [unknown]@4)",
      " -> wl_registry@2.bind(3, \"wp_presentation\", 1, new id [unknown]@5)",
      " -> wl_registry@2.bind(4, \"xdg_wm_base\", 3, new id [unknown]@6)",
      "wp_presentation@5.clock_id(1)", " -> wl_compositor@3.create_surface(new id wl_surface@7)",
      " -> xdg_wm_base@6.get_xdg_surface(new id xdg_surface@8, wl_surface@7)",
      " -> xdg_surface@8.get_toplevel(new id xdg_toplevel@9)",
      " -> xdg_toplevel@9.set_title(\"\(name.filter { $0 != "\"" })\")",
      " -> wl_shm@4.create_pool(new id wl_shm_pool@10, fd 5, 4915200)",
    ] {
      add(time, message)
    }
    callback = objects.consume(at: .min)
    add(time, " -> wl_surface@7.frame(new id wl_callback@\(callback))")
    add(time, " -> wl_surface@7.commit()")
  }

  mutating func frame(
    _ row: Int, start: Int64, commit: Int64, displayed: Int64?, isDiscarded: Bool, interval: Int64
  ) {
    let milliseconds = (start - zero + Self.shift) / 1_000_000 % (1 << 32)
    delete(callback, at: start)
    add(start, "wl_callback@\(callback).done(\(milliseconds))")
    let buffer = objects.consume(at: commit)
    add(
      commit, " -> wl_shm_pool@10.create_buffer(new id wl_buffer@\(buffer), 0, 640, 480, 2560, 1)")
    add(commit, " -> wl_surface@7.attach(wl_buffer@\(buffer), 0, 0)")
    callback = objects.consume(at: commit)
    add(commit, " -> wl_surface@7.frame(new id wl_callback@\(callback))")
    let feedback = objects.consume(at: commit)
    add(
      commit,
      " -> wp_presentation@5.feedback(wl_surface@7, new id wp_presentation_feedback@\(feedback))")
    add(commit, " -> wl_surface@7.commit()")
    guard let displayed else {
      if isDiscarded {
        delete(feedback, at: commit)
        add(commit, "wp_presentation_feedback@\(feedback).discarded()")
      }
      return
    }
    let time = displayed - zero + Self.presentationShift
    // A message follows the event it reports, and time stamps are truncated to whole µs.
    let reported = displayed + 999
    delete(feedback, at: reported)
    add(
      reported,
      "wp_presentation_feedback@\(feedback).presented(0, \(time / 1_000_000_000), \(time % 1_000_000_000), \(interval), 0, \(row), 7)"
    )
    add(reported, " -> wl_buffer@\(buffer).destroy()")
    delete(buffer, at: reported)
  }

  private mutating func delete(_ object: Int64, at time: Int64) {
    add(time, "wl_display@1.delete_id(\(object))")
    objects.free(object, at: time)
  }
}

/// The numbers of a program's objects: a new object gets the number freed last, or else the next unused one.
private struct ObjectNumbers {
  private var next: Int64
  private var free: [Int64] = []
  /// Numbers that had not been freed when the last object got one.
  private var later: [(time: Int64, number: Int64)] = []

  init(from first: Int64) { next = first }

  mutating func free(_ number: Int64, at time: Int64) { later.append((time, number)) }

  /// A number for an object that is created at a time; calls must have ascending times.
  mutating func consume(at time: Int64) -> Int64 {
    // Lines with the same time may follow the line that creates the object.
    let freed = later.enumerated().filter { $0.element.time < time }
    free +=
      freed.sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element.number)
    later.removeAll { $0.time < time }
    if let number = free.popLast() { return number }
    defer { next += 1 }
    return next
  }
}

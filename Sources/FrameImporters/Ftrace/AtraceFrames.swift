import FrameStatistics
import FrameTrace

/// Frames from the trace marks of apps.
///
/// An app works in `Choreographer#doFrame`. Its render thread then draws in `DrawFrame`, hands over
/// in `eglSwapBuffers` and queues in `queueBuffer`. Android 4 has no render thread and marks
/// `performTraversals`, in which the main thread does everything.
struct AtraceFrames {
  /// The index of a slice in the marks. A log has millions of slices, and copies of five slices for each frame would
  /// take most of the memory.
  typealias Position = Int32

  /// A frame, with the known data about its drawing.
  struct Frame {
    let token: Int64?
    /// `Choreographer#doFrame`.
    let work: Position
    fileprivate(set) var draw: Position?
    fileprivate(set) var dequeue: Position?
    fileprivate(set) var swap: Position?
    fileprivate(set) var queue: Position?
  }

  /// In the order in which they began, by process.
  private(set) var frames: [Int64: [Frame]] = [:]
  /// The processes with drawn frames.
  private(set) var drawing: Set<Int64> = []
  /// The number of frames matched by order because their marks have no number.
  private(set) var joinedByOrder = 0

  fileprivate typealias Draw = (position: Position, token: Int64?)
  fileprivate typealias Call = (position: Position, kind: Meaning.Call)

  private let slices: [AtraceMarks.Slice]

  init(_ marks: AtraceMarks) {
    slices = marks.slices
    var draws: [Int64: [Draw]] = [:]
    var traversals: [Int64: [Position]] = [:]
    var calls: [Int64: [Call]] = [:]
    // Each name is parsed once, however many slices have it.
    let meanings = marks.meanings(Meaning.init)
    for (index, slice) in marks.slices.enumerated() {
      guard let meaning = meanings[slice.name] else { continue }
      let (process, position) = (slice.process, Position(index))
      switch meaning {
      case .frame(let token):
        frames[process, default: []].append(Frame(token: token, work: position))
      case .draw(let token): draws[process, default: []].append((position, token))
      case .traversals:
        if slice.end != nil { traversals[process, default: []].append(position) }
      case .call(let call):
        if let thread = slice.thread { calls[thread, default: []].append((position, call)) }
      }
    }
    for (process, own) in draws { join(process, own, calls) }
    for (process, own) in traversals where frames[process] == nil {
      frames[process] = own.map { Frame(token: nil, work: $0, draw: $0) }
      drawing.insert(process)
      takeCalls(of: process, calls)
    }
  }

  /// The slice at an index.
  subscript(position: Position) -> AtraceMarks.Slice { slices[Int(position)] }

  /// When a frame was drawn; `nil` if it was not, or not within the recording.
  func drawn(_ frame: Frame) -> Int64? { frame.draw.flatMap { self[$0].end } }

  /// The ID of a process's surface; marks do not name windows.
  static func surfaceID(_ process: Int64) -> String { "Choreographer of \(process)" }

  private enum Name {
    static let work: ByteName = "Choreographer#doFrame"
    static let drawing: ByteName = "DrawFrame"
    static let swap: ByteName = "eglSwapBuffers"
    static let traversals: ByteName = "performTraversals"
    static let queue: ByteName = "queueBuffer"
    static let dequeue: ByteName = "dequeueBuffer"
  }

  /// The role that slices with a name play in a frame.
  fileprivate enum Meaning {
    /// The render thread's calls.
    enum Call { case dequeue, swap, queue }

    case frame(token: Int64?)
    case draw(token: Int64?)
    case traversals
    case call(Call)

    /// - Returns: `nil` for other names.
    init?(_ bytes: Span<UInt8>, _ name: Range<Int>) {
      if bytes.begins(Name.work, in: name) {
        let token = Self.token(bytes, name)
        guard token != nil || name.count == Name.work.length else { return nil }
        self = .frame(token: token)
      } else if bytes.begins(Name.drawing, in: name) {
        self = .draw(token: Self.token(bytes, name))
      } else if bytes.begins(Name.swap, in: name) {
        self = .call(.swap)
      } else if bytes.holds(Name.traversals, in: name) {
        self = .traversals
      } else if bytes.holds(Name.queue, in: name) {
        self = .call(.queue)
      } else if bytes.holds(Name.dequeue, in: name) {
        self = .call(.dequeue)
      } else {
        return nil
      }
    }

    /// The number after a mark's name.
    private static func token(_ bytes: Span<UInt8>, _ name: Range<Int>) -> Int64? {
      guard let blank = bytes.first(0x20, in: name) else { return nil }
      let rest = blank + 1..<name.upperBound
      if let token = bytes.integer(rest) { return token }
      // There can be several blanks.
      let words = bytes.text(name).utf8.split(separator: 0x20)
      return words.count == 2 ? Int64(Substring(words[1])) : nil
    }
  }

  /// Matches a process's drawing to its frames.
  private mutating func join(
    _ process: Int64, _ draws: [Draw], _ calls: [Int64: [Call]]
  ) {
    guard var own = frames.removeValue(forKey: process) else { return }
    defer { frames[process] = own }
    drawing.insert(process)
    let numbered = Dictionary(
      draws.indices.compactMap { position in draws[position].token.map { ($0, position) } },
      uniquingKeysWith: { first, _ in first })
    var next = 0
    for position in own.indices {
      let begin = self[own[position].work].start
      let until = position + 1 < own.count ? self[own[position + 1].work].start : .max
      while next < draws.count, self[draws[next].position].start < begin { next += 1 }
      if let token = own[position].token, !numbered.isEmpty {
        own[position].draw = numbered[token].map { draws[$0].position }
      } else if next < draws.count, self[draws[next].position].start < until {
        own[position].draw = draws[next].position
        joinedByOrder += 1
      }
      own[position].consume(calls, slices)
    }
  }

  private mutating func takeCalls(of process: Int64, _ calls: [Int64: [Call]]) {
    for position in frames[process, default: []].indices {
      frames[process]?[position].consume(calls, slices)
    }
  }
}

extension AtraceFrames.Frame {
  /// Consumes the calls that the drawing thread made while it drew the frame.
  fileprivate mutating func consume(
    _ calls: [Int64: [AtraceFrames.Call]], _ slices: [AtraceMarks.Slice]
  ) {
    guard let draw = draw.map({ slices[Int($0)] }), let thread = draw.thread,
      let inside = calls[thread]
    else { return }
    for (call, kind) in Self.calls(inside, in: draw, slices) {
      // The system's mark can lie within the app's mark of the same name.
      switch kind {
      case .queue: queue = queue ?? call
      case .dequeue: dequeue = dequeue ?? call
      case .swap: swap = swap ?? call
      }
    }
  }

  /// The calls that were made within a slice.
  /// - Complexity: O(log n + k) for n calls, k of them found.
  private static func calls(
    _ calls: [AtraceFrames.Call], in draw: AtraceMarks.Slice, _ slices: [AtraceMarks.Slice]
  ) -> ArraySlice<AtraceFrames.Call> {
    guard let end = draw.end else { return [] }
    let first = calls.partitioningIndex { slices[Int($0.position)].start >= draw.start }
    return calls[first...].prefix { slices[Int($0.position)].start <= end }
  }
}

extension TraceBuilder {
  /// Adds the frames that apps mark, on one surface per process.
  /// - Parameters:
  ///   - display: The display of the frames, if the trace has one.
  ///   - name: The name of a process.
  mutating func addFrames(
    _ found: AtraceFrames, display: Int?, name: (Int64) -> String?
  ) {
    var undrawn = 0
    for (process, frames) in found.frames.sorted(by: { $0.key < $1.key }) {
      let id = AtraceFrames.surfaceID(process)
      let position = surface(id) {
        Surface(
          id: id, process: name(process), processID: Int(exactly: process), display: display,
          bufferOwner: .app, numbersCountFrames: false)
      }
      let isDrawing = found.drawing.contains(process)
      var row = Table<FrameColumn>.Row()
      for frame in frames {
        found.fill(&row, with: frame)
        trace.surfaces[position].frames.append(row)
        if frame.draw == nil, isDrawing { undrawn += 1 }
      }
      if !isDrawing {
        log.note(
          .joinAssumed, .info,
          "frames of process \(process) whose drawing was not recorded: the app's work is "
            + "assumed to end when its main thread was done", count: frames.count)
      }
    }
    log.note(
      .joinAssumed, .info, "drawn frames matched by order to the app frame that began before them",
      count: found.joinedByOrder)
    log.note(
      .joinAssumed, .info, "frames that the app did not draw, or not within the recording",
      count: undrawn)
  }
}

extension AtraceFrames {
  fileprivate func fill(_ row: inout Table<FrameColumn>.Row, with frame: Frame) {
    row.clear()
    let (work, draw) = (self[frame.work], frame.draw.map { self[$0] })
    let swap = frame.swap.map { self[$0] }
    row[.identifier] = frame.token
    // SurfaceFlinger composes at refreshes.
    row[.mode] = FrameColumn.Mode.classic.rawValue
    row[.appStart] = work.start
    // Without a swap call, the end of the drawing counts as the hand-over, and no wait is known.
    row[.appEnd] = draw == nil ? work.end : swap == nil ? nil : draw?.end
    if let dequeue = frame.dequeue.map({ self[$0] }) {
      row[.bufferWaitStart] = dequeue.start
      row[.bufferWaitEnd] = dequeue.end
    }
    let queue = frame.queue.map { self[$0] }
    row[.commit] = swap?.start ?? queue?.start ?? draw?.end
    row[.queued] = queue?.end
  }
}

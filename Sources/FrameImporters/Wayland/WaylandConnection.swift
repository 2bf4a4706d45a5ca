import FrameTrace

/// The messages between a program and its compositor on one connection, assembled into frames.
///
/// Wayland, `wayland.xml`: a commit of a surface submits what is attached to it, together with the
/// frame callbacks and the feedback requested since the previous commit. Object numbers are reused
/// as soon as they are free.
///
/// Times are those of the messages, in nanoseconds.
struct WaylandConnection {
  /// The time at which the compositor requested a new frame.
  struct Callback {
    let arrival: Int64
    /// The time stated in the message in ms, unwrapped since the first message.
    let milliseconds: Int64
  }

  /// When inputs reached a program since its last callback or commit.
  struct InputsSince {
    let first: Int64
    var newest: Int64
    /// A key, a button or a finger that went down or up.
    var press: Int64?
    /// Whether a button or a finger was down, so that every move concerns the program.
    var isHeld: Bool
  }

  /// A commit of new content. The fields are ordered so that they fit into 128 bytes.
  struct Frame {
    private let surfaceNumber: Int32
    let buffer: UInt32
    /// The time from which the buffer was free and the previous frame committed.
    let writable: Int64
    let commit: Int64
    let callback: Callback?
    /// Whether the program wrote the buffer itself.
    let isShared: Bool
    /// Whether feedback on the frame's display was requested.
    let isAsked: Bool
    var isDiscarded = false
    /// Whether the buffer itself went to the screen; `nil` if the compositor does not say.
    private(set) var isZeroCopy: Bool?
    /// The first input after the callback, or after the previous commit if there was no callback.
    let input: Int64?
    /// The inputs since then, which the program may not have answered; `nil` if there were none.
    let inputs: InputsSince?
    var released: Int64?
    /// The display time on the presentation clock.
    var presented: Int64?

    init(
      surface: Int, buffer: UInt32, writable: Int64, commit: Int64, callback: Callback?,
      input: Int64?, inputs: InputsSince?, isShared: Bool, isAsked: Bool
    ) {
      surfaceNumber = Int32(surface)
      (self.buffer, self.writable, self.commit) = (buffer, writable, commit)
      (self.callback, self.input, self.inputs) = (callback, input, inputs)
      (self.isShared, self.isAsked) = (isShared, isAsked)
    }

    /// The index of its surface.
    var surface: Int { Int(surfaceNumber) }

    /// Notes how the frame was shown.
    /// - Parameter kinds: Bits of `wp_presentation_feedback.kind`; 0 if the compositor does not say.
    mutating func show(_ kinds: Int64) {
      isZeroCopy = kinds > 0 ? kinds & WaylandConnection.zeroCopy != 0 : nil
    }

    /// Whether the program did nothing for longer than a given time after the frame was requested, and did not owe the
    /// frame.
    func rested(over length: Int64, isOwed: Bool) -> Bool {
      !isOwed && (callback.map { commit &- $0.arrival > length } ?? false)
    }
  }

  struct Surface {
    enum Role: Hashable { case none, window, cursor, subsurface }

    let object: UInt32
    var role = Role.none
    var title: String?
    var frameCount = 0
    /// The number of its frames for which feedback on their display was requested.
    var askedCount = 0
    /// The number of its frames that followed a second callback, a refresh after the first.
    var secondCallbackCount = 0
    var sizes: Set<WaylandFact.Size> = []
    /// The size that was inserted last, which most buffers share.
    fileprivate var lastSize: WaylandFact.Size?
    var outputs: [UInt32: Int] = [:]
    /// Whether its messages could belong to another connection.
    var isDoubtful = false
  }

  /// An event of a buffer. The struct is small because a log has several events for each frame.
  struct BufferEvent {
    let time: Int64
    let surface: Int32
    let buffer: UInt32
    let frame: Int32?
    let event: BufferColumn.Event
  }

  struct Input {
    let fact: WaylandFact.Input
    let delivered: Int64
    /// The time stated in the message in ms, unwrapped since the first message.
    let milliseconds: Int64?
    /// The surface's index; `nil` if no message names the surface.
    var surface: Int?
  }

  /// The connection's number in a recording of a socket; `nil` in a log, which has no numbers.
  var number: Int64?
  /// The process of the connection; `nil` if unknown.
  var process: Int?
  var processName: String?
  private(set) var frames = PieceList<Frame>()
  private(set) var surfaces: [Surface] = []
  private(set) var bufferEvents = PieceList<BufferEvent>()
  private(set) var inputs: [Input] = []
  /// The arrival of each presentation message, and the presentation time that it states.
  private(set) var presentations = PieceList<(arrival: Int64, presented: Int64)>()
  /// The callbacks, with their arrival and the time that they state.
  private(set) var callbacks = PieceList<Callback>()
  private(set) var presentationClock: UInt32?
  /// The refresh interval that presentations state, in nanoseconds.
  private(set) var refresh: Int64?
  /// Whether presentations state several intervals, because the display changes its rate.
  private(set) var changesRefresh = false
  /// The refresh rates of outputs, in mHz.
  private(set) var modes: [UInt32: Int64] = [:]

  private struct Buffer {
    let size: WaylandFact.Size?
    let isShared: Bool
    let allocated: Int64?
    var surface: Int?
    /// The last frame in the buffer, until the buffer is released.
    var frame: Int?
    /// When the buffer was last created or released; `nil` if the recording does not show it.
    var free: Int64?
  }

  /// The requests on a surface since its last commit, and whether the surface still exists.
  fileprivate struct Pending {
    var buffer: (UInt32?, time: Int64)?
    var feedbacks: [UInt32] = []
    var callback: Callback?
    /// Whether the callback is the second since the last commit, a refresh after the first.
    var isSecondCallback = false
    var input: Int64?
    var inputs: InputsSince?
    /// The number of buttons and fingers that are down.
    var held = 0
    /// The last commit of new content.
    var commit: Int64?
    /// Whether the surface was destroyed.
    var isGone = false
  }

  /// The bit of `wp_presentation_feedback.kind` for a buffer that itself went to the screen.
  fileprivate static let zeroCopy: Int64 = 8

  /// The refresh interval assumed when none is reported, in ns: 60 Hz.
  static let usualRefresh: Int64 = 16_666_667
  /// The longest time from an input to a frame that answers the input, in ns.
  static let longestAnswer: Int64 = 4 * usualRefresh

  /// The surface index of each object that is a surface.
  private var live = PairTable()
  /// The pending requests of each surface, by the surface's index.
  private var pending: [Pending] = []
  private var buffers: [UInt32: Buffer] = [:]
  /// The index of the surface of each frame callback, and of the frame of each feedback.
  private var callbackSurfaces = PairTable()
  private var feedbackFrames = PairTable()
  private var roles: [UInt32: Int] = [:]
  private var focus: [UInt32: Int] = [:]
  private var fingers: [Int64: Int] = [:]
  private var milliseconds = WaylandMilliseconds()
  private var inputMilliseconds = WaylandMilliseconds()
  /// Buffers that were allocated and never attached.
  private var unused: [(buffer: UInt32, size: WaylandFact.Size?, time: Int64)] = []
  /// Inputs without a known surface that no frame has followed yet.
  private var homeless: [Int] = []

  /// Consumes the next message.
  mutating func consume(_ object: UInt32, _ fact: WaylandFact, at time: Int64) {
    switch fact {
    case .surface(let number): addSurface(number)
    case .surfaceGone:
      // The surface's callbacks are never done.
      if let position = live.remove(0, Int64(object)) { pending[Int(position)].isGone = true }
    case .buffer(let number, let size, let isShared):
      retire(number)
      buffers[number] = Buffer(
        size: size, isShared: isShared, allocated: time, free: time)
    case .bufferGone: destroy(object, at: time)
    case .released: release(object, at: time)
    case .attach(let buffer): change(object) { $0.buffer = (buffer, time) }
    case .frameCallback(let callback):
      callbackSurfaces[0, Int64(callback)] = Int32(surface(object))
    case .feedback(let surface, let feedback):
      feedbackFrames.remove(0, Int64(feedback))
      change(surface) { $0.feedbacks.append(feedback) }
    case .commit: commit(object, at: time)
    case .done(let own): done(object, own, at: time)
    case .clock(let clock): presentationClock = clock
    case .shownOn(let output):
      if let frame = feedbackFrames[0, Int64(object)] {
        surfaces[frames[Int(frame)].surface].outputs[output, default: 0] += 1
      }
    case .presented(let own, let refresh, let kinds):
      present(object, own, refresh, kinds, at: time)
    case .discarded:
      if let frame = feedbackFrames.remove(0, Int64(object)).map({ Int($0) }) {
        frames[frame].isDiscarded = frames[frame].presented == nil
      }
    case .input(let input): consume(input, of: object, at: time)
    case .focus(let number): focus[object] = number.map { surface($0) }
    case .cursor(let number): surfaces[surface(number)].role = .cursor
    case .subsurface(let number, _): surfaces[surface(number)].role = .subsurface
    case .role(let number, let owner):
      let position = roles[owner] ?? surface(owner)
      roles[number] = position
      surfaces[position].role = .window
    case .title(let title):
      if let position = roles[object] { surfaces[position].title = title }
    case .outputMode(let rate): modes[object] = rate
    case .gone: break
    }
  }

  /// Notes that a number belongs to a new object; no further messages concern the old object.
  mutating func renew(_ number: UInt32) {
    callbackSurfaces.remove(0, Int64(number))
    feedbackFrames.remove(0, Int64(number))
    if !roles.isEmpty { roles[number] = nil }
    if !focus.isEmpty { focus[number] = nil }
  }

  private mutating func addSurface(_ number: UInt32) {
    live[0, Int64(number)] = Int32(surfaces.count)
    surfaces.append(Surface(object: number))
    pending.append(Pending())
  }

  /// The index of a surface, which may have been created before the recording began.
  private mutating func surface(_ number: UInt32) -> Int {
    if let position = live[0, Int64(number)] { return Int(position) }
    addSurface(number)
    return surfaces.count - 1
  }

  private mutating func change(_ number: UInt32, _ body: (inout Pending) -> Void) {
    body(&pending[surface(number)])
  }
}

extension WaylandConnection {
  private mutating func commit(_ number: UInt32, at time: Int64) {
    let position = surface(number)
    // Feedback that was requested without new content has no frame.
    defer { pending[position].feedbacks.removeAll(keepingCapacity: true) }
    guard let (attached, attachTime) = pending[position].buffer else { return }
    pending[position].buffer = nil
    guard let attached else { return }
    let frame = frames.count
    let (known, last) = (buffers[attached], pending[position].commit)
    let free = known?.free.map { max($0, last ?? $0) } ?? last ?? attachTime
    for feedback in pending[position].feedbacks {
      feedbackFrames[0, Int64(feedback)] = Int32(frame)
    }
    use(attached, known, for: frame, of: position, attachTime, time)
    let input = pending[position].input ?? adoptInputs(position)
    let isAsked = !pending[position].feedbacks.isEmpty
    frames.append(
      Frame(
        surface: position, buffer: attached, writable: min(free, attachTime), commit: time,
        callback: pending[position].callback, input: input, inputs: pending[position].inputs,
        isShared: known?.isShared ?? false, isAsked: isAsked))
    if isAsked { surfaces[position].askedCount += 1 }
    surfaces[position].frameCount += 1
    if pending[position].isSecondCallback { surfaces[position].secondCallbackCount += 1 }
    pending[position].finish(at: time)
  }

  private mutating func use(
    _ number: UInt32, _ known: Buffer?, for frame: Int, of surface: Int, _ attached: Int64,
    _ commit: Int64
  ) {
    var buffer = known ?? Buffer(size: nil, isShared: false, allocated: nil)
    if buffer.surface == nil, let allocated = buffer.allocated {
      add(.allocated, number, surface, at: allocated)
    }
    buffer.surface = surface
    buffer.frame = frame
    if let size = buffer.size, surfaces[surface].lastSize != size {
      surfaces[surface].lastSize = size
      surfaces[surface].sizes.insert(size)
    }
    buffers[number] = buffer
    add(.attached, number, surface, at: attached)
    add(.queued, number, surface, frame, at: commit)
  }

  private mutating func add(
    _ event: BufferColumn.Event, _ buffer: UInt32, _ surface: Int, _ frame: Int? = nil,
    at time: Int64
  ) {
    bufferEvents.append(
      BufferEvent(
        time: time, surface: Int32(surface), buffer: buffer, frame: frame.map { Int32($0) },
        event: event))
  }

  private mutating func release(_ number: UInt32, at time: Int64) {
    guard let buffer = buffers[number], let surface = buffer.surface else { return }
    if let frame = buffer.frame { frames[frame].released = frames[frame].released ?? time }
    add(.released, number, surface, buffer.frame, at: time)
    buffers[number]?.frame = nil
    buffers[number]?.free = time
  }

  private mutating func destroy(_ number: UInt32, at time: Int64) {
    if let surface = buffers[number]?.surface { add(.destroyed, number, surface, at: time) }
    retire(number)
  }

  /// Removes a buffer whose number is free again.
  private mutating func retire(_ number: UInt32) {
    guard let buffer = buffers.removeValue(forKey: number), buffer.surface == nil,
      let allocated = buffer.allocated
    else { return }
    unused.append((number, buffer.size, allocated))
  }

  private mutating func done(_ number: UInt32, _ own: UInt32, at time: Int64) {
    guard let position = callbackSurfaces.remove(0, Int64(number)).map({ Int($0) }),
      !pending[position].isGone
    else { return }
    let callback = Callback(arrival: time, milliseconds: milliseconds.count(own))
    callbacks.append(callback)
    let interval = refresh ?? Self.usualRefresh
    if let first = pending[position].callback {
      let distance = (time &- first.arrival) &* 2
      pending[position].isSecondCallback = distance > interval && distance < 3 * interval
    }
    pending[position].callback = callback
    pending[position].input = nil
    pending[position].inputs = nil
  }

  private mutating func present(
    _ number: UInt32, _ own: Int64, _ refresh: Int64, _ kinds: Int64, at time: Int64
  ) {
    presentations.append((time, own))
    if refresh > 0 {
      if let before = self.refresh, abs(before - refresh) * 64 > before { changesRefresh = true }
      self.refresh = refresh
    }
    // Two feedbacks on one commit state the same facts.
    if let frame = feedbackFrames.remove(0, Int64(number)).map({ Int($0) }) {
      frames[frame].presented = frames[frame].presented ?? own
      frames[frame].show(kinds)
    }
  }
}

extension WaylandConnection {
  private mutating func consume(_ input: WaylandFact.Input, of device: UInt32, at time: Int64) {
    var position = input.surface.map { surface($0) } ?? focus[device]
    if let finger = input.finger {
      position = position ?? fingers[finger]
      fingers[finger] = input.phase == .ended ? nil : position
    }
    inputs.append(
      Input(
        fact: input, delivered: time, milliseconds: input.time.map { inputMilliseconds.count($0) },
        surface: position))
    if let position {
      // A program that has not answered an input for this long answers a later input.
      let isOld = pending[position].input.map { time &- $0 > Self.longestAnswer } ?? true
      if isOld { pending[position].input = time }
      pending[position].consume(input, at: time)
    } else {
      homeless.append(inputs.count - 1)
    }
  }

  /// Assigns inputs without a known surface to the surface that commits next.
  /// - Returns: When the first of these inputs arrived.
  private mutating func adoptInputs(_ surface: Int) -> Int64? {
    for index in homeless { inputs[index].surface = surface }
    defer { homeless = [] }
    return homeless.first.map { inputs[$0].delivered }
  }

  /// Finds a surface for each buffer that was never attached: the surface with buffers of the same size.
  /// - Parameter isSure: Whether a surface's messages belong to this connection.
  mutating func finish(_ isSure: (UInt32) -> Bool = { _ in true }) {
    for position in surfaces.indices where !isSure(surfaces[position].object) {
      surfaces[position].isDoubtful = true
    }
    for number in buffers.keys.sorted() { retire(number) }
    var owners: [WaylandFact.Size: [Int]] = [:]
    for position in surfaces.indices {
      for size in surfaces[position].sizes { owners[size, default: []].append(position) }
    }
    for (number, size, time) in unused {
      if let size, let found = owners[size], found.count == 1 {
        add(.allocated, number, found[0], at: time)
      }
    }
    unused = []
  }
}

extension WaylandConnection.Pending {
  /// Clears what belongs to a frame, after a commit of new content.
  fileprivate mutating func finish(at time: Int64) {
    (callback, input, inputs, commit) = (nil, nil, nil, time)
    isSecondCallback = false
  }

  fileprivate mutating func consume(_ input: WaylandFact.Input, at time: Int64) {
    let isPress = input.phase == .began || input.phase == .ended
    if isPress, input.device != .key { held = max(0, held + (input.phase == .began ? 1 : -1)) }
    var since = inputs ?? .init(first: time, newest: time, press: nil, isHeld: false)
    since.newest = time
    if isPress { since.press = time }
    since.isHeld = since.isHeld || held > 0
    inputs = since
  }
}

/// Unwraps times in ms, which wrap around after 49.7 days.
private struct WaylandMilliseconds {
  private var last: (own: UInt32, counted: Int64)?

  mutating func count(_ own: UInt32) -> Int64 {
    let counted = last.map { $0.counted + Int64(Int32(bitPattern: own &- $0.own)) } ?? Int64(own)
    last = (own, counted)
    return counted
  }
}

extension WaylandConnection.Frame {
  /// How the compositor brought the frame to the screen; `nil` if it does not say.
  var presentMode: String? {
    isZeroCopy.map { $0 ? "zero copy" : "composited" }
  }
}

/// Frames in what apps mark: an app works in `Choreographer#doFrame`, its render thread draws in the
/// `DrawFrame` behind it, hands over in `eglSwapBuffers` and queues in `queueBuffer`.
struct AtraceFrames {
  /// A frame, with what is known of its drawing.
  struct Frame {
    let token: Int64?
    /// `Choreographer#doFrame`.
    let work: AtraceMarks.Slice
    fileprivate(set) var draw: AtraceMarks.Slice?
    fileprivate(set) var dequeue: AtraceMarks.Slice?
    fileprivate(set) var swap: AtraceMarks.Slice?
    fileprivate(set) var queue: AtraceMarks.Slice?
  }

  /// In the order in which they began, by process.
  private(set) var frames: [Int64: [Frame]] = [:]
  /// Processes of which there are frames that were drawn.
  private(set) var drawing: Set<Int64> = []
  /// Frames that were found by their order, as their marks have no number.
  private(set) var joinedByOrder = 0

  init(_ marks: AtraceMarks) {
    var draws: [Int64: [AtraceMarks.Slice]] = [:]
    var calls: [Int64: [AtraceMarks.Slice]] = [:]
    for slice in marks.slices {
      guard let process = slice.process else { continue }
      if Self.isFrame(slice.name) {
        frames[process, default: []].append(Frame(token: Self.token(slice.name), work: slice))
      } else if slice.name.hasPrefix("DrawFrame") {
        draws[process, default: []].append(slice)
      } else if let thread = slice.thread, Self.isCall(slice.name) {
        calls[thread, default: []].append(slice)
      }
    }
    for (process, own) in draws { join(process, own, calls) }
  }

  private static func isFrame(_ name: String) -> Bool {
    guard name.hasPrefix("Choreographer#doFrame") else { return false }
    return name == "Choreographer#doFrame" || token(name) != nil
  }

  private static func isCall(_ name: String) -> Bool {
    name.hasPrefix("eglSwapBuffers") || name == "queueBuffer" || name == "dequeueBuffer"
  }

  /// The number behind a mark's name.
  private static func token(_ name: String) -> Int64? {
    let words = name.split(separator: " ")
    return words.count == 2 ? Int64(words[1]) : nil
  }

  /// Gives the frames of a process what was drawn of them.
  private mutating func join(
    _ process: Int64, _ draws: [AtraceMarks.Slice], _ calls: [Int64: [AtraceMarks.Slice]]
  ) {
    guard var own = frames.removeValue(forKey: process) else { return }
    defer { frames[process] = own }
    drawing.insert(process)
    let numbered = Dictionary(
      draws.compactMap { draw in Self.token(draw.name).map { ($0, draw) } },
      uniquingKeysWith: { first, _ in first })
    var next = 0
    for place in own.indices {
      let until = place + 1 < own.count ? own[place + 1].work.start : .max
      while next < draws.count, draws[next].start < own[place].work.start { next += 1 }
      if let token = own[place].token, !numbered.isEmpty {
        own[place].draw = numbered[token]
      } else if next < draws.count, draws[next].start < until {
        own[place].draw = draws[next]
        joinedByOrder += 1
      }
      guard let draw = own[place].draw, let thread = draw.thread, let inside = calls[thread] else {
        continue
      }
      for call in Self.calls(inside, in: draw) {
        // The system's own mark may stand within the app's of the same name.
        if call.name == "queueBuffer" {
          own[place].queue = own[place].queue ?? call
        } else if call.name == "dequeueBuffer" {
          own[place].dequeue = own[place].dequeue ?? call
        } else {
          own[place].swap = own[place].swap ?? call
        }
      }
    }
  }

  /// The calls that were made within a slice.
  /// - Complexity: the logarithm of how many there are, and how many are found.
  private static func calls(
    _ calls: [AtraceMarks.Slice], in draw: AtraceMarks.Slice
  ) -> ArraySlice<AtraceMarks.Slice> {
    guard let end = draw.end else { return [] }
    let first = calls.boundary { $0.start >= draw.start }
    return calls[first...].prefix { $0.start <= end }
  }
}

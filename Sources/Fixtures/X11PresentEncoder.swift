package import FrameKit

/// Writes recordings of an X server like `capture x11`: each frame is a present, and its completion reports when it was
/// shown. The recordings do not contain the work of the app and the GPU.
package struct X11PresentEncoder: TraceEncoder {
  package let name = "x11-present"
  package let importer = "x11-present"
  /// The server's time of a present is in whole ms.
  package let precision = 1.0

  /// The monotonic clock has already been running for a while.
  private static let shift: Int64 = 2_500_000_000_000
  private static let firstWindow = 6_291_456
  /// The delay between the server's message and its reading by the recorder, in ns.
  private static let delay: Int64 = 200_000

  package init() {}

  package func whyNot(_ trace: Trace) -> String? {
    guard trace.surfaces.contains(where: { $0.frames.count > 0 }) else {
      return "there are no frames"
    }
    for surface in trace.surfaces {
      let frames = surface.frames
      guard (0..<frames.count).allSatisfy({ frames[$0, .commit] != nil }) else {
        return "every frame needs its commit"
      }
      guard surface.bufferOwner == .app else { return "on X11 the program draws its window" }
      guard CountedRefreshes(trace, surface) != nil else {
        return "a server numbers refreshes, and neither they nor their interval are known"
      }
    }
    return nil
  }

  package func encode(_ trace: Trace) -> [UInt8] {
    let zero = trace.timeRange?.lowerBound.nanoseconds ?? 0
    var lines: [(time: Int64, text: String)] = []
    func add(
      _ time: Int64, _ process: Int, _ direction: String, _ window: Int, _ name: String,
      _ arguments: [String]
    ) {
      let own = time - zero + Self.shift
      let list = arguments.joined(separator: ",")
      lines.append(
        (own, #"[\#(own),\#(process),"\#(direction)","x11",\#(window),"\#(name)",[\#(list)]]"#))
    }
    add(zero - 1, 0, "!", 0, "part", ["1"])
    add(zero - 1, 0, "!", 0, "begin", ["1"])
    for (position, surface) in trace.surfaces.enumerated() {
      let (window, process) = (Self.firstWindow + position, surface.processID ?? 0)
      if let name = surface.process {
        add(zero - 1, process, "conn", 0, "connect", [Self.json(name)])
      }
      add(zero - 1, process, "<", window, "title", [Self.json(surface.name ?? surface.id)])
      let frames = surface.frames
      let refreshes = CountedRefreshes(trace, surface)
      // A frame that is not shown before another frame is skipped.
      let last = (0..<frames.count).last { frames[$0, .displayed] != nil } ?? 0
      for row in 0..<frames.count {
        guard let commit = frames[row, .commit] else { continue }
        let (serial, pixmap) = (
          "\(row + 1)", "\(window + 1 + Int(frames[row, .buffer] ?? Int64(row % 3)))"
        )
        add(
          commit + Self.delay, process, ">", window, "present",
          [serial, pixmap, "0", "0", "\((commit - zero + Self.shift) / 1_000_000)"])
        if let displayed = frames[row, .displayed] {
          let time = (displayed - zero + Self.shift) / 1000 * 1000
          let refresh = refreshes?.number(of: row, displayed) ?? 0
          add(
            displayed + Self.delay, process, "<", window, "complete",
            [serial, "\(refresh)", "\(time)", "1"])
        } else if row < last || frames[row, .fate] == FrameColumn.Fate.discarded.rawValue {
          add(commit + Self.delay, process, "<", window, "complete", [serial, "0", "0", "2"])
        }
        if let released = frames[row, .released] {
          add(released + Self.delay, process, "<", window, "idle", [serial, pixmap])
        }
      }
    }
    let text = lines.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }
    .map(\.element.text).joined(separator: "\n")
    return Array((text + "\n").utf8)
  }

  private static func json(_ text: String) -> String {
    "\"\(text.filter { $0 != "\"" && $0 != "\\" })\""
  }
}

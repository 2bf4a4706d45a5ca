import FrameTrace

/// The frames that a program has owed since the compositor requested them.
///
/// A program that requests a frame callback gets it at the next refresh, and draws. A program that has finished its
/// animation also gets the callback that it requested, but stays idle and draws nothing until something else is
/// requested. A program that hangs looks the same at first. The program owed the frame since the callback if it drew at
/// each callback before and afterwards, and if its next frame was not an answer to an input.
struct WaylandDebts {
  /// The refresh interval used to find owed frames, in nanoseconds.
  let refresh: Int64
  /// Whether the program worked on each frame since the frame callback, or should have.
  private(set) var isOwed: [Bool]

  /// The number of consecutive frames, drawn at their callbacks, that shows continuous drawing.
  private static let steady = 3

  init(_ connection: WaylandConnection) {
    refresh = connection.refresh ?? WaylandConnection.usualRefresh
    let frames = connection.frames
    let limit = refresh * 3 / 2
    isOwed = frames.map { frame in
      frame.callback.map { frame.commit - $0.arrival <= limit } ?? false
    }
    let isInRhythm = isOwed
    for own in Dictionary(grouping: frames.indices, by: { frames[$0].surface }).values {
      for (position, number) in own.enumerated() where !isInRhythm[number] {
        let before = own[max(0, position - Self.steady)..<position]
        let after = own[min(own.count, position + 1)..<min(own.count, position + 1 + Self.steady)]
        guard frames[number].callback != nil, before.count == Self.steady,
          before.allSatisfy({ isInRhythm[$0] })
        else { continue }
        if let inputs = frames[number].inputs {
          isOwed[number] = frames[number].commit - inputs.reason > WaylandConnection.longestAnswer
        } else {
          isOwed[number] = !after.isEmpty && after.allSatisfy { isInRhythm[$0] }
        }
      }
    }
  }
}

extension WaylandConnection.InputsSince {
  /// The input that a frame of an idle program most likely answers: a press, otherwise the first input while something
  /// was held, otherwise the newest input. Moves with nothing held usually change nothing.
  fileprivate var reason: Int64 { press ?? (isHeld ? first : newest) }
}

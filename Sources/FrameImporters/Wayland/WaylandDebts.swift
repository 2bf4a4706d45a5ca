/// Which frames a program owed since the compositor called for them.
///
/// A program that asks for a frame callback gets it at the next refresh, and draws. One that is done with its animation
/// asked as well, gets its callback, and draws nothing until it is asked for something else: it rests. A program that hangs
/// looks the same at first. It owed the frame since the callback if it drew at each callback before and goes on with that
/// afterwards, and if it did not draw its next frame in answer to an input.
struct WaylandDebts {
  /// The refresh interval that these are counted by, in nanoseconds.
  let refresh: Int64
  /// For each frame whether its program worked on it since the frame callback, or should have.
  private(set) var isOwed: [Bool]

  /// So many frames in a row, each drawn at its callback, show that a program draws all the time.
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
      for (place, number) in own.enumerated() where !isInRhythm[number] {
        let before = own[max(0, place - Self.steady)..<place]
        let after = own[min(own.count, place + 1)..<min(own.count, place + 1 + Self.steady)]
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
  /// The input that a frame is likeliest made for by a program that rested: of moves with nothing held, which mostly
  /// change nothing, the newest.
  fileprivate var reason: Int64 { press ?? (isHeld ? first : newest) }
}

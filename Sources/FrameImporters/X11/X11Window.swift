import FrameTrace

/// A window with what its program asked the server to present.
struct X11Window {
  /// How the server showed a pixmap, in the order of the protocol's numbers.
  static let modes = ["copy", "flip", "skip", "suboptimal copy"]

  /// Present's options to show a pixmap at once, which may tear: Async, and AsyncMayTear of version 1.3.
  private static let asynchronous: Int64 = 1 | 16

  /// A pixmap that the program asked to present.
  struct Present {
    let serial: Int64
    let pixmap: Int64
    let options: Int64
    /// The target refresh; 0 for the next refresh.
    let target: Int64
    /// When the recorder read the request, in ns, and the server's time of the request in ms, which wraps after 2^32.
    let arrival: Int64
    let serverTime: UInt32?
    var completion: Completion?
    var idle: Int64?
  }

  /// When and how the server showed a pixmap.
  struct Completion {
    let refresh: Int64
    /// The time in ns on the server's clock, and when the recorder read the completion.
    let time: Int64
    let arrival: Int64
    let mode: Int64

    /// Whether a newer pixmap replaced this pixmap before it was shown.
    var isSkipped: Bool { mode == 2 }
  }

  let process: Int64
  var title: String?
  private(set) var presents: [Present] = []
  /// The first present that can still be completed, or become idle.
  private var open = 0

  init(process: Int64) { self.process = process }

  /// The maximum number of presents that wait for an answer; an older present never receives an answer.
  private static let mostOpen = 256

  mutating func consume(_ present: Present) {
    presents.append(present)
    open = max(open, presents.count - Self.mostOpen)
  }

  mutating func complete(_ serial: Int64, _ completion: Completion) {
    guard let position = position(of: serial, where: { $0.completion == nil }) else { return }
    presents[position].completion = completion
  }

  mutating func idle(_ serial: Int64, at time: Int64) {
    guard let position = position(of: serial, where: { $0.idle == nil }) else { return }
    presents[position].idle = time
  }

  /// The index of the first waiting present with a serial, because a program may restart the count of its presents.
  private func position(of serial: Int64, where waits: (Present) -> Bool) -> Int? {
    presents.indices[open...].first { presents[$0].serial == serial && waits(presents[$0]) }
  }

  /// The number of refreshes by which a present asks to follow the previous present; 0 for as soon as possible, `nil`
  /// if the present does not state it.
  func syncInterval(_ position: Int) -> Int64? {
    let present = presents[position]
    if present.options & Self.asynchronous != 0 { return 0 }
    guard present.target != 0 else { return 1 }
    guard position > 0, presents[position - 1].target != 0 else { return nil }
    let step = present.target &- presents[position - 1].target
    // If the distance is larger, the program rested.
    return 1...4 ~= step ? step : nil
  }
}

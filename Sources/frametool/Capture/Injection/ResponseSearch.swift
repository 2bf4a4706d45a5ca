/// Finds the first frame that shows the answer to an injected input: the first one, once the program has the input,
/// that changes a part of the picture that does not change by itself.
///
/// Which parts do is learned before the first input, long after each one, and in the rounds that inject nothing. Those
/// rounds are searched too: how often they find a change says how far the others can be trusted.
struct ResponseSearch {
  /// What an input did.
  enum Outcome: Hashable {
    /// The program never got it.
    case undelivered
    /// No part that rests by itself changed.
    case unchanged
    /// None of the frames could be read.
    case unreadable
    case changed(surface: UInt32, at: Int64, PictureRegion)
  }

  /// What became of an input.
  struct Finding {
    let number: Int
    let isBlank: Bool
    let outcome: Outcome
  }

  private struct Surface {
    var tiles: SharedPicture.Tiles
    /// For each tile when it last changed without an input.
    var restless: [Int64]
  }

  /// An input that is searched for.
  private struct Open {
    let number: Int
    let isBlank: Bool
    var delivered: Int64?
    var readable = 0
    var unreadable = 0
  }

  private var surfaces: [UInt32: Surface] = [:]
  private var open: Open?
  /// Until when changes may be an answer to the last input or its end.
  private var answersUntil: Int64 = .min

  /// For how long changes after an input and its end may be answers, and nothing is learned from them.
  private let answerTime: Int64
  /// For how long a part that changed by itself counts as one that does.
  private static let memory: Int64 = 20_000_000_000

  init(answerTime: Int64) { self.answerTime = answerTime }

  /// Begins the search for an input.
  /// - Parameter isBlank: Whether there is none, so that there is nothing to find.
  mutating func begin(_ number: Int, isBlank: Bool, at time: Int64) {
    open = Open(number: number, isBlank: isBlank, delivered: isBlank ? time : nil)
    if !isBlank { answersUntil = time + answerTime }
  }

  /// The input is taken back: a finger is lifted.
  mutating func note(endAt time: Int64) {
    answersUntil = max(answersUntil, time + answerTime)
  }

  /// The program is given an input.
  mutating func note(deliveryAt time: Int64) {
    if open?.delivered == nil { open?.delivered = time }
  }

  mutating func forget(_ surface: UInt32) { surfaces[surface] = nil }

  /// Ends the search for an input whose time is over.
  /// - Returns: What was found; `nil` where it was before, or nothing is searched for.
  mutating func end() -> Finding? {
    guard let open else { return nil }
    self.open = nil
    let outcome: Outcome =
      open.delivered == nil
      ? .undelivered : open.readable == 0 && open.unreadable > 0 ? .unreadable : .unchanged
    return Finding(number: open.number, isBlank: open.isBlank, outcome: outcome)
  }

  /// Takes what a surface shows from a commit on.
  /// - Parameter tiles: `nil` where it cannot be read.
  /// - Returns: The input that it answers.
  mutating func take(
    _ tiles: SharedPicture.Tiles?, of number: UInt32, at time: Int64
  ) -> Finding? {
    guard let tiles else {
      open?.unreadable += 1
      surfaces[number] = nil
      return nil
    }
    open?.readable += 1
    let count = tiles.digests.count
    var surface = surfaces[number] ?? Surface(tiles: tiles, restless: [])
    let isNew =
      surface.restless.isEmpty || surface.tiles.width != tiles.width
      || surface.tiles.height != tiles.height
    if isNew { surface.restless = [Int64](repeating: .min, count: count) }
    let changed =
      isNew
      ? Array(0..<count)
      : (0..<count).filter { tiles.digests[$0] != surface.tiles.digests[$0] }
    surface.tiles = tiles
    defer { surfaces[number] = surface }
    let isBlank = open?.isBlank ?? false
    let quiet = changed.filter { surface.restless[$0] < time - Self.memory }
    // A surface that is new cannot be told to change by itself yet.
    if !isNew, isBlank || time > answersUntil {
      for tile in changed { surface.restless[tile] = time }
    }
    guard let open, let delivered = open.delivered, time > delivered, !quiet.isEmpty,
      time <= delivered + answerTime
    else { return nil }
    self.open = nil
    return Finding(
      number: open.number, isBlank: isBlank,
      outcome: .changed(surface: number, at: time, tiles.region(around: quiet)))
  }
}

/// A search for the first frame that responds to an injected input: the first one, after the
/// program received the input, that changes a part of the picture that does not change by itself.
///
/// The parts that change by themselves are learned before the first input, long after each one, and
/// in the rounds without an input. Those rounds are searched too: the rate of changes found in them
/// shows how reliable the other findings are.
struct ResponseSearch {
  /// The result of an input.
  enum Outcome: Hashable {
    /// The program never received it.
    case undelivered
    /// No part that is normally constant changed.
    case unchanged
    /// None of the frames could be read.
    case unreadable
    case changed(surface: UInt32, at: Int64, PictureRegion)
  }

  /// The result for one round.
  struct Finding {
    let number: Int
    let isBlank: Bool
    let outcome: Outcome
  }

  private struct Surface {
    var tiles: SharedPicture.Tiles
    /// For each tile, the time of its last change without an input.
    var restless: [Int64]
  }

  /// The input whose response is being searched for.
  private struct Open {
    let number: Int
    let isBlank: Bool
    var delivered: Int64?
    var readable = 0
    var unreadable = 0
  }

  private var surfaces: [UInt32: Surface] = [:]
  private var open: Open?
  /// The time until which changes may respond to the last input or its end.
  private var answersUntil: Int64 = .min

  /// The time after an input and its end in which changes may be responses; nothing is learned from
  /// those changes.
  private let answerTime: Int64
  /// The time for which a part that changed by itself counts as restless.
  private static let memory: Int64 = 20_000_000_000

  init(answerTime: Int64) { self.answerTime = answerTime }

  /// Begins the search for an input.
  /// - Parameter isBlank: Whether the round has no input, so that there is nothing to find.
  mutating func begin(_ number: Int, isBlank: Bool, at time: Int64) {
    open = Open(number: number, isBlank: isBlank, delivered: isBlank ? time : nil)
    if !isBlank { answersUntil = time + answerTime }
  }

  /// Records the end of the input, such as a lifted finger.
  mutating func note(endAt time: Int64) {
    answersUntil = max(answersUntil, time + answerTime)
  }

  /// Records that the program received an input.
  mutating func note(deliveryAt time: Int64) {
    if open?.delivered == nil { open?.delivered = time }
  }

  mutating func forget(_ surface: UInt32) { surfaces[surface] = nil }

  /// Ends the search for an input when its time is over.
  /// - Returns: The result; `nil` if a change was already found, or no search is active.
  mutating func end() -> Finding? {
    guard let open else { return nil }
    self.open = nil
    let outcome: Outcome =
      open.delivered == nil
      ? .undelivered : open.readable == 0 && open.unreadable > 0 ? .unreadable : .unchanged
    return Finding(number: open.number, isBlank: open.isBlank, outcome: outcome)
  }

  /// Takes the content of a surface after a commit.
  /// - Parameter tiles: The content; `nil` if it cannot be read.
  /// - Returns: The finding for the input that it responds to.
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
    // It is not known yet whether a new surface changes by itself.
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

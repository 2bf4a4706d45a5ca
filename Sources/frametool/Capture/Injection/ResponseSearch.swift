import FrameImporters

/// A search for the first frame that responds to an injected input. It is the first frame, after the program received
/// the input, that changes a part of the picture that does not change by itself.
///
/// The parts that change by themselves are learned before the first input, long after each input, and in the rounds
/// without an input. Rounds without an input are searched too: the rate of changes found in them shows how reliable the
/// other findings are.
struct ResponseSearch {
  /// The result of an input.
  enum Outcome: Hashable {
    /// The program never received the input.
    case undelivered
    /// No part that is normally constant changed.
    case unchanged
    /// None of the frames could be read.
    case unreadable
    case changed(surface: UInt32, at: Int64, PictureRegion)
  }

  /// The result for one round.
  struct Finding: Hashable {
    let number: Int
    let isBlank: Bool
    let outcome: Outcome
  }

  private struct Surface {
    /// The last content; `nil` if only its changes are known.
    var tiles: SharedPicture.Tiles?
    var width, height: Int64
    /// For each part, the time of its last change without an input.
    var restless: [Int64]
    /// Whether frames between the last content and the next content are unknown.
    var isBehind = false
  }

  /// The parts of a surface that a commit changed.
  private struct Change {
    let parts: [Int]
    /// The number of all parts.
    let count: Int
    /// Whether there is no earlier content to compare with.
    let isNew: Bool
    let width, height: Int64
    let region: ([Int]) -> PictureRegion
  }

  /// The input whose response is being searched for.
  private struct Open {
    let number: Int
    let isBlank: Bool
    var delivered: Int64?
    var readable = 0
    var unreadable = 0
    /// Whether the content of a frame that may be the response is unknown.
    var isUncertain = false
  }

  private var surfaces: [UInt32: Surface] = [:]
  private var open: Open?
  /// The time until which changes may respond to the last input or its end.
  private var answersUntil: Int64 = .min

  /// The time after an input and its end in which changes may be responses; those changes are not used for learning.
  private let answerTime: Int64
  /// How long a part that changed by itself counts as restless.
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

  /// Ends the search for an input when its time has passed.
  /// - Returns: The result; `nil` if a change was already found, or no search is active.
  mutating func end() -> Finding? {
    guard let open else { return nil }
    self.open = nil
    let outcome: Outcome =
      open.delivered == nil
      ? .undelivered
      : open.isUncertain || (open.readable == 0 && open.unreadable > 0) ? .unreadable : .unchanged
    return Finding(number: open.number, isBlank: open.isBlank, outcome: outcome)
  }

  /// Receives the content of a surface after a commit.
  /// - Parameter tiles: The content; `nil` if it cannot be read.
  /// - Returns: The finding for the input to which the content responds.
  mutating func consume(
    _ tiles: SharedPicture.Tiles?, of number: UInt32, at time: Int64
  ) -> Finding? {
    guard let tiles else {
      open?.unreadable += 1
      surfaces[number] = nil
      return nil
    }
    let before = surfaces[number]?.tiles
    let isNew = before.map { $0.width != tiles.width || $0.height != tiles.height } ?? true
    let all = 0..<tiles.digests.count
    let changed = all.filter { isNew || tiles.digests[$0] != before?.digests[$0] }
    defer { surfaces[number]?.tiles = tiles }
    return consume(
      Change(
        parts: changed, count: all.count, isNew: isNew, width: tiles.width, height: tiles.height,
        region: tiles.region), of: number, at: time)
  }

  /// Receives what a frame changed in its surface, as the Vulkan layer saw it.
  /// - Parameter time: The time of the commit.
  /// - Returns: The finding for the input to which the frame responds.
  mutating func consume(_ picture: PresentedPicture, at time: Int64) -> Finding? {
    let before = surfaces[picture.surface]
    let isNew =
      before.map {
        $0.tiles != nil || $0.width != picture.width || $0.height != picture.height
      } ?? true
    return consume(
      Change(
        parts: isNew ? Array(0..<PresentedPicture.cellCount) : picture.changed,
        count: PresentedPicture.cellCount, isNew: isNew, width: picture.width,
        height: picture.height, region: picture.region), of: picture.surface, at: time)
  }

  /// Records that the content of a surface's frame is unknown. The frame's changes show in the next frame.
  mutating func miss(of surface: UInt32) { surfaces[surface]?.isBehind = true }

  /// Records a commit whose content could not be read. If the commit comes within the response time, it may be the
  /// response.
  mutating func noteUnread(at time: Int64) {
    guard let delivered = open?.delivered, time > delivered, time <= delivered + answerTime else {
      return
    }
    open?.isUncertain = true
  }

  private mutating func consume(_ change: Change, of number: UInt32, at time: Int64) -> Finding? {
    open?.readable += 1
    var surface =
      surfaces[number] ?? Surface(tiles: nil, width: 0, height: 0, restless: [])
    let isBehind = surface.isBehind
    if change.isNew {
      surface = Surface(
        tiles: nil, width: change.width, height: change.height,
        restless: [Int64](repeating: .min, count: change.count))
    }
    surface.isBehind = false
    defer { surfaces[number] = surface }
    let isBlank = open?.isBlank ?? false
    let quiet = change.parts.filter { surface.restless[$0] < time - Self.memory }
    // It is unknown yet whether a new surface changes by itself.
    if !change.isNew, isBlank || time > answersUntil {
      for part in change.parts { surface.restless[part] = time }
    }
    guard let open, let delivered = open.delivered, time > delivered, !quiet.isEmpty,
      time <= delivered + answerTime, !open.isUncertain
    else { return nil }
    // The response may have been a frame in between, or a frame before the input.
    guard !isBehind else {
      self.open?.isUncertain = true
      return nil
    }
    self.open = nil
    return Finding(
      number: open.number, isBlank: isBlank,
      outcome: .changed(surface: number, at: time, change.region(quiet)))
  }
}

extension PresentedPicture {
  /// The bounding rectangle of some cells, in pixels.
  fileprivate func region(around cells: [Int]) -> PictureRegion {
    let columns = cells.map { Int64($0 % Self.side) }
    let rows = cells.map { Int64($0 / Self.side) }
    let side = Int64(Self.side)
    let left = (columns.min() ?? 0) * width / side
    let top = (rows.min() ?? 0) * height / side
    return PictureRegion(
      x: left, y: top, width: ((columns.max() ?? 0) + 1) * width / side - left,
      height: ((rows.max() ?? 0) + 1) * height / side - top)
  }
}

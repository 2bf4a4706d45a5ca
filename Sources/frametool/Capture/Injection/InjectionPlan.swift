import FrameKit

/// When inputs are injected: one in each round, at a moment that follows no rhythm of a display, and none in some
/// rounds, to see what is found where there is nothing to find.
struct InjectionPlan {
  /// What is to be done.
  enum Step: Hashable {
    case press(Int)
    case release(Int)
    /// Nothing is pressed in this round.
    case blank(Int)
    /// A round is over.
    case end(Int)
  }

  private let every: Int64
  private let count: Int
  private var random: SplitMix64
  private var steps: [(time: Int64, step: Step)] = []
  private var number = 0
  private var pressed = 0
  private var start: Int64

  /// How long a finger, a button or a key stays down.
  private var holdTime: Int64 { min(60_000_000, every / 8) }
  /// For how long a change may be the answer to an input or its end.
  static func answerTime(ofRounds every: Int64) -> Int64 { every * 3 / 5 }
  /// One round in so many injects nothing.
  private static let blankShare = 5

  /// - Parameters:
  ///   - every: How long a round is at least; it is up to a quarter longer, by chance.
  ///   - count: How many inputs are injected.
  ///   - start: When the first round begins.
  init(every: Int64, count: Int, seed: UInt64, start: Int64) {
    (self.every, self.count, self.start) = (every, count, start)
    random = SplitMix64(seed: seed)
    addRound()
  }

  private mutating func addRound() {
    guard pressed < count else { return }
    number += 1
    let isBlank = Int.random(in: 0..<Self.blankShare, using: &random) == 0
    let length = every + Int64.random(in: 0...every / 4, using: &random)
    if isBlank {
      steps = [(start, .blank(number))]
    } else {
      pressed += 1
      steps = [(start, .press(number)), (start + holdTime, .release(number))]
    }
    start += length
    steps.append((start, .end(number)))
  }

  /// Leaves out the rounds that are still to come, and the rest of this one.
  mutating func stop() { steps = [] }

  /// When the next step is due; `nil` when all is done.
  var due: Int64? { steps.first?.time }

  /// The next step that is due at a time; `nil` for none.
  mutating func next(at time: Int64) -> Step? {
    guard let first = steps.first, first.time <= time else { return nil }
    steps.removeFirst()
    if steps.isEmpty { addRound() }
    return first.step
  }
}

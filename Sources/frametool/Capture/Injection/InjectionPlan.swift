import FrameKit

/// The schedule of injected inputs: one per round, at a random time that follows no rhythm of the display. Some rounds
/// have no input, to measure the rate of falsely found changes.
struct InjectionPlan {
  /// A step of the schedule.
  enum Step: Hashable {
    case press(Int)
    case release(Int)
    /// The start of a round without an input.
    case blank(Int)
    /// The end of a round.
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
  /// The time after an input or its end within which a change can be its response.
  static func answerTime(ofRounds every: Int64) -> Int64 { every * 3 / 5 }
  /// On average, one round in this many injects nothing.
  private static let blankShare = 5

  /// - Parameters:
  ///   - every: The minimum duration of a round; a random amount of up to a quarter is added.
  ///   - count: The number of inputs to inject.
  ///   - start: The start of the first round.
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

  /// Cancels the rest of this round and all further rounds.
  mutating func stop() { steps = [] }

  /// When the next step is due; `nil` if all are done.
  var due: Int64? { steps.first?.time }

  /// The next step that is due at a time; `nil` for none.
  mutating func next(at time: Int64) -> Step? {
    guard let first = steps.first, first.time <= time else { return nil }
    steps.removeFirst()
    if steps.isEmpty { addRound() }
    return first.step
  }
}

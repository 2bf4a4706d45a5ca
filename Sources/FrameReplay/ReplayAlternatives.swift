/// The result of replaying the work of a recording under one of its explanations.
struct PlayedRecording {
  let recording: ReplayRecording
  let simulator: ReplaySimulator
  let work: [ReplayedWork]
  let frames: [ReplayedFrame]

  /// The replayed pipeline, in words.
  var words: [String] {
    var recording = recording
    recording.simulator = simulator
    return recording.words
  }

  /// The mean distance between the frames of two replays, in nanoseconds.
  func distance(from other: PlayedRecording) -> Double {
    guard frames.count == other.frames.count else { return .infinity }
    let apart = zip(frames, other.frames).reduce(0.0) { sum, pair in
      let (one, two) = (pair.0.displayed ?? 0, pair.1.displayed ?? 0)
      return sum + abs(Double(pair.0.appStart - pair.1.appStart)) + abs(Double(one - two))
    }
    return apart / Double(max(1, frames.count))
  }
}

/// The predictions of a recording's other explanations, if they differ from the prediction of the most likely
/// explanation. For a long recording, they are computed from a part of the recording.
struct ReplayAlternatives {
  /// The difference of an explanation from the most likely explanation: the additional change of each figure.
  struct Answer {
    let changes: [String: Double]
    let words: [String]
  }

  private let recording: ReplayRecording
  private let conditions: ReplayConditions
  private let wayCount: Int
  private let figures: (PlayedRecording, ReplayConditions) -> ReplayFigures

  /// The maximum number of explanations that are evaluated.
  private static let most = 2
  /// Replays with a mean distance up to this value, in nanoseconds, count as equal.
  private static let sameDistance = 20_000.0

  /// - Parameters:
  ///   - wayCount: The number of ways in which the most likely explanation may meet the conditions.
  ///   - figures: Computes the figures of a replay.
  init(
    _ recording: ReplayRecording, _ conditions: ReplayConditions, _ wayCount: Int,
    figures: @escaping (PlayedRecording, ReplayConditions) -> ReplayFigures
  ) {
    (self.recording, self.conditions, self.wayCount) = (recording, conditions, wayCount)
    self.figures = figures
  }

  /// Plays work under conditions, repeatedly if it takes very little time.
  static func played(
    _ recording: ReplayRecording, _ way: (simulator: ReplaySimulator, work: [ReplayedWork]),
    _ reproduction: [ReplayedFrame]
  ) -> PlayedRecording {
    let (simulator, work) = way
    let frames = simulator.play(work)
    guard let count = recording.countThatFills(reproduction, frames, work) else {
      return PlayedRecording(
        recording: recording, simulator: simulator, work: work, frames: frames)
    }
    let filled = recording.filled(work, to: count)
    return PlayedRecording(
      recording: recording, simulator: simulator, work: filled, frames: simulator.play(filled))
  }

  /// The answers of explanations with different results, the most different first.
  /// - Parameters:
  ///   - whole, predicted: The prediction of the most likely explanation for the complete recording.
  ///   - reproduction, reproduced: The same values without conditions.
  func answers(
    beside whole: PlayedRecording, _ predicted: ReplayFigures, _ reproduction: [ReplayedFrame],
    _ reproduced: ReplayFigures
  ) throws(ReplayRefusal) -> [Answer] {
    guard wayCount > 1 || !recording.alternatives.isEmpty else { return [] }
    let sample = recording.sample
    let isWhole = sample.work.count == recording.work.count
    let own = isWhole ? reproduction : sample.simulator.play(sample.work)
    let ways = try sample.under(conditions)
    let first = isWhole ? whole : Self.played(sample, ways[0], own)
    let others = try differing(from: first, ways.dropFirst().map { $0 }, sample, own)
    guard !others.isEmpty else { return [] }
    let before = PlayedRecording(
      recording: sample, simulator: sample.simulator, work: sample.work, frames: own)
    let base = (
      before: isWhole ? reproduced : figures(before, ReplayConditions()),
      after: isWhole ? predicted : figures(first, conditions)
    )
    let ratio = Double(recording.work.count) / Double(max(1, sample.work.count))
    return others.map { other in
      Answer(
        changes: changes(other, base.before, base.after, beside: before, ratio: ratio),
        words: other.words)
    }
  }

  /// The replays of the explanations under the conditions, without duplicates.
  private func differing(
    from first: PlayedRecording,
    _ ways: [(simulator: ReplaySimulator, work: [ReplayedWork])], _ sample: ReplayRecording,
    _ reproduction: [ReplayedFrame]
  ) throws(ReplayRefusal) -> [PlayedRecording] {
    var all = ways.map { Self.played(sample, $0, reproduction) }
    for explanation in recording.alternatives {
      let explained = sample.explained(by: explanation)
      let own = explained.simulator.play(explained.work)
      for way in try explained.under(conditions) { all.append(Self.played(explained, way, own)) }
    }
    var others: [PlayedRecording] = []
    for other in all
    where ([first] + others).allSatisfy({ $0.distance(from: other) > Self.sameDistance }) {
      others.append(other)
    }
    let farthest = others.enumerated().sorted {
      let (one, two) = ($0.element.distance(from: first), $1.element.distance(from: first))
      return (two, $0.offset) < (one, $1.offset)
    }
    return farthest.prefix(Self.most).map(\.element)
  }

  /// The additional change of each figure, compared with the most likely explanation.
  private func changes(
    _ played: PlayedRecording, _ before: ReplayFigures, _ after: ReplayFigures,
    beside first: PlayedRecording, ratio: Double
  ) -> [String: Double] {
    let own = played.recording
    let replay = PlayedRecording(
      recording: own, simulator: own.simulator, work: own.work,
      frames: own.simulator.play(own.work))
    let isSame = replay.distance(from: first) <= Self.sameDistance
    let reproduced = isSame ? before : figures(replay, ReplayConditions())
    let predicted = figures(played, conditions)
    var changes: [String: Double] = [:]
    for name in predicted.names {
      guard let one = predicted[name], let two = reproduced[name], let three = after[name],
        let four = before[name]
      else { continue }
      let more = (one - two) - (three - four)
      changes[name] = predicted.isCount(name) ? more * ratio : more
    }
    return changes
  }
}

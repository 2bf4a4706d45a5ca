public import FrameAnalysis
public import FrameTrace

/// A replay of a recording, as recorded and under other conditions. The replay as recorded shows how far the model can
/// be trusted.
public struct Replay: Sendable {
  /// A figure of the recording, of its replay as recorded, and of the prediction.
  public struct Figure: Hashable, Sendable {
    /// The predicted change of a figure.
    public enum Change: String, Hashable, Sendable {
      case better, worse
      /// The figure changes, and neither direction is better.
      case changed
      /// The figure changes by less than a thousandth.
      case none
      /// The change is not larger than the model error.
      case undecided
      /// The replay as recorded deviates so much from the recorded figure that a prediction is
      /// meaningless.
      case unexplained
    }

    /// The figure's name.
    public let name: String
    /// The unit of the figure's values.
    public let unit: String
    /// The direction that is better.
    public let direction: MetricDirection
    /// The figure's value in the recording, and in the replay as recorded.
    public let recorded, reproduced: Double
    /// The predicted value; `nil` without a prediction.
    public let predicted: Double?
    /// The changes predicted by other explanations that fit the recording equally well.
    public var otherGains: [Double] = []
    /// The chance variation of the figure in another run of the same length: 95 % limits on either
    /// side.
    public let chance: Double
    /// The number of values that the recorded figure is computed from.
    public let n: Int
    /// The figure's lower limit; `nil` if there is none.
    public let least: Double?

    /// The model error: the difference between the replay as recorded and the recording.
    public var modelError: Double { abs(reproduced - recorded) }

    /// The predicted change: the prediction minus the replay as recorded, which has the same error.
    public var gain: Double? { predicted.map { $0 - reproduced } }

    /// Whether the model reproduces the figure: the error is at most a quarter of the figure, or at most two for counts
    /// of refreshes.
    public var isReproduced: Bool {
      modelError
        <= max(Self.mostMissed * abs(recorded), unit == MetricUnit.refreshes.rawValue ? 2 : 0)
        || modelError <= Self.rounding
    }

    private static let mostMissed = 0.25

    /// The expected value: the recorded value plus the gain; `nil` if the model does not reproduce the figure.
    public var expected: Double? { judged.map { limited(recorded + $0) } }

    private var judged: Double? { isReproduced ? gain : nil }

    /// The expected values from explanations that differ from the most likely one.
    public var alternatives: [Double] {
      guard let gain = judged else { return [] }
      let same = max(modelError + chance, Self.sameShare * abs(recorded + gain))
      return otherGains.filter { abs($0 - gain) > same }.map { limited(recorded + $0) }.sorted()
    }

    /// Predictions that differ by less than this share count as equal.
    private static let sameShare = 0.1

    /// The range of the figure for a run under the conditions, given the model error, chance, and
    /// all explanations that fit.
    public var bounds: ClosedRange<Double>? {
      judged.map { gain in
        let half = modelError + chance
        let gains = [gain] + otherGains
        return
          limited(
            recorded + (gains.min() ?? gain) - half)...limited(
            recorded + (gains.max() ?? gain) + half)
      }
    }

    private func limited(_ value: Double) -> Double { max(value, least ?? value) }

    /// The predicted change of the figure; `nil` without a prediction.
    public var change: Change? {
      gain.map { gain in
        let all = Set(([gain] + otherGains).map(change(of:)))
        return all.count == 1 ? change(of: gain) : .undecided
      }
    }

    private func change(of gain: Double) -> Change {
      guard isReproduced else { return .unexplained }
      if abs(gain) <= max(Self.rounding, Self.smallest * abs(recorded)) { return .none }
      if abs(gain) <= modelError { return .undecided }
      let isMore = gain > 0
      switch direction {
      case .lowerIsBetter: return isMore ? .worse : .better
      case .higherIsBetter: return isMore ? .better : .worse
      case .neither: return .changed
      }
    }

    /// A change of no more than this share, or one caused by rounding, counts as none.
    private static let smallest = 1e-3
    private static let rounding = 1e-6
  }

  /// The recording's file.
  public let file: String
  /// The surface of the frames.
  public let surface: String
  /// The recorded conditions, in words.
  public let recordedWords: [String]
  /// The conditions of the replay.
  public let conditions: ReplayConditions
  /// The number of frames played, of frames shown, and of frames shown at their recorded refresh.
  public let frames, shown, reproduced: Int
  /// The number of frames that lack required times, and of frames that a driver generated.
  public let missing, generated: Int
  /// The figures that are compared.
  public let figures: [Figure]
  /// Dropped refreshes by stage, in the recording and as predicted; empty if unknown.
  public let dropsBefore, dropsAfter: [PipelineStage: Int]
  /// Notes that a reader of the prediction needs.
  public let notes: [String]
  /// Other explanations of the recording, in words, if they predict something else.
  public let otherwise: [[String]]
  /// The trace of the replay as recorded.
  public let asRecorded: Trace
  /// The trace predicted under the conditions; `nil` without conditions.
  public let prediction: Trace?

  /// The figure with that name; `nil` if there is none.
  package func figure(_ name: String) -> Figure? { figures.first { $0.name == name } }

  /// The share of displayed frames that are shown at their recorded refresh.
  public var reproducedShare: Double { shown > 0 ? Double(reproduced) / Double(shown) : 0 }

  /// Whether the model explains the recording: at least half of its frames are shown at their
  /// recorded refresh.
  public var isExplained: Bool { 2 * reproduced >= shown }
}

/// A replayer for the recording of a surface under any conditions, or several conditions at once.
public struct Replayer: Sendable {
  let recording: ReplayRecording
  private let study: Study
  private let surface: Int
  private let reproduction: [ReplayedFrame]
  private let known = Known()
  /// What every replay states about the recording: its limits, how many frames were shown, and how many of them are
  /// shown at their recorded refresh when replayed as recorded.
  private let limits: [String]
  private let shown, reproduced: Int

  /// A replay with its figures.
  private struct MeasuredReplay: Sendable {
    let trace: Trace
    let figures: ReplayFigures
  }

  /// What all replays of the recording are compared with; each value is computed when a replay first needs it.
  private final class Known: Sendable {
    let recorded = Once<ReplayFigures>()
    let asRecorded = Once<MeasuredReplay>()
  }

  /// The number of frames to replay.
  public var frameCount: Int { recording.work.count }

  /// - Throws: If the trace lacks data that a replay needs.
  public init(_ study: Study) throws(ReplayRefusal) {
    guard let meant = study.meant else {
      throw ReplayRefusal(message: "the trace has no frames to replay")
    }
    let measured = study.surface(meant)
    recording = try ReplayRecording(measured)
    (self.study, surface) = (study, meant)
    reproduction = recording.simulator.play(recording.work)
    limits = recording.limits
    (shown, reproduced) = (recording.shownCount, recording.reproduced(reproduction))
  }

  private var recordedFigures: ReplayFigures {
    known.recorded.value { recording.comparable(ReplayFigures(study, surface: surface)) }
  }

  private var asRecorded: MeasuredReplay {
    known.asRecorded.value {
      let trace = Self.trace(
        recording, recording.simulator, recording.work, reproduction, ReplayConditions())
      return MeasuredReplay(trace: trace, figures: ReplayFigures(trace, study.options))
    }
  }

  private static func trace(
    _ recording: ReplayRecording, _ simulator: ReplaySimulator, _ work: [ReplayedWork],
    _ frames: [ReplayedFrame], _ conditions: ReplayConditions
  ) -> Trace {
    let interval = recording.rebuilt.timeline.schedule.grid.interval.count
    let touches = ReplayTouches(
      recording.trace, recording.rebuilt.timeline, recording.pipeline.end, frames, conditions,
      slack: interval / 16)
    return ReplayTrace.make(
      recording, simulator, work, frames, touches, words: conditions.words)
  }

  /// Replays the recording under conditions; if they are empty, only as recorded.
  /// - Parameter parallelism: How the work of measuring the recording, its replay as recorded, and the prediction is
  ///   divided. The result does not depend on it.
  public func replay(
    _ conditions: ReplayConditions, _ parallelism: Parallelism = .none
  ) throws(ReplayRefusal) -> Replay {
    try replay(conditions, only: nil, parallelism)
  }

  /// Replays the recording under conditions, and computes only some of the figures.
  /// - Parameter names: The figures that are needed in addition to dropped refreshes; `nil` for all.
  func replay(
    _ conditions: ReplayConditions, only names: Set<String>?, _ parallelism: Parallelism = .none
  ) throws(ReplayRefusal) -> Replay {
    var notes = limits
    let ways = conditions.isEmpty ? [] : try recording.under(conditions)
    let played = ways.first.map { ReplayAlternatives.played(recording, $0, reproduction) }
    // The longest part first.
    let measured = parallelism.map(3) { part -> MeasuredReplay? in
      switch part {
      case 0: return played.map { measure($0, conditions, only: names) }
      case 1: return asRecorded
      default:
        _ = recordedFigures
        return nil
      }
    }
    let predicted = measured[0]
    var others: [ReplayAlternatives.Answer] = []
    if let played, let predicted {
      if played.work.count > recording.work.count {
        notes.append(
          "the replay takes less than half of the recorded time, so the work of \(recording.work.count) frames is repeated: \(played.work.count) frames in all"
        )
      }
      others = try ReplayAlternatives(recording, conditions, ways.count) {
        measure($0, $1, only: names).figures
      }.answers(beside: played, predicted.figures, reproduction, asRecorded.figures)
      notes += recording.notes(conditions, reproduction)
    }
    return Replay(
      file: recording.trace.provenance.title,
      surface: recording.surface.title, recordedWords: recording.words,
      conditions: conditions, frames: recording.work.count, shown: shown,
      reproduced: reproduced, missing: recording.missing,
      generated: recording.generated,
      figures: ReplayFigures.together(
        recordedFigures, asRecorded.figures, predicted?.figures, others: others.map(\.changes)),
      dropsBefore: recordedFigures.drops, dropsAfter: predicted?.figures.drops ?? [:],
      notes: notes, otherwise: others.map(\.words), asRecorded: asRecorded.trace,
      prediction: predicted?.trace)
  }

  private func measure(
    _ played: PlayedRecording, _ conditions: ReplayConditions, only names: Set<String>?
  ) -> MeasuredReplay {
    let trace = Self.trace(
      played.recording, played.simulator, played.work, played.frames, conditions)
    let figures = ReplayFigures(trace, study.options, only: names)
    return MeasuredReplay(trace: trace, figures: recording.comparable(figures))
  }
}

public import FrameAnalysis
public import FrameTrace

/// A recording played again: as it was recorded, which shows how far the model can be trusted, and under other
/// conditions.
public struct Replay: Sendable {
  /// A figure of the recording, of its replay as recorded, and of the prediction.
  public struct Figure: Hashable, Sendable {
    /// What becomes of a figure.
    public enum Change: String, Hashable, Sendable {
      case better, worse
      /// It is another one, of which neither more nor less is better.
      case changed
      /// It changes by less than a thousandth.
      case none
      /// The change is not larger than what the model misses by.
      case undecided
      /// The replay of the recording misses so much of the recorded figure that a prediction of it says nothing.
      case unexplained
    }

    /// The figure's name.
    public let name: String
    /// The unit of its values.
    public let unit: String
    /// Whether less or more of it is better.
    public let direction: MetricDirection
    /// Its value in the recording, and in the recording played again as it was.
    public let recorded, reproduced: Double
    /// `nil` where nothing was predicted.
    public let predicted: Double?
    /// What changes by other explanations that fit the recording as well.
    public var otherGains: [Double] = []
    /// By how much the figure of another run as long would differ by chance: 95 % to either side.
    public let chance: Double
    /// How many values the recorded one is of.
    public let n: Int
    /// What it can be at the least; `nil` where nothing limits it.
    public let least: Double?

    /// By how much the model misses the recorded figure.
    public var modelError: Double { abs(reproduced - recorded) }

    /// What the conditions change: the prediction less the replay as recorded, which misses the same way.
    public var gain: Double? { predicted.map { $0 - reproduced } }

    /// Whether the model reproduces the figure: it misses at most a quarter of it, or at most two of what is counted.
    public var isReproduced: Bool {
      modelError
        <= max(Self.mostMissed * abs(recorded), unit == MetricUnit.refreshes.rawValue ? 2 : 0)
        || modelError <= Self.rounding
    }

    private static let mostMissed = 0.25

    /// What the figure would be: the recorded one and the gain; `nil` where the model does not reproduce it.
    public var expected: Double? { judged.map { limited(recorded + $0) } }

    private var judged: Double? { isReproduced ? gain : nil }

    /// What it would be by the explanations that say something else than the likeliest one.
    public var alternatives: [Double] {
      guard let gain = judged else { return [] }
      let same = max(modelError + chance, Self.sameShare * abs(recorded + gain))
      return otherGains.filter { abs($0 - gain) > same }.map { limited(recorded + $0) }.sorted()
    }

    /// Answers that differ by less than this share are the same to anybody.
    private static let sameShare = 0.1

    /// Between which values the figure of a run under the conditions would be: by the model's error, by chance, and by
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

    /// What becomes of the figure; `nil` where nothing was predicted.
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

    /// A change of no more than this share is none, nor is one that only rounding makes.
    private static let smallest = 1e-3
    private static let rounding = 1e-6
  }

  /// The recording's file.
  public let file: String
  /// Whose frames these are.
  public let surface: String
  /// How it was recorded, in words.
  public let recordedWords: [String]
  /// Under which conditions it was played.
  public let conditions: ReplayConditions
  /// How many frames are played, how many of them were shown, and how many of these come at their recorded refresh.
  public let frames, shown, reproduced: Int
  /// How many frames lack the times that are needed, and how many a driver made.
  public let missing, generated: Int
  /// The figures that are compared.
  public let figures: [Figure]
  /// Dropped refreshes by stage, of the recording and as predicted; empty where they are not known.
  public let dropsBefore, dropsAfter: [PipelineStage: Int]
  /// What has to be known of the prediction.
  public let notes: [String]
  /// How the recording may have come about otherwise, in words, where that predicts something else.
  public let otherwise: [[String]]
  /// The recording as it was played again, and what would have been; the latter is `nil` without conditions.
  public let asRecorded: Trace
  /// The trace that would have been recorded under the conditions; `nil` without any.
  public let prediction: Trace?

  /// The figure of that name; `nil` when there is none.
  package func figure(_ name: String) -> Figure? { figures.first { $0.name == name } }

  /// The share of displayed frames that come at their recorded refresh.
  public var reproducedShare: Double { shown > 0 ? Double(reproduced) / Double(shown) : 0 }

  /// Whether the model explains the recording: at least half of its frames come when they did.
  public var isExplained: Bool { 2 * reproduced >= shown }
}

/// Plays the recording of a surface under any conditions.
public struct Replayer {
  let recording: ReplayRecording
  private let study: Study
  private let reproduction: [ReplayedFrame]
  private let asRecorded: Trace
  private let recordedFigures, reproducedFigures: ReplayFigures

  /// - Throws: Where the trace lacks what it takes.
  public init(_ study: Study) throws(ReplayRefusal) {
    guard let meant = study.meant else {
      throw ReplayRefusal(message: "the trace has no frames to replay")
    }
    let measured = study.surface(meant)
    recording = try ReplayRecording(measured)
    self.study = study
    reproduction = recording.simulator.play(recording.work)
    asRecorded = Self.trace(
      recording, recording.simulator, recording.work, reproduction, ReplayConditions(), measured)
    recordedFigures = recording.comparable(ReplayFigures(study, surface: meant))
    reproducedFigures = ReplayFigures(asRecorded, study.options)
  }

  private static func trace(
    _ recording: ReplayRecording, _ simulator: ReplaySimulator, _ work: [ReplayedWork],
    _ frames: [ReplayedFrame], _ conditions: ReplayConditions, _ measured: MeasuredSurface
  ) -> Trace {
    let interval = recording.rebuilt.timeline.schedule.grid.interval.count
    let touches = ReplayTouches(
      measured.pipeline.trace, recording.rebuilt.timeline, measured.pipeline.end, frames,
      conditions, slack: interval / 16)
    return ReplayTrace.make(
      recording, simulator, work, frames, touches, words: conditions.words)
  }

  /// Plays the recording under conditions; without any only as it was recorded.
  public func replay(_ conditions: ReplayConditions) throws(ReplayRefusal) -> Replay {
    var notes = recording.limits
    var prediction: Trace?
    var predicted: ReplayFigures?
    var others: [ReplayAlternatives.Answer] = []
    if !conditions.isEmpty {
      let ways = try recording.under(conditions)
      let played = ReplayAlternatives.played(recording, ways[0], reproduction)
      if played.work.count > recording.work.count {
        notes.append(
          "as it takes so little time, the work of \(recording.work.count) frames is played again and again: \(played.work.count) frames in all"
        )
      }
      let trace = self.trace(of: played, conditions)
      let figures = recording.comparable(ReplayFigures(trace, study.options))
      others = try ReplayAlternatives(recording, conditions, ways.count) {
        self.figures(of: $0, $1)
      }.answers(beside: played, figures, reproduction, reproducedFigures)
      (prediction, predicted) = (trace, figures)
      notes += recording.notes(conditions)
    }
    return Replay(
      file: study.trace.provenance.title,
      surface: recording.measured.surface.title, recordedWords: recording.words,
      conditions: conditions, frames: recording.work.count, shown: recording.shownCount,
      reproduced: recording.reproduced(reproduction), missing: recording.missing,
      generated: recording.generated,
      figures: ReplayFigures.together(
        recordedFigures, reproducedFigures, predicted, others: others.map(\.changes)),
      dropsBefore: recordedFigures.drops, dropsAfter: predicted?.drops ?? [:], notes: notes,
      otherwise: others.map(\.words), asRecorded: asRecorded, prediction: prediction)
  }

  private func trace(of played: PlayedRecording, _ conditions: ReplayConditions) -> Trace {
    Self.trace(
      played.recording, played.simulator, played.work, played.frames, conditions,
      recording.measured)
  }

  private func figures(of played: PlayedRecording, _ conditions: ReplayConditions) -> ReplayFigures
  {
    recording.comparable(ReplayFigures(trace(of: played, conditions), study.options))
  }
}

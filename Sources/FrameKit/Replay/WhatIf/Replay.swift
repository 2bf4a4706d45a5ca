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
    }

    public let name: String
    public let unit: String
    public let direction: MetricDirection
    public let recorded, reproduced: Double
    /// `nil` where nothing was predicted.
    public let predicted: Double?
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

    /// What the figure would be: the recorded one and the gain.
    public var expected: Double? { gain.map { limited(recorded + $0) } }

    /// Between which values the figure of a run under the conditions would be: by the model's error, and by chance.
    public var bounds: ClosedRange<Double>? {
      gain.map { gain in
        let half = modelError + chance
        return limited(recorded + gain - half)...limited(recorded + gain + half)
      }
    }

    private func limited(_ value: Double) -> Double { max(value, least ?? value) }

    public var change: Change? {
      gain.map { gain in
        if abs(gain) <= max(Self.rounding, Self.smallest * abs(recorded)) { return .none }
        if abs(gain) <= modelError { return .undecided }
        let isMore = gain > 0
        switch direction {
        case .lowerIsBetter: return isMore ? .worse : .better
        case .higherIsBetter: return isMore ? .better : .worse
        case .neither: return .changed
        }
      }
    }

    /// A change of no more than this share is none, nor is one that only rounding makes.
    private static let smallest = 1e-3
    private static let rounding = 1e-6
  }

  public let file: String
  /// Whose frames these are.
  public let surface: String
  /// How it was recorded, in words.
  public let recordedWords: [String]
  public let conditions: ReplayConditions
  /// How many frames are played, how many of them were shown, and how many of these come at their recorded refresh.
  public let frames, shown, reproduced: Int
  /// How many frames lack the times that are needed, and how many a driver made.
  public let missing, generated: Int
  public let figures: [Figure]
  /// Dropped refreshes by stage, of the recording and as predicted; empty where they are not known.
  public let dropsBefore, dropsAfter: [PipelineStage: Int]
  /// What has to be known of the prediction.
  public let notes: [String]
  /// The recording as it was played again, and what would have been; the latter is `nil` without conditions.
  public let asRecorded: Trace
  public let prediction: Trace?

  /// The figure of that name; `nil` when there is none.
  func figure(_ name: String) -> Figure? { figures.first { $0.name == name } }

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
    let measured = recording.measured
    var prediction: Trace?
    var notes = recording.limits
    var predicted: ReplayFigures?
    if !conditions.isEmpty {
      var (simulator, work) = try recording.under(conditions)
      var frames = simulator.play(work)
      if let count = recording.countThatFills(reproduction, frames, work) {
        work = recording.filled(work, to: count)
        frames = simulator.play(work)
        notes.append(
          "as it takes so little time, the work of \(recording.work.count) frames is played again and again: \(count) frames in all"
        )
      }
      let trace = Self.trace(recording, simulator, work, frames, conditions, measured)
      prediction = trace
      predicted = recording.comparable(ReplayFigures(trace, study.options))
      notes += recording.notes(conditions)
    }
    return Replay(
      file: study.trace.provenance.title,
      surface: measured.surface.title, recordedWords: recording.words,
      conditions: conditions, frames: recording.work.count, shown: recording.shownCount,
      reproduced: recording.reproduced(reproduction), missing: recording.missing,
      generated: recording.generated,
      figures: ReplayFigures.together(recordedFigures, reproducedFigures, predicted),
      dropsBefore: recordedFigures.drops, dropsAfter: predicted?.drops ?? [:], notes: notes,
      asRecorded: asRecorded, prediction: prediction)
  }
}

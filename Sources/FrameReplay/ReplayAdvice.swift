import FrameAnalysis
public import FrameTrace
import FrameVerdicts

/// The most helpful single changes, each tested by a replay, best first.
public struct ReplayAdvice: Sendable {
  /// A change, and its effect on what users perceive.
  public struct Item: Sendable {
    /// The change.
    public let conditions: ReplayConditions
    /// The figure that improves by the larger share: dropped refreshes, or latency.
    public let figure: Replay.Figure
    /// The other figure, if it improves too.
    public let also: Replay.Figure?
    /// Whether the improvement exceeds the model error.
    public let isDecided: Bool
    /// The perceived improvement: the share of dropped refreshes removed, plus the share of latency
    /// removed.
    let score: Double
    /// The size of the change: the share of a stage's time that must be saved.
    let effort: Double

    /// The gain in the figure's unit; positive.
    public var gain: Double { -(figure.gain ?? 0) }
  }

  /// The recording replayed as recorded.
  public let replay: Replay
  /// Changes that improve something, best first and undecided ones last; empty if the model does
  /// not explain the recording.
  public let items: [Item]

  /// The figures for the time until something is visible, best first. They are means, because a
  /// median moves by a whole refresh if half of the frames are one refresh later than the others.
  private static let latencies = ["mean(touchToPhoton)", "mean(displayLatency)"]
  /// The figures by which a change is judged.
  private static let judged = Set(["droppedRefreshes"] + latencies)
  /// A smaller change is preferred if its effect is at least this share of the larger change's
  /// effect.
  private static let enough = 0.8
  /// Changes whose scores differ by less than this count as equal.
  private static let close = 0.1

  /// Tries the changes that the recording can evaluate.
  public init(_ replayer: Replayer, _ parallelism: Parallelism = .none) throws(ReplayRefusal) {
    replay = try replayer.replay(ReplayConditions(), parallelism)
    var items: [Item] = []
    let changes = replay.isExplained ? replayer.recording.changes : []
    let sizes = changes.flatMap(\.self)
    var results = parallelism.map(sizes.count) { position in
      (try? replayer.replay(sizes[position].conditions, only: Self.judged)).flatMap {
        Self.item($0, effort: sizes[position].effort)
      }
    }[...]
    for sizes in changes {
      let tried = results.prefix(sizes.count).compactMap(\.self)
      results = results.dropFirst(sizes.count)
      // Decided results take precedence over undecided ones.
      let decided = tried.filter(\.isDecided)
      let choice = decided.isEmpty ? tried : decided
      let most = choice.map(\.score).max() ?? 0
      if let item = choice.first(where: { $0.score >= Self.enough * most }) { items.append(item) }
    }
    let charged = replay.dropsBefore.max {
      ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue)
    }
    self.items = Self.ranked(items, charged: charged?.key)
  }

  /// The best change first; among equal changes, a change of the stage charged with most dropped refreshes comes first,
  /// then the smallest change.
  private static func ranked(_ items: [Item], charged: PipelineStage?) -> [Item] {
    var rest = items
    var ranked: [Item] = []
    while !rest.isEmpty {
      let isAnyDecided = rest.contains(where: \.isDecided)
      let best = rest.filter { $0.isDecided == isAnyDecided }.map(\.score).max() ?? 0
      let near = rest.indices.filter {
        rest[$0].isDecided == isAnyDecided && rest[$0].score > best - close
      }
      let order = { (position: Int) in
        (rest[position].isOf(charged) ? 0 : 1, rest[position].effort, -rest[position].score)
      }
      guard let position = near.min(by: { order($0) < order($1) }) else { break }
      ranked.append(rest.remove(at: position))
    }
    return ranked
  }

  /// The improvement of dropped refreshes and of latency by a change; `nil` if either gets worse, or neither improves.
  private static func item(_ tried: Replay, effort: Double) -> Item? {
    let drops = tried.figure("droppedRefreshes").flatMap { $0.isReproduced ? $0 : nil }
    let latency = latencies.lazy.compactMap(tried.figure).first.flatMap {
      $0.isReproduced ? $0 : nil
    }
    let shares = [drops, latency].map { figure -> Double in
      guard let figure, let gain = figure.gain, figure.recorded > 0 else {
        return (figure?.gain ?? 0) > 0 ? -1 : 0
      }
      return -gain / figure.recorded
    }
    let least = [0.0, ComparisonConstants.latencyThreshold]
    guard drops?.change != .worse, latency?.change != .worse else { return nil }
    let better = [0, 1].filter { shares[$0] > max(1e-9, least[$0]) }
    guard let main = better.max(by: { shares[$0] < shares[$1] }),
      let figure = [drops, latency][main]
    else { return nil }
    let also = better.first { $0 != main }.flatMap { [drops, latency][$0] }
    return Item(
      conditions: tried.conditions, figure: figure, also: also,
      isDecided: [figure, also].contains { $0?.change == .better },
      score: shares[0] + (abs(shares[1]) > least[1] ? shares[1] : 0), effort: effort)
  }
}

extension ReplayAdvice.Item {
  var isOfDrops: Bool { figure.name == "droppedRefreshes" }

  /// Whether the attempt changes the given stage.
  func isOf(_ stage: PipelineStage?) -> Bool {
    guard let stage, let scaled = conditions.scales.keys.first else { return false }
    return scaled.rawValue == stage.rawValue
  }

  /// What an engineer can do, and its predicted effect.
  public var sentence: String {
    let parts = [figure, also].compactMap { $0.map(words) }
    return "\(change) \(parts.joined(separator: " and "))"
  }

  private func words(_ figure: Replay.Figure) -> String {
    let (gain, error) = (-(figure.gain ?? 0), figure.modelError)
    if figure.name == "droppedRefreshes" {
      let count = { (value: Double) in FixedNumber.text(value, decimals: 0) }
      return
        "\(isSeveral ? "remove" : "removes") \(count(gain)) of \(count(figure.recorded)) dropped refreshes (model error \(count(error)))"
    }
    let name =
      figure.name.hasPrefix("mean(touch")
      ? "touch-to-photon" : "the time from the app's start to the display"
    let text = { (value: Double) in FixedNumber.text(value, decimals: 1) }
    return
      "\(isSeveral ? "take" : "takes") \(text(gain)) ms off \(name), mean \(text(figure.recorded)) ms (model error \(text(error)) ms)"
  }

  /// Whether the change is named by a plural noun.
  private var isSeveral: Bool { conditions.buffers != nil && conditions.scales.isEmpty }

  private var change: String {
    let names: [ReplayConditions.Stage: String] = [
      .app: "the app stage", .compositor: "the compositor stage", .gpu: "the GPU stage",
    ]
    if let (stage, scale) = conditions.scales.first {
      return
        "\(names[stage] ?? "") at \(scale) of its time"
    }
    if conditions.lowLatency == true { return "low latency" }
    if let renderAhead = conditions.renderAhead {
      return "working on \(renderAhead == 1 ? "one frame" : "\(renderAhead) frames") at a time"
    }
    if let buffers = conditions.buffers { return "\(buffers) buffers" }
    if conditions.presentMode == .mailbox { return "present mode mailbox" }
    return conditions.words.joined(separator: ", ")
  }
}

extension ReplayRecording {
  /// A change that an engineer could make, with its size: the share of a stage's time that must be
  /// saved; settings count as a fifth.
  struct Attempt: Sendable {
    let conditions: ReplayConditions
    let effort: Double
  }

  /// The single changes that an engineer could make and this recording can evaluate. The sizes of each change are in
  /// ascending order.
  var changes: [[Attempt]] {
    var all: [[Attempt]] = []
    func make(_ effort: Double, _ change: (inout ReplayConditions) -> Void) -> Attempt {
      var conditions = ReplayConditions()
      change(&conditions)
      return Attempt(conditions: conditions, effort: effort)
    }
    func add(_ change: (inout ReplayConditions) -> Void) { all.append([make(0.2, change)]) }
    // What such a source calls app work may have been a wait for the GPU.
    let hidesWaits =
      rebuilt.timeline.stages.evidence.derivesStarts && !stages.contains(.gpu)
    for stage in ReplayConditions.Stage.allCases
    where stages.contains(stage) && !(stage == .app && hidesWaits) {
      all.append([0.8, 0.65, 0.5].map { scale in make(1 - scale) { $0.scales = [stage: scale] } })
    }
    if simulator.chain == .compositor, !simulator.isLowLatency { add { $0.lowLatency = true } }
    add { $0.buffers = simulator.buffers + 1 }
    if simulator.buffers > 2 { add { $0.buffers = simulator.buffers - 1 } }
    if simulator.chain != .compositor {
      if simulator.isInOrder { add { $0.presentMode = .mailbox } }
      if stages.contains(.gpu) { add { $0.renderAhead = 1 } }
    }
    return all
  }
}

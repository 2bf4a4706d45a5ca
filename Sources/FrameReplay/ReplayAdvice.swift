import FrameAnalysis
import FrameTrace
import FrameVerdicts

/// What would help most: single changes, each played, the best first.
public struct ReplayAdvice: Sendable {
  /// A change, and what it does to what people feel.
  public struct Item: Sendable {
    /// The change.
    public let conditions: ReplayConditions
    /// The figure that it makes better by the larger share: dropped refreshes, or latency.
    public let figure: Replay.Figure
    /// The other one, where it makes that better, too.
    public let also: Replay.Figure?
    /// Whether it is better by more than the model's error.
    public let isDecided: Bool
    /// How much better it is felt: the share of dropped refreshes that goes, and that of latency.
    let score: Double
    /// How large the change is: the share of a stage's time that has to go.
    let effort: Double

    /// The gain in the figure's unit; positive.
    public var gain: Double { -(figure.gain ?? 0) }
  }

  /// The recording played again as it was.
  public let replay: Replay
  /// Changes that make something better, the best first, those that the model cannot decide last; none where the model
  /// does not explain the recording.
  public let items: [Item]

  /// The figures that say how long it takes until something is seen, the best first: means, as a median moves by a whole
  /// refresh where half of the frames are one refresh later than the others.
  private static let latencies = ["mean(touchToPhoton)", "mean(displayLatency)"]
  /// Of two sizes of a change the smaller is enough where it does this share of what the larger does.
  private static let enough = 0.8
  /// Changes whose scores differ by less are as good.
  private static let close = 0.1

  /// Tries the changes that the recording can show anything about.
  public init(_ replayer: Replayer) throws(ReplayRefusal) {
    replay = try replayer.replay(ReplayConditions())
    var items: [Item] = []
    let changes = replay.isExplained ? replayer.recording.changes : []
    for sizes in changes {
      let tried = sizes.compactMap { size in
        (try? replayer.replay(size.conditions)).flatMap { Self.item($0, effort: size.effort) }
      }
      // What the model can decide goes before what it cannot.
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

  /// The best first; of those as good the stage that most dropped refreshes are charged to, then the smallest change.
  private static func ranked(_ items: [Item], charged: PipelineStage?) -> [Item] {
    var rest = items
    var ranked: [Item] = []
    while !rest.isEmpty {
      let isAnyDecided = rest.contains(where: \.isDecided)
      let best = rest.filter { $0.isDecided == isAnyDecided }.map(\.score).max() ?? 0
      let near = rest.indices.filter {
        rest[$0].isDecided == isAnyDecided && rest[$0].score > best - close
      }
      let order = { (place: Int) in
        (rest[place].isOf(charged) ? 0 : 1, rest[place].effort, -rest[place].score)
      }
      guard let place = near.min(by: { order($0) < order($1) }) else { break }
      ranked.append(rest.remove(at: place))
    }
    return ranked
  }

  /// What a change makes better of dropped refreshes and of latency; `nil` where it makes one of them worse, or nothing
  /// better.
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

  /// Whether it is a change of the stage.
  func isOf(_ stage: PipelineStage?) -> Bool {
    guard let stage, let scaled = conditions.scales.keys.first else { return false }
    return scaled.rawValue == stage.rawValue
  }

  /// What an engineer can do, and what it would do.
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

  /// Whether the change is named by a plural.
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
  /// A change that an engineer could make, and how large it is: the share of a stage's time that has to go, and of a
  /// setting as much as a fifth of that.
  struct Attempt {
    let conditions: ReplayConditions
    let effort: Double
  }

  /// The single changes that an engineer could make, and that this recording can tell of: of each the smaller ones
  /// first.
  var changes: [[Attempt]] {
    var all: [[Attempt]] = []
    func make(_ effort: Double, _ change: (inout ReplayConditions) -> Void) -> Attempt {
      var conditions = ReplayConditions()
      change(&conditions)
      return Attempt(conditions: conditions, effort: effort)
    }
    func add(_ change: (inout ReplayConditions) -> Void) { all.append([make(0.2, change)]) }
    for stage in ReplayConditions.Stage.allCases where stages.contains(stage) {
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

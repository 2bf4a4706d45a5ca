/// What would help most: single changes, each played, the best first.
public struct ReplayAdvice: Sendable {
  /// A change, and what it does to the figure that it helps.
  public struct Item: Sendable {
    public let conditions: ReplayConditions
    /// The figure that it makes better: dropped refreshes, else latency.
    public let figure: Replay.Figure
    /// Whether it is better by more than the model's error.
    public let isDecided: Bool

    /// The gain in the figure's unit; positive.
    public var gain: Double { -(figure.gain ?? 0) }
  }

  public let replay: Replay
  /// Changes that make something better, the best first, those that the model cannot decide last; none where the model
  /// does not explain the recording.
  public let items: [Item]

  /// The figures that say how long it takes until something is seen, the best first.
  private static let latencies = ["p50(touchToPhoton)", "p50(displayLatency)"]

  public init(_ replayer: Replayer) throws(ReplayRefusal) {
    replay = try replayer.replay(ReplayConditions())
    var items: [Item] = []
    let changes = replay.isExplained ? replayer.recording.changes : []
    for alternatives in changes {
      // A smaller change that helps is worth more than a larger one.
      for conditions in alternatives {
        let found = (try? replayer.replay(conditions)).map(Self.items) ?? []
        items += found
        if found.contains(where: \.isDecided) { break }
      }
    }
    self.items = items.sorted { one, other in
      let rank = { (item: Item) in (item.isDecided ? 0 : 1, item.isOfDrops ? 0 : 1) }
      return rank(one) != rank(other) ? rank(one) < rank(other) : one.gain > other.gain
    }
  }

  /// What a change makes better: of dropped refreshes and of latency, where it makes the other no worse. Latency is
  /// better from where a comparison would call it so.
  private static func items(_ tried: Replay) -> [Item] {
    let drops = tried.figure("droppedRefreshes")
    let latency = latencies.lazy.compactMap(tried.figure).first
    var items: [Item] = []
    if let drops, let gain = drops.gain, gain < 0 {
      items.append(
        Item(conditions: tried.conditions, figure: drops, isDecided: drops.change == .better))
    }
    if let latency, let gain = latency.gain, drops?.change != .worse,
      -gain >= ComparisonConstants.latencyThreshold * latency.recorded
    {
      items.append(
        Item(conditions: tried.conditions, figure: latency, isDecided: latency.change == .better))
    }
    return items
  }
}

extension ReplayAdvice.Item {
  var isOfDrops: Bool { figure.name == "droppedRefreshes" }

  /// What an engineer can do, and what it would do.
  public var sentence: String {
    let error = figure.modelError
    if isOfDrops {
      let count = { (value: Double) in FixedNumber.text(value, decimals: 0) }
      return
        "\(change) \(isSeveral ? "remove" : "removes") \(count(gain)) of \(count(figure.recorded)) dropped refreshes (model error \(count(error)))"
    }
    let name =
      figure.name.hasPrefix("p50(touch")
      ? "touch-to-photon" : "the time from the app's start to the display"
    let text = { (value: Double) in FixedNumber.text(value, decimals: 1) }
    return
      "\(change) \(isSeveral ? "take" : "takes") \(text(gain)) ms off \(name), p50 \(text(figure.recorded)) ms (model error \(text(error)) ms)"
  }

  /// Whether the change is named by a plural.
  private var isSeveral: Bool { conditions.buffers != nil && conditions.scales.isEmpty }

  private var change: String {
    let names: [ReplayConditions.Stage: String] = [
      .app: "the app stage", .compositor: "the compositor stage", .gpu: "the GPU stage",
    ]
    if let (stage, scale) = conditions.scales.first {
      return "\(names[stage] ?? "") at \(FixedNumber.text(scale, decimals: 1)) of its time"
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
  /// The single changes that an engineer could make, and that this recording can tell of: of each the smaller ones
  /// first.
  var changes: [[ReplayConditions]] {
    var all: [[ReplayConditions]] = []
    func make(_ change: (inout ReplayConditions) -> Void) -> ReplayConditions {
      var conditions = ReplayConditions()
      change(&conditions)
      return conditions
    }
    func add(_ change: (inout ReplayConditions) -> Void) { all.append([make(change)]) }
    for stage in ReplayConditions.Stage.allCases where stages.contains(stage) {
      all.append([0.8, 0.5].map { scale in make { $0.scales = [stage: scale] } })
    }
    if simulator.chain == .compositor, !simulator.isLowLatency { add { $0.lowLatency = true } }
    add { $0.buffers = simulator.buffers + 1 }
    if simulator.buffers > 2 { add { $0.buffers = simulator.buffers - 1 } }
    if simulator.chain != .compositor {
      if case .fifo = simulator.display { add { $0.presentMode = .mailbox } }
      if stages.contains(.gpu) { add { $0.renderAhead = 1 } }
    }
    return all
  }
}

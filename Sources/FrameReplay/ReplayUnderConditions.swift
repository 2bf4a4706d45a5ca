import FrameAnalysis
import FrameStatistics
import FrameTrace

extension ReplayRecording {
  /// The pipeline and the work under conditions, most likely first: the recording does not show everything that matters
  /// under other conditions.
  /// - Throws: If the recording lacks data that a condition needs, or the condition does not apply
  ///   to the pipeline.
  func under(
    _ conditions: ReplayConditions
  ) throws(ReplayRefusal) -> [(simulator: ReplaySimulator, work: [ReplayedWork])] {
    try check(conditions)
    let isNewest = conditions.presentMode == .mailbox && simulator.isInOrder
    // Wayland and game drivers have more images for this mode than for frames in order. If a swap chain keeps its
    // number of images, the app waits for an image. The recording does not show which case applies.
    if isNewest, conditions.renderAhead == nil, simulator.chain == .free {
      return [false, true].map { under(conditions, ownsImages: $0) }
    }
    let way = under(conditions, ownsImages: false)
    // A limit that is not a whole number of refreshes may apply on average or to every frame.
    guard let cap = conditions.cap?.count, simulator.chain != .free,
      !simulator.startsAtRecordedTimes,
      !FramePace.isWhole(cap, of: way.simulator.refreshes.interval(after: 0))
    else { return [way] }
    var other = way
    other.simulator.capRule = .byEveryFrame
    return [way, other]
  }

  private func under(
    _ conditions: ReplayConditions, ownsImages: Bool
  ) -> (simulator: ReplaySimulator, work: [ReplayedWork]) {
    var changed = simulator
    if let buffers = conditions.buffers { changed.buffers = buffers }
    if let lowLatency = conditions.lowLatency { changed.isLowLatency = lowLatency }
    if let renderAhead = conditions.renderAhead { changed.renderAhead = renderAhead }
    changed.cap = conditions.cap?.count
    switch conditions.presentMode {
    case .fifo:
      changed.display = .fifo
      // If frames must be ready this long before a refresh, calls waiting for their turn are
      // unblocked at that time.
      if case .mailbox = simulator.display, simulator.chain == .free,
        simulator.latch * 16 > schedule.grid.interval.count
      {
        changed.callback = simulator.callback(every: schedule.grid.interval.count)
      }
    case .mailbox:
      // One buffer is on the display, and the app can draw into the others.
      if case .fifo = simulator.display, changed.renderAhead == nil, !ownsImages {
        changed.renderAhead = max(1, changed.buffers - 1)
      }
      if simulator.isInOrder { changed.ownsImages = ownsImages }
      (changed.display, changed.callback) = (.mailbox, nil)
    case .immediate:
      if changed.renderAhead == nil { changed.renderAhead = max(1, changed.buffers - 1) }
      (changed.display, changed.callback) = (.immediate, nil)
    case nil:
      // An app is never further ahead of its GPU than its number of buffers, however long the GPU takes.
      if changed.isMailbox, !changed.ownsImages, changed.renderAhead == nil {
        changed.renderAhead = changed.buffers
      }
    }
    var work = self.work
    if !conditions.scales.isEmpty || !conditions.defers.isEmpty {
      let change = WorkChange(conditions)
      for position in work.indices { change.apply(to: &work[position]) }
    }
    if conditions.presentMode != nil, !changed.isInOrder, case .fifo = simulator.display {
      // A frame that came early in order, such as the first one of a window, would hide newer ones.
      for position in work.indices {
        work[position].shownLater = max(work[position].shownLater, simulator.usualDelay)
        work[position].isNeverShown = false
      }
    }
    if let isOn = conditions.syncsLayers { synchronize(&work, isOn) }
    switch conditions.refresh {
    case .variable(let shortest, let longest):
      let recorded = rebuilt.refreshes.scanOutInterval ?? schedule.grid.interval
      changed.display = .variable(
        shortest: (shortest ?? recorded).count, longest: longest?.count)
    case .fixed(let interval)
    where simulator.refreshes.keep(interval.count) && !schedule.isVariable:
      // The recorded rate means exactly the recorded refreshes.
      break
    case .fixed(let interval):
      if case .variable = changed.display { changed.display = .fifo }
      changed.refreshes = move(&work, to: interval.count)
      // Calls are unblocked at the same time before a refresh.
      changed.callback = changed.callback.map { _ in changed.callback(every: interval.count) }
    case nil: break
    }
    return (changed, work)
  }

  /// Moves work that is started by refreshes to refreshes of another rate. Work at consecutive refreshes stays
  /// consecutive; later work moves to the first refresh at or after its time. Work that started at other times keeps
  /// its start times.
  private func move(_ work: inout [ReplayedWork], to interval: Int64) -> ReplayRefreshes {
    guard let first = work.first else { return simulator.refreshes }
    let old = simulator.refreshes
    let new = ReplayRefreshes(
      from: old.time(first.demand), every: interval, numberedFrom: first.demand)
    let firstAfter = { (refresh: Int64) in new.first(old.time(refresh) - interval / 16) }
    var before = first.demand
    for position in work.indices {
      work[position].soonest = work[position].soonest.map(firstAfter)
      let demand = work[position].demand
      if simulator.startsAtRecordedTimes {
        let start = old.time(demand) + work[position].offset
        work[position].demand = new.last(start)
        work[position].offset = start - new.time(work[position].demand)
      } else if position > 0 {
        let last = work[position - 1].demand
        work[position].demand = max(last, demand - before == 1 ? last + 1 : firstAfter(demand))
      }
      before = demand
    }
    return new
  }

  /// The number of frames that fill the time of the recording, if an app that starts itself needs less than half of
  /// that time for the recorded frames. In that case, too few frames would be shown to judge the result. Otherwise,
  /// `nil`.
  func countThatFills(
    _ recorded: [ReplayedFrame], _ predicted: [ReplayedFrame], _ work: [ReplayedWork]
  ) -> Int? {
    guard simulator.chain == .free, !work.indices.contains(where: { work[$0].soonest != nil }),
      let length = Self.length(recorded), let own = Self.length(predicted), own * 2 < length
    else { return nil }
    let count = (Double(work.count) * Double(length) / Double(max(1, own))).rounded()
    let limited = Int(min(count, Double(Self.mostFilled)))
    return limited > work.count ? limited : nil
  }

  /// Repeats work, without its first tenth, because a window is created only once.
  func filled(_ work: [ReplayedWork], to count: Int) -> [ReplayedWork] {
    let again = work.dropFirst(work.count / 10)
    return work
      + (0..<count - work.count).map { again[again.startIndex + $0 % again.count] }
  }

  /// The time from the start of the first frame to the start of the last frame, in nanoseconds.
  private static func length(_ frames: [ReplayedFrame]) -> Int64? {
    frames.first.flatMap { first in frames.last.map { $0.appStart - first.appStart } }
  }

  /// The maximum number of repeated frames: more frames need memory and add no information.
  private static let mostFilled = 500_000

  /// An upper bound; no touch sensor scans this often.
  private static let mostScans: Int64 = 10_000_000

  private func check(_ conditions: ReplayConditions) throws(ReplayRefusal) {
    if case .variable = conditions.refresh {
      if let mode = conditions.presentMode {
        throw ReplayRefusal(
          message:
            "a variable-refresh display shows each frame as it comes, so present mode \(mode.rawValue) has no effect"
        )
      }
      if conditions.syncsLayers != nil {
        throw ReplayRefusal(
          message: "layers in sync cannot be replayed on a variable-refresh display")
      }
    }
    if conditions.presentMode == .immediate, simulator.chain != .free {
      throw ReplayRefusal(
        message:
          "present mode immediate needs an app that starts itself and presents to the display directly; here \(simulator.chain == .compositor ? "the compositor draws" : "refreshes start the app")"
      )
    }
    for stage in ReplayConditions.Stage.allCases
    where conditions.scales[stage] != nil || conditions.defers[stage] != nil {
      guard stages.contains(stage) else {
        throw ReplayRefusal(
          message: "the trace has no times of the \(stage.rawValue) stage, so it cannot be changed")
      }
    }
    if conditions.lowLatency != nil {
      guard simulator.chain == .compositor else {
        throw ReplayRefusal(
          message:
            "low latency is a mode of a compositor that draws what apps commit; here the app draws")
      }
      guard stages.contains(.compositor) else {
        throw ReplayRefusal(
          message: "the trace does not show when the compositor worked, which low latency changes")
      }
    }
    if conditions.presentMode != nil || conditions.renderAhead != nil,
      simulator.chain == .compositor
    {
      throw ReplayRefusal(
        message:
          "present modes and render-ahead need an app that draws into its buffers; here the compositor draws"
      )
    }
    if conditions.renderAhead != nil, !stages.contains(.gpu) {
      throw ReplayRefusal(
        message: "the trace does not show when the GPU worked, which render-ahead waits for")
    }
    if conditions.scanInterval != nil || conditions.prediction != nil, !knowsPhotons {
      throw ReplayRefusal(message: "the trace has no touches with known photon times")
    }
    if let interval = conditions.scanInterval?.count, interval > 0 {
      guard touchLength.count / interval < Self.mostScans else {
        throw ReplayRefusal(message: "that touch rate gives \(Self.mostScans) touches or more")
      }
    }
    if conditions.syncsLayers != nil {
      guard trace.layers.count > 0 else {
        throw ReplayRefusal(
          message: "the trace does not show which content belongs to one transaction")
      }
      guard !partners.isEmpty else {
        throw ReplayRefusal(
          message:
            "this surface has no GPU content that could be shown with the compositor's; choose another with --surface"
        )
      }
    }
    if case .fixed = conditions.refresh, schedule.isVariable, simulator.chain != .free {
      throw ReplayRefusal(
        message:
          "on a variable-refresh display, the trace does not show which refreshes started the app")
    }
  }

  /// For frames of GPU content, by row, the refresh at which the compositor's content of the same
  /// transaction was shown.
  private var partners: [Int: Int64] {
    let layers = trace.layers
    var compositor: [Int64: Int64] = [:]
    var own: [(transaction: Int64, row: Int)] = []
    for row in 0..<layers.count {
      guard let transaction = layers[row, .transaction],
        let surface = layers[row, .surface].map(Int.init),
        let frame = layers[row, .frame].map(Int.init)
      else { continue }
      if layers[row, .content] == LayerColumn.Content.gpu.rawValue {
        if surface == index { own.append((transaction, frame)) }
      } else if pipeline.surfaces.indices.contains(surface) {
        let shown = pipeline.surfaces[surface].timeline.schedule.shownRefresh(frame)
        if let shown { compositor[transaction] = shown.number }
      }
    }
    var partners: [Int: Int64] = [:]
    for (transaction, row) in own { partners[row] = compositor[transaction] }
    return partners
  }

  /// Makes GPU content wait for the compositor's content of the same transaction, which keeps its recorded time, or
  /// removes this wait.
  private func synchronize(_ work: inout [ReplayedWork], _ isOn: Bool) {
    let partners = partners
    for position in work.indices {
      guard let shown = partners[work[position].row] else { continue }
      work[position].shownLater = 0
      if isOn { work[position].soonest = shown }
    }
  }

  /// The recorded pipeline, in words.
  var words: [String] {
    var words: [String] = []
    switch simulator.chain {
    case .compositor: words.append(simulator.isLowLatency ? "low latency" : "classic")
    case .app(let isComposited):
      words.append(isComposited ? "drawn by the app, composited" : "drawn by the app")
    case .free: words.append("an app that starts itself")
    }
    switch simulator.display {
    case .fifo where simulator.chain != .compositor: words.append("present mode fifo (inferred)")
    case .fifo: break
    case .mailbox: words.append("present mode mailbox (inferred)")
    case .immediate: words.append("present mode immediate")
    case .variable: words.append("variable refresh")
    }
    if simulator.callback != nil { words.append("calls return once per refresh (inferred)") }
    words.append("\(simulator.buffers) buffers (inferred)")
    if simulator.waitsInside { words.append("buffer waits as recorded") }
    if simulator.ownsImages { words.append("no extra image for the newest frame") }
    if simulator.capRule == .byEveryFrame { words.append("frame rate limit kept at every frame") }
    if schedule.hasInterval, !schedule.isVariable {
      words.append(
        "\(FixedNumber.text(1000 / schedule.grid.interval.milliseconds, decimals: 2)) Hz")
    }
    return words
  }

  /// Notes that a reader of a prediction needs.
  /// - Parameter reproduction: The replay as recorded.
  func notes(_ conditions: ReplayConditions, _ reproduction: [ReplayedFrame]) -> [String] {
    var notes: [String] = []
    if let buffers = conditions.buffers, buffers > simulator.buffers {
      var more = simulator
      more.buffers = buffers
      let isFull = zip(reproduction, more.play(work)).contains {
        $0.displayed != $1.displayed || $0.appStart != $1.appStart
      }
      if !isFull {
        notes.append(
          "the queue was never full: nothing waited for a buffer, so the recording does not show what more than \(simulator.buffers) would do"
        )
      }
    }
    if case .variable(nil, _) = conditions.refresh {
      let fastest = rebuilt.refreshes.scanOutInterval ?? schedule.grid.interval
      notes.append(
        "no range was given: assumes a display of up to \(FixedNumber.text(1000 / fastest.milliseconds, decimals: 1)) Hz, as recorded, and no slowest rate; --refresh 48-144 sets a range"
      )
    }
    if case .fixed(let interval) = conditions.refresh, !schedule.isVariable,
      simulator.refreshes.keep(interval.count)
    {
      notes.append("the display was recorded at that rate, so its refreshes are the recorded ones")
    } else if conditions.refresh != nil, simulator.chain != .free,
      !simulator.startsAtRecordedTimes
    {
      notes.append(
        "the same frames are drawn: work for consecutive refreshes stays consecutive at the new rate"
      )
    }
    if simulator.chain == .free, rebuilt.timeline.stages.evidence.derivesStarts {
      notes.append(
        "the source takes the end of a frame for the start of the next, so a limiter's sleep is replayed as the app's work"
      )
    }
    if !stages.contains(.gpu), conditions.buffers != nil || conditions.presentMode != nil {
      notes.append(
        "the trace does not show when the GPU worked: its work is replayed as a constant wait"
      )
    }
    return notes
  }

  /// Notes on the limits of the model.
  var limits: [String] {
    var notes: [String] = []
    if heldBack > 0 {
      notes.append(
        "\(heldBack.frames) came later than anything in the trace explains; the replay keeps that delay"
      )
    }
    if simulator.chain == .free, case .mailbox = simulator.display, outcomes.dropped == 0 {
      notes.append(
        "no frame was replaced, and waits for buffers fit the recording less well: the app's waits are replayed as its work"
      )
    }
    if simulator.chain == .free, case .fifo = simulator.display, simulator.callback == nil,
      RankSelection.select([work.count / 2], of: work.indices.map { work[$0].call })[0] * 4
        > schedule.grid.interval.count
    {
      notes.append(
        "present calls wait for something other than a refresh or a free buffer: the waits are replayed as the app's work, so other buffers and present modes would change more than predicted"
      )
    }
    if simulator.startsAtRecordedTimes {
      notes.append(
        "the trace does not show when the app started: commits are replayed at their recorded times or later"
      )
    }
    if generated > 0 {
      notes.append(
        "\(generated.frames) generated by a driver: left out, as are dropped refreshes and hitches, because those frames filled refreshes"
      )
    }
    return notes
  }
}

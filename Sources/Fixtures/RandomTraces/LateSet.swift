package import FrameKit

/// A random chain that runs at a lower rate than its display, and the same chain with some late frames. Playing both
/// shows which refreshes are dropped.
package struct LateSet: Sendable {
  /// A late frame: the stage that takes longer, and the excess in refreshes.
  package struct Late: Hashable, Sendable {
    package let stage: PipelineStage
    package let refreshes: Int64

    package init(_ stage: PipelineStage, _ refreshes: Int64) {
      (self.stage, self.refreshes) = (stage, refreshes)
    }
  }

  /// The kind of chain, and the recorded data.
  package enum Kind: String, CaseIterable, Sendable {
    /// The app fills the buffers and starts at multiples of the interval; frames finish away from a refresh.
    case steady
    /// Like `steady`, at any rate and therefore at any phase.
    case uniform
    /// Like `steady`, but frames finish at a refresh, so that jitter decides at which refresh they are shown.
    case straddle
    /// Like `steady`, with only the app's start, its hand-over and the display recorded.
    case minimal
    /// A compositor drives, and the app starts at every second or third refresh.
    case tick
    /// Like `tick`, at a fixed fraction of an interval after the refresh.
    case phase
    /// A compositor drives, and the app starts at any lower rate.
    case anyRate
    /// Only display times are known.
    case displayed
    /// The rate is stated, and the app may work up to its deadline.
    case stated
    /// A driver shows a generated frame between every two frames.
    case generated

    /// Whether the app draws into the buffers.
    var isFilledByApp: Bool { ![.tick, .phase, .anyRate].contains(self) }
    /// The stages that can make a frame late.
    package var stages: [PipelineStage] {
      switch self {
      case .tick, .phase, .anyRate: [.app, .compositor, .gpu, .display]
      case .displayed: [.display]
      case .generated: [.app, .gpu]
      default: [.app, .gpu, .display]
      }
    }
  }

  package let kind: Kind
  /// The time between refreshes, in nanoseconds.
  package let interval: Int64
  package let count: Int
  /// The time from the start of one frame to the start of the next.
  private let step: Int64
  private let starts: [Int64]
  private let app, compositor, gpu: [Int64]
  package let description: String

  package init(_ kind: Kind, seed: UInt64, count: Int = 200) {
    var random = SplitMix64(
      seed: seed &* 0x9E37_79B9_7F4A &+ UInt64(Kind.allCases.firstIndex(of: kind) ?? 0))
    self.kind = kind
    self.count = count
    let intervals: [Int64] = [6_944_444, 8_333_333, 11_111_111, 16_666_667, 17_857_143]
    interval = intervals.randomElement(using: &random) ?? intervals[0]
    let unit = Double(interval)
    let share = { (range: ClosedRange<Double>, random: inout SplitMix64) in
      Double.random(in: range, using: &random)
    }
    let whole = Double(Int.random(in: 2...3, using: &random))
    let rate = [.uniform, .anyRate].contains(kind) ? share(1.55...4, &random) : whole
    step = Int64(rate * unit)
    let work = (app: share(0.1...0.4, &random), gpu: share(0.05...0.3, &random))
    let noise = share(0...0.05, &random)
    let jitter = kind == .tick ? 0.02 : share(0...0.2, &random)
    // The fraction of an interval at which the first frame finishes.
    let isDriven = !kind.isFilledByApp
    let length = isDriven ? work.app : work.app + work.gpu
    let finish =
      kind == .straddle ? -jitter / 2 : share(0.15...max(0.16, 0.85 - jitter - noise), &random)
    let start = kind == .tick || kind == .stated ? 0 : finish - length
    starts = (0..<count).map { index in
      let position = 4 + start + share(0...max(jitter, 1e-9), &random)
      return Int64(position * unit) + Int64(Double(index) * rate * unit)
    }
    let lengths = { (usual: Double, random: inout SplitMix64) in
      (0..<count).map { _ in
        Int64((usual + Double.random(in: -noise...noise, using: &random) / 2) * unit)
      }
    }
    app = lengths(max(0.06, work.app), &random)
    compositor = lengths(0.15, &random)
    gpu = lengths(max(0.05, work.gpu), &random)
    description =
      "\(kind.rawValue) \(seed): \(interval) ns, every \(rate) refreshes, jitter \(jitter)"
  }

  /// Random late frames, far enough apart for the chain to catch up between late frames.
  /// - Parameter share: The largest share of frames that are late.
  package func lateFrames(_ share: Double, seed: UInt64) -> [Int: Late] {
    var random = SplitMix64(seed: seed)
    var late: [Int: Late] = [:]
    // A pattern of distances must be visible again between two late frames, and at the end.
    let apart = kind == .displayed ? 12 : 3
    var next = 12
    for index in 12..<count - apart - 1 where Double.random(in: 0..<1, using: &random) < share {
      guard index >= next else { continue }
      next = index + apart
      let stage = kind.stages.randomElement(using: &random) ?? .app
      late[index] = Late(stage, Int.random(in: 0..<4, using: &random) == 0 ? 2 : 1)
    }
    return late
  }

  /// Sets of frames that are late by one refresh; each set contains the previous set.
  package func nestedSets(seed: UInt64, counts: [Int]) -> [[Int: Late]] {
    var random = SplitMix64(seed: seed)
    let stage = kind.stages.randomElement(using: &random) ?? .app
    let frames = (12..<count - 4).shuffled(using: &random)
    return counts.map { count in
      Dictionary(uniqueKeysWithValues: frames.prefix(count).map { ($0, Late(stage, 1)) })
    }
  }

  /// The times of a frame's stages in nanoseconds, and the refresh at which it is displayed.
  struct Frame {
    var start, commit, gpuStart, gpuEnd: Int64
    var composed: ClosedRange<Int64>?
    var display: Int64
  }

  private func refresh(atOrAfter time: Int64) -> Int64 { (time + interval - 1) / interval }

  func frames(_ late: [Int: Late]) -> [Frame] {
    var frames: [Frame] = []
    for index in 0..<count {
      let extra = { (stage: PipelineStage) in
        late[index]?.stage == stage ? (late[index]?.refreshes ?? 0) : 0
      }
      let before = frames.last
      let start = max(starts[index], before?.commit ?? 0)
      let commit = start + app[index] + extra(.app) * interval
      var composed: ClosedRange<Int64>?
      var gpuReady = commit
      if !kind.isFilledByApp {
        let wake = refresh(atOrAfter: max(commit, before?.composed?.upperBound ?? 0)) * interval
        composed = wake...wake + compositor[index] + extra(.compositor) * interval
        gpuReady = composed?.upperBound ?? commit
      }
      let gpuStart = max(gpuReady, before?.gpuEnd ?? 0)
      let gpuEnd = gpuStart + gpu[index] + extra(.gpu) * interval
      let display = max(refresh(atOrAfter: gpuEnd), (before?.display ?? 0) + 1) + extra(.display)
      frames.append(
        Frame(
          start: start, commit: commit, gpuStart: gpuStart, gpuEnd: gpuEnd, composed: composed,
          display: display))
    }
    return frames
  }

  /// The dropped refreshes by definition, with the stage that made the frame late. At a dropped refresh, an older frame
  /// was shown although a frame was due, that is, would have been shown by then without any late frame.
  package func dropped(_ late: [Int: Late]) -> [Int64: PipelineStage] {
    let (clean, frames) = (frames([:]), frames(late))
    var dropped: [Int64: PipelineStage] = [:]
    var stage = PipelineStage.unknown
    for index in 1..<count {
      stage = late[index]?.stage ?? stage
      let before = generated(frames, before: index) ?? frames[index - 1].display
      let first = max(clean[index].display, before + 1)
      for refresh in first..<max(first, frames[index].display) { dropped[refresh] = stage }
    }
    return dropped
  }

  /// The refresh at which a driver shows a generated frame before another frame; `nil` if it shows
  /// none.
  private func generated(_ frames: [Frame], before index: Int) -> Int64? {
    let (first, last) = (frames[index - 1].display, frames[index].display)
    return kind == .generated && last - first > 1 ? first + (last - first) / 2 : nil
  }

  /// The refreshes of ``dropped(_:)`` that may not be found. At each, the first drop belongs to a frame that usually
  /// finishes so close to a refresh that jitter decides at which refresh it is shown.
  package func doubtful(_ late: [Int: Late]) -> Set<Int64> {
    let (clean, frames) = (frames([:]), frames(late))
    var doubtful: Set<Int64> = []
    for (index, frame) in zip(clean.indices, clean) where kind != .displayed && kind != .stated {
      let rest = (kind.isFilledByApp ? frame.gpuEnd : frame.commit) % interval
      guard min(rest, interval - rest) * 8 < interval else { continue }
      doubtful.insert(max(frame.display, (index > 0 ? frames[index - 1].display : 0) + 1))
    }
    return doubtful
  }
}

extension LateSet {
  /// How a trace is written.
  package struct Writing: Sendable {
    package var recordsRefreshes = true
    package var statesInterval = true
    /// How much later all times of the app and the GPU are relative to the refreshes, in
    /// nanoseconds.
    package var shift: Int64 = 0
    /// Whether the rate is stated.
    package var statesTarget = false
    /// The frames that are written; `nil` for all.
    package var part: Range<Int>?
    /// A pause: the frame after it, and its length in refreshes; `nil` for none.
    package var pause: (before: Int, refreshes: Int64)?
    /// The factor by which all times are longer.
    package var scale = (numerator: Int64(1), denominator: Int64(1))

    package init() {}

    func scaled(_ time: Int64) -> Int64 { time * scale.numerator / scale.denominator }
  }

  /// The trace that a recorder would have written, in the native format.
  package func bytes(_ late: [Int: Late], _ writing: Writing = Writing()) -> [UInt8] {
    let frames = frames(late)
    let rows = writing.part ?? 0..<count
    var lines = [#"{"schema": "frametool.trace/1", "unit": "ns"}"#]
    let interval = writing.scaled(interval)
    let stated = writing.statesInterval ? #", "interval": \#(interval)"# : ""
    lines.append(#"{"type": "display", "id": "d"\#(stated)}"#)
    let owner = kind.isFilledByApp ? "app" : "compositor"
    let hasTarget = writing.statesTarget || kind == .stated
    let aim = hasTarget ? #", "targetInterval": \#(writing.scaled(step))"# : ""
    lines.append(
      #"{"type": "surface", "id": "w", "display": "d", "bufferOwner": "\#(owner)"\#(aim)}"#)
    let paused = writing.pause?.refreshes ?? 0
    if writing.recordsRefreshes {
      for number in 0...(frames[count - 1].display + 2 + paused) {
        lines.append(
          #"{"type": "refresh", "display": "d", "number": \#(number), "time": \#(writing.scaled(number * self.interval))}"#
        )
      }
    }
    for index in rows {
      let later = writing.pause.map { index >= $0.before ? $0.refreshes : 0 } ?? 0
      if index > rows.lowerBound, let refresh = generated(frames, before: index) {
        lines.append(
          #"{"type": "frame", "kind": "generated", "displayed": \#(writing.scaled((refresh + later) * self.interval))}"#
        )
      }
      lines.append(line(frames[index], writing, later: later * self.interval))
    }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  private func line(_ frame: Frame, _ writing: Writing, later: Int64) -> String {
    var times = [("displayed", frame.display * interval)]
    let work = [("appStart", frame.start), ("commit", frame.commit), ("appEnd", frame.commit)]
    let gpu = [("gpuStart", frame.gpuStart), ("gpuEnd", frame.gpuEnd), ("queued", frame.gpuEnd)]
    switch kind {
    case .displayed: break
    case .minimal: times += work.map { ($0, $1 + writing.shift) }
    default: times += (work + gpu).map { ($0, $1 + writing.shift) }
    }
    if let composed = frame.composed {
      times += [("compositorStart", composed.lowerBound), ("compositorEnd", composed.upperBound)]
    }
    let fields = times.map { "\"\($0)\": \(writing.scaled($1 + later))" }
    return #"{"type": "frame", \#(fields.joined(separator: ", "))}"#
  }
}

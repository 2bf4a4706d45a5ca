import FrameKit

/// A random game as recorded by PresentMon: capped by a limiter at one of the usual points, or too slow. PresentMon
/// uses the return of one present call as the start of the next frame.
package struct CappedGame: Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// The limiter waits in the present call.
    case capInPresent
    /// The limiter sleeps before the game works, and the sleep counts as work.
    case capInBusy
    /// The present call requests two refreshes.
    case syncInterval
    /// The CPU takes 1.1 to 1.9 intervals, and the present call waits for the display.
    case overloadCPU
    /// The GPU takes 1.15 to 1.9 intervals, and the present call waits for the display.
    case overloadGPU
    /// The CPU takes a little more than an interval.
    case nearInterval
    /// The CPU takes 1.1 to 1.6 intervals, and the present call does not wait.
    case uncappedOver

    /// Whether every refresh that repeats a frame counts as dropped.
    package var isOverloaded: Bool {
      [.overloadCPU, .overloadGPU, .nearInterval, .uncappedOver].contains(self)
    }
  }

  package private(set) var kind: Kind
  package let interval: Int64
  package let count: Int
  package let description: String
  private let step: Int64
  private let busy, gpu: [Int64]

  package init(_ kind: Kind, seed: UInt64, count: Int = 200) {
    var random = SplitMix64(seed: seed &* 77_977 &+ UInt64(Kind.allCases.firstIndex(of: kind) ?? 0))
    (self.kind, self.count) = (kind, count)
    let intervals: [Int64] = [6_944_444, 8_333_333, 11_111_111, 16_666_667, 17_857_143]
    interval = intervals.randomElement(using: &random) ?? intervals[0]
    let unit = Double(interval)
    let rate =
      kind == .syncInterval
      ? 2
      : kind == .capInBusy
        ? Double.random(in: 1.15...3, using: &random)
        : Double.random(in: 1.55...3.5, using: &random)
    step = Int64(rate * unit)
    let light = 0.15...0.4
    let cpuShares: ClosedRange<Double> =
      switch kind {
      case .overloadCPU: 1.1...1.9
      case .nearInterval: 1.02...1.15
      case .uncappedOver: 1.1...1.6
      default: light
      }
    let cpu = Double.random(in: cpuShares, using: &random)
    let load =
      kind == .overloadGPU
      ? Double.random(in: 1.15...1.9, using: &random) : Double.random(in: light, using: &random)
    let spread = kind.isOverloaded ? 0.12 : 0.03
    let lengths = { (usual: Double, random: inout SplitMix64) in
      (0..<count).map { _ in
        Int64(usual * unit * (1 + Double.random(in: -spread...spread, using: &random)))
      }
    }
    busy = lengths(cpu, &random)
    gpu = lengths(load, &random)
    description =
      "\(kind.rawValue) \(seed): \(interval) ns, every \(rate) refreshes, CPU \(cpu), GPU \(load)"
  }

  /// The same game with the same rate limit at another point.
  package func moved(to kind: Kind) -> CappedGame {
    var moved = self
    moved.kind = kind
    return moved
  }

  /// The minimum number of refreshes for which a frame is shown.
  private var least: Int64 { kind == .syncInterval ? 2 : 1 }

  private struct Frame {
    var start, commit, end, gpuStart, gpuEnd, display: Int64
    var finished: Int64 { max(commit, gpuEnd) }
  }

  private func frames(_ late: [Int: Int64]) -> [Frame] {
    var frames: [Frame] = []
    let base = interval * 6 + interval / 3
    for index in 0..<count {
      let before = frames.last
      let start = before?.end ?? base
      let tick = base + Int64(index + 1) * step
      let extra = (late[index] ?? 0) * interval
      var work = busy[index] + extra
      // The limiter sleeps until its tick, and then the game works.
      if kind == .capInBusy { work += max(0, tick - step - start) }
      let commit = start + work
      let gpuStart = max(commit - busy[index] / 2, before?.gpuEnd ?? 0)
      let gpuEnd = gpuStart + gpu[index]
      let finished = max(commit, gpuEnd)
      let display = max(
        (finished + interval - 1) / interval, (before?.display ?? 0) + least)
      let call = commit + 60_000
      let end: Int64 =
        switch kind {
        case .capInPresent: max(call, tick)
        case .capInBusy, .uncappedOver: call
        case .syncInterval, .overloadCPU, .overloadGPU, .nearInterval:
          max(call, (before?.display ?? 0) * interval + 30_000)
        }
      frames.append(
        Frame(
          start: start, commit: commit, end: end, gpuStart: gpuStart, gpuEnd: gpuEnd,
          display: display))
    }
    return frames
  }

  /// Random late frames, far enough apart not to affect each other.
  package func lateFrames(_ share: Double, seed: UInt64) -> [Int: Int64] {
    guard !kind.isOverloaded else { return [:] }
    var random = SplitMix64(seed: seed)
    var late: [Int: Int64] = [:]
    var next = 12
    for index in 12..<count - 4 where Double.random(in: 0..<1, using: &random) < share {
      guard index >= next else { continue }
      next = index + 6
      // A game that waits for two refreshes has more slack, so its frames must be later.
      late[index] = Int64.random(in: 1...2, using: &random) + (kind == .syncInterval ? 3 : 0)
    }
    return late
  }

  /// The refreshes of ``dropped(_:)`` that may not be found. At each, the first drop belongs to a frame that usually
  /// finishes so close to a refresh that jitter decides at which refresh it is shown.
  package func doubtful(_ late: [Int: Int64]) -> Set<Int64> {
    let (clean, frames) = (frames([:]), frames(late))
    var doubtful: Set<Int64> = []
    for (index, frame) in zip(clean.indices, clean) {
      let rest = frame.finished % interval
      guard min(rest, interval - rest) * 8 < interval else { continue }
      doubtful.insert(max(frame.display, (index > 0 ? frames[index - 1].display : 0) + 1))
    }
    return doubtful
  }

  /// The dropped refreshes: if the game is too slow, all refreshes that repeat a frame; otherwise, the refreshes by
  /// which late frames are late.
  package func dropped(_ late: [Int: Int64]) -> Set<Int64> {
    let (clean, frames) = (frames([:]), frames(late))
    var dropped: Set<Int64> = []
    for index in 1..<count {
      let next = frames[index - 1].display + least
      // A present call that waits for the display never returns to an earlier phase.
      let first =
        kind.isOverloaded || kind == .syncInterval ? next : max(clean[index].display, next)
      for refresh in first..<max(first, frames[index].display) { dropped.insert(refresh) }
    }
    return dropped
  }

  /// The CSV that PresentMon would have written.
  /// - Parameter knowsGPU: Whether the CSV has GPU times.
  package func bytes(_ late: [Int: Int64], knowsGPU: Bool = true) -> [UInt8] {
    var text =
      "Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,FrameType,TimeInMs,MsBetweenPresents,MsBetweenDisplayChange,MsInPresentAPI,MsRenderPresentLatency,MsUntilDisplayed,CPUStartTimeInMs,MsBetweenAppStart,MsCPUBusy,MsCPUWait"
    text += knowsGPU ? ",MsGPULatency,MsGPUTime,MsGPUBusy,MsGPUWait\n" : "\n"
    let frames = frames(late)
    let ms = { (time: Int64) in FixedNumber.text(Nanoseconds(time).milliseconds, decimals: 6) }
    for (index, frame) in frames.enumerated() {
      let before = index > 0 ? frames[index - 1] : frame
      let sync = kind == .syncInterval ? 2 : 1
      var cells = [
        "game.exe,100,0x1,DXGI,\(sync),0,0,Hardware: Independent Flip,Application",
        ms(frame.commit), ms(frame.commit - before.commit),
        index > 0 ? ms((frame.display - before.display) * interval) : "NA",
        ms(frame.end - frame.commit), knowsGPU ? ms(frame.gpuEnd - frame.commit) : "NA",
        ms(frame.display * interval - frame.commit),
        ms(frame.start), ms(frame.end - frame.start), ms(frame.commit - frame.start),
        ms(frame.end - frame.commit),
      ]
      if knowsGPU {
        let busy = ms(frame.gpuEnd - frame.gpuStart)
        cells += [ms(frame.gpuStart - frame.start), busy, busy, "0"]
      }
      text += cells.joined(separator: ",") + "\n"
    }
    return Array(text.utf8)
  }
}

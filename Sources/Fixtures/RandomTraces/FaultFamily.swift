package import FrameKit

/// Families of traces, one for each kind of pipeline, because each kind can be slow in different ways.
package enum FaultFamily: CaseIterable, Sendable {
  /// Compositor and GPU share an interval.
  case double
  /// Compositor and GPU need two intervals.
  case triple
  /// The compositor starts at the commit.
  case lowLatency
  /// Like `lowLatency`, with animations in between.
  case alternating
  /// The app draws into the buffers.
  case filledByApp
  /// Two surfaces share compositor and GPU.
  case twoSurfaces
  /// Like `twoSurfaces`, but the compositor starts at the commit.
  case twoAtOnce
  /// Two buffers, and consecutive slow frames.
  case burst
  /// The compositor releases a buffer late.
  case lateRelease
  /// The app continues after its commit and starts the next frame late.
  case longTail
  /// The app commits just as the compositor wakes.
  case atTheEdge
  /// One stage takes most of the time, so that a slightly longer time makes it late.
  case tight
  /// A slow compositor delays only the next frame.
  case inTheWay
  /// The GPU usually takes much longer than the compositor, which is the slow stage.
  case unlike

  /// The stages that can be slow in the family.
  package var stages: [PipelineStage] {
    switch self {
    case .double, .triple, .lowLatency, .alternating, .filledByApp:
      [.app, .compositor, .gpu, .display]
    case .twoSurfaces, .twoAtOnce: [.compositor, .gpu, .app]
    case .burst: [.gpu, .compositor]
    case .lateRelease, .inTheWay, .unlike: [.compositor]
    case .longTail: [.app]
    case .atTheEdge: [.compositor, .gpu, .display]
    case .tight: [.gpu]
    }
  }

  /// How much longer a slow stage takes, in intervals.
  package func sizes(of stage: PipelineStage) -> ClosedRange<Double> {
    switch self {
    case .burst: 1.2...2.5
    case .lateRelease: 1.5...2.5
    case .longTail: 1.1...1.5
    case .tight: 0.05...0.06
    case .inTheWay: 0.4...0.45
    case .unlike: 0.4...0.5
    default: 0.25...3
    }
  }

  /// The shares of an interval taken by app, compositor and GPU, and the share of the compositor's time that the GPU
  /// overlaps.
  private var shares: [ClosedRange<Double>] {
    switch self {
    case .double: [0.2...0.85, 0.1...0.4, 0.1...0.4, 0...0.5]
    case .triple: [0.2...0.85, 0.65...0.85, 0.65...0.85, 0...0.2]
    case .lowLatency, .alternating: [0.1...0.3, 0.1...0.25, 0.1...0.25, 0...0.5]
    case .filledByApp, .lateRelease: [0.1...0.4, 0.1...0.6, 0.1...0.4, 0...0]
    case .twoSurfaces: [0.2...0.85, 0.05...0.2, 0.05...0.2, 0...0.5]
    case .twoAtOnce: [0.1...0.2, 0.05...0.12, 0.05...0.12, 0...0.5]
    case .burst: [0.2...0.85, 0.2...0.4, 0.2...0.4, 0...0]
    case .longTail: [0.1...0.25, 0.2...0.25, 0.3...0.35, 0...0]
    case .atTheEdge: [0.992...0.996, 0.1...0.4, 0.1...0.4, 0...0.5]
    case .tight: [0.2...0.85, 0.3...0.32, 0.63...0.64, 0...0]
    case .inTheWay: [0.2...0.85, 0.63...0.66, 0.8...0.83, 0...0]
    case .unlike: [0.2...0.85, 0.05...0.1, 0.65...0.7, 0...0]
    }
  }

  /// How much stages vary from frame to frame.
  private var variation: Double {
    switch self {
    case .atTheEdge: 0
    case .tight: 0.002
    case .inTheWay: 0.01
    default: 0.05
    }
  }
}

extension FaultFamily {
  /// Work without a fault.
  func plan(interval: Int64, _ random: inout SplitMix64) -> FaultPlan {
    let count = Int.random(in: 24...60, using: &random)
    let isAlone = self != .twoSurfaces && self != .twoAtOnce
    let surfaces = (0..<(isAlone ? 1 : 2)).map { index in
      var work = SurfaceWork(id: "s\(index)", units(count, interval, &random))
      work.isFilledByApp = self == .filledByApp || self == .lateRelease
      work.buffers = self == .burst ? 2 : 3
      work.startsWhenFree = self == .longTail
      return work
    }
    var display = SimulatedDisplay(interval: interval)
    let delays: ClosedRange<Double> =
      switch self {
      case .atTheEdge: 0.02...0.03
      case .tight: 0...0
      default: 0...0.03
      }
    display.wakeDelays = (0..<16).map { _ in
      Int64(Double(interval) * Double.random(in: delays, using: &random))
    }
    let isLowLatency = [.lowLatency, .alternating, .twoAtOnce, .longTail].contains(self)
    return FaultPlan(surfaces: surfaces, display: display, isLowLatency: isLowLatency)
  }

  private func units(
    _ count: Int, _ interval: Int64, _ random: inout SplitMix64
  ) -> [AppWork] {
    let usual = shares.map { Double.random(in: $0, using: &random) }
    return (0..<count).map { index in
      let lengths = usual.map { share in
        let factor = 1 + Double.random(in: -variation...variation, using: &random)
        return Int64(Double(interval) * share * factor)
      }
      var work = AppWork(
        at: Int64(index) + 1, app: lengths[0], compositor: lengths[1], gpu: lengths[2])
      work.gpuOverlap = Int64(Double(work.compositor) * usual[3])
      work.startOffset =
        self == .atTheEdge
        ? interval * 12 / 1000
        : Int64.random(in: -interval * 3 / 100...interval * 3 / 100, using: &random)
      work.animates = self == .alternating && index / 6 % 2 == 1
      return work
    }
  }

  /// Makes a stage slow.
  func add(
    _ share: Double, to stage: PipelineStage, ofUnit unit: Int, in plan: inout FaultPlan,
    _ random: inout SplitMix64
  ) {
    let size = Int64(share * Double(plan.display.interval))
    let surface = Int.random(in: plan.surfaces.indices, using: &random)
    switch self {
    case .burst:
      plan.surfaces[surface].units[unit].add(size, to: stage, plan.display.interval)
      for next in unit + 1...unit + 4 {
        plan.surfaces[surface].units[next].add(
          plan.display.interval * 9 / 10, to: stage, plan.display.interval)
      }
    case .lateRelease: plan.surfaces[surface].units[unit].releaseDelay = size
    case .longTail:
      plan.surfaces[surface].units[unit].afterCommit =
        size - plan.surfaces[surface].units[unit].app
    default: plan.surfaces[surface].units[unit].add(size, to: stage, plan.display.interval)
    }
  }
}

extension AppWork {
  /// Makes a stage take longer.
  mutating func add(_ size: Int64, to stage: PipelineStage, _ interval: Int64) {
    switch stage {
    case .app: app += size
    case .compositor: compositor += size
    case .gpu: gpu += size
    case .display: missedRefreshes = Int(size / interval) + 1
    case .unknown: break
    }
  }
}

import FrameKit

/// Families of traces, one for each kind of app and display, because each kind can be misread in different ways.
package enum RandomFamily: String, CaseIterable, Sendable {
  /// Apps, compositors and GPUs that work from refresh to refresh or from commit to commit.
  case driven
  /// A game that works as fast as its buffers become free.
  case busy
  /// An app that rests and draws at a steady rate below the display's, at any phase.
  case resting
  /// An app with a limiter; the recorder counts the limiter's sleep as work.
  case limited
  /// A game with driver-generated frames between its frames.
  case generated
  /// A game or an app on a display that changes its rate.
  case changing

  /// The outcome: the trace and its truth.
  struct Happened {
    let trace: Trace
    let slow: PipelineStage?
    let repeated: Int?
    let description: String
  }

  /// Whether a recording may lack refreshes or their numbers.
  var mayLackRefreshes: Bool { self == .changing || self == .resting || self == .busy }
  /// Whether display times alone show that nothing is dropped.
  var isShownByDisplay: Bool { self == .limited || self == .busy }
  /// Whether frames may be missing.
  var mayBeCut: Bool { self != .generated }

  /// Plays a trace of the family.
  func play(_ random: inout SplitMix64) -> Happened {
    switch self {
    case .driven: playDriven(&random)
    case .busy, .resting, .limited, .generated: playChain(&random, on: nil)
    case .changing: playChain(&random, on: RandomDisplay.changing(&random))
    }
  }

  private func playDriven(_ random: inout SplitMix64) -> Happened {
    let kind = FaultFamily.allCases.randomElement(using: &random) ?? .double
    let interval = RandomDisplay.interval(&random)
    var plan = kind.plan(interval: interval, &random)
    let stage = kind.stages.randomElement(using: &random) ?? .app
    let isClean = Int.random(in: 0..<5, using: &random) < 2
    if !isClean {
      let unit = Int.random(in: 8..<plan.surfaces[0].units.count - 9, using: &random)
      let size = Double.random(in: kind.sizes(of: stage), using: &random)
      kind.add(size, to: stage, ofUnit: unit, in: &plan, &random)
    }
    let frames = PipelineSimulation.play(
      plan.surfaces, on: plan.display, isLowLatency: plan.isLowLatency)
    let trace = SimulationTrace.make(plan.surfaces, frames, on: plan.display, named: rawValue)
    return Happened(
      trace: trace, slow: isClean ? nil : stage, repeated: nil, description: "\(kind)")
  }

  private func playChain(_ random: inout SplitMix64, on display: SimulatedDisplay?) -> Happened {
    let display = display ?? SimulatedDisplay(interval: RandomDisplay.interval(&random))
    var chain = RandomChain(self, on: display, &random)
    let clean = chain.shown
    let isClean = Int.random(in: 0..<5, using: &random) < 2
    let stage: PipelineStage = Bool.random(using: &random) ? .app : .gpu
    let count = isClean ? 0 : Int.random(in: 1...3, using: &random)
    let slow = chain.slowDown(stage, times: count, &random)
    let repeated = chain.repeated(than: clean, from: slow.first)
    return Happened(
      trace: chain.trace(named: rawValue, &random), slow: isClean ? nil : stage,
      repeated: slow.count == 1 && self != .generated ? repeated : nil,
      description: "\(chain.description), frames \(slow)")
  }
}

/// Random displays.
enum RandomDisplay {
  static func interval(_ random: inout SplitMix64) -> Int64 {
    let intervals: [Int64] = [6_944_444, 8_333_333, 11_111_111, 16_666_667]
    return intervals.randomElement(using: &random) ?? intervals[0]
  }

  /// A display that changes between 60, 90 and 120 Hz at random times.
  static func changing(_ random: inout SplitMix64) -> SimulatedDisplay {
    var rates: [(until: Int64, interval: Int64)] = []
    var until: Int64 = 0
    var last: Int64 = 0
    for _ in 0..<Int.random(in: 2...4, using: &random) {
      until += Int64.random(in: 90...200, using: &random)
      let others = [8_333_333, 11_111_111, 16_666_667].filter { $0 != last }
      last = others.randomElement(using: &random) ?? 16_666_667
      rates.append((until, last))
    }
    return SimulatedDisplay(changing: rates)
  }
}

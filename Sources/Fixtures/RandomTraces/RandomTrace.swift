package import FrameKit

/// A random trace whose slow stage, if any, is known.
package struct RandomTrace: Sendable {
  package let family: RandomFamily
  package let seed: UInt64
  /// What happens in the trace and how it was recorded, in words.
  package let description: String
  package let trace: Trace
  /// The stage that was slow; `nil` if none was, so that no drop may be found.
  package let slow: PipelineStage?
  /// For how many refreshes a single slow frame repeated an older frame; `nil` if several frames were slow, or part of
  /// the trace is missing.
  package let repeated: Int?
  /// Whether all frames were recorded, with the times of all stages.
  package let isWhole: Bool
  /// Whether frames are missing in the recording.
  package let hasHoles: Bool

  /// The trace of a seed: families take turns, everything else is random.
  package init(seed: UInt64) {
    let families = RandomFamily.allCases
    self.init(families[Int(seed % UInt64(families.count))], seed: seed)
  }

  /// The trace of a family.
  package init(_ family: RandomFamily, seed: UInt64) {
    var random = SplitMix64(seed: seed &* 0x9E37_79B9 &+ 1)
    let happened = family.play(&random)
    let flaw = RecordingFlaw.pick(for: family, &random)
    self.family = family
    self.seed = seed
    trace = flaw.recording.recorded(happened.trace)
    slow = happened.slow
    repeated = flaw.isWhole ? happened.repeated : nil
    isWhole = flaw.isWhole
    hasHoles = flaw.recording.losesEvery != nil
    description =
      "\(family.rawValue) \(seed): \(happened.description), \(happened.slow?.rawValue ?? "nothing") slow, \(flaw.description)"
  }
}

/// The data that a recorder misses.
struct RecordingFlaw {
  var recording = Recording()
  var description = "all recorded"
  /// Whether all frames are recorded with the times of all stages.
  var isWhole = true

  private static let gpu: Set<FrameColumn> = [
    .gpuStart, .gpuEnd, .queued, .fenceSignaled, .gpuBusy,
  ]
  private static let compositor: Set<FrameColumn> = [.compositorStart, .compositorEnd]
  private static let others: Set<FrameColumn> = [
    .appEnd, .bufferWaitStart, .bufferWaitEnd, .replaced, .released, .firstWrite, .buffer, .mode,
    .animating, .fate, .startRefresh,
  ]

  /// A flaw that a recording of a family can have.
  static func pick(for family: RandomFamily, _ random: inout SplitMix64) -> RecordingFlaw {
    var flaw = RecordingFlaw()
    if family.mayLackRefreshes {
      flaw.recording.refreshes = Recording.Refreshes.allCases.randomElement(using: &random) ?? .none
      flaw.recording.statesInterval = family != .changing
      flaw.description = "refreshes \(flaw.recording.refreshes.rawValue)"
    }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: flaw.miss(gpu, "no GPU times")
    case 1: flaw.miss(compositor, "no compositor times")
    case 2: flaw.miss([.queued, .fenceSignaled], "no queue times")
    // Only the present calls distinguish a limiter's sleep from work.
    case 3 where family != .limited:
      flaw.miss(gpu.union(compositor).union(others), "start, hand-over and display only")
    case 4 where family.isShownByDisplay:
      flaw.miss(gpu.union(compositor).union(others).union([.appStart, .commit]), "display only")
    case 5 where family.mayBeCut:
      let start = Double.random(in: 0...0.3, using: &random)
      flaw.recording.part = start...Double.random(in: 0.7...1, using: &random)
      (flaw.isWhole, flaw.description) = (false, flaw.description + ", cut at both ends")
    case 6 where family.mayBeCut:
      flaw.recording.losesEvery = Int.random(in: 5...9, using: &random)
      (flaw.isWhole, flaw.description) = (false, flaw.description + ", frames lost")
    default: break
    }
    return flaw
  }

  private mutating func miss(_ columns: Set<FrameColumn>, _ words: String) {
    recording.unseen = columns
    isWhole = false
    description += ", \(words)"
  }
}

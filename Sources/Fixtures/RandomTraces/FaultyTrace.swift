package import FrameKit

/// A generated trace in which one stage of one frame takes too long, and its twin without that
/// fault.
package struct FaultyTrace {
  package let description: String
  package let trace: Trace
  package let twin: Trace
  /// The stage that was slow.
  package let stage: PipelineStage

  /// The trace of a seed: families and stages take turns, everything else is random.
  package init(seed: UInt64, _ recorder: SimulationTrace.Recorder = .init()) throws {
    var random = SplitMix64(seed: seed)
    let family = FaultFamily.allCases[Int(seed) % FaultFamily.allCases.count]
    let stages = family.stages
    stage = stages[Int(seed) / FaultFamily.allCases.count % stages.count]
    let interval = [6_944_444, 8_333_333, 11_111_111, 16_666_667].randomElement(using: &random)
    var plan = family.plan(interval: Int64(interval ?? 0), &random)
    twin = try plan.trace(recorder)
    let unit = Int.random(in: 8..<plan.surfaces[0].units.count - 9, using: &random)
    let size = Double.random(in: family.sizes(of: stage), using: &random)
    family.add(size, to: stage, ofUnit: unit, in: &plan, &random)
    trace = try plan.trace(recorder)
    description = "\(seed): \(family), \(stage.rawValue) of unit \(unit) longer by \(size) T"
  }
}

/// Surfaces with their work, and their display.
struct FaultPlan {
  var surfaces: [SurfaceWork]
  var display: SimulatedDisplay
  var isLowLatency: Bool

  /// The trace of the played work, written and read back in the native format.
  func trace(_ recorder: SimulationTrace.Recorder) throws -> Trace {
    let frames = PipelineSimulation.play(surfaces, on: display, isLowLatency: isLowLatency)
    var recorder = recorder
    recorder.commits = true
    let trace = SimulationTrace.make(surfaces, frames, on: display, named: "fault", recorder)
    return try Importers.read(InputFile(bytes: NativeEncoder().encode(trace), path: "fault"))
  }
}

import FrameTrace

/// GPU driver data: counters, and render stages on hardware queues.
struct PerfettoGPU {
  private typealias Counters = PerfettoSchema.GpuCounterEvent
  private typealias Specification = PerfettoSchema.GpuCounterDescriptor.GpuCounterSpec
  private typealias Stages = PerfettoSchema.GpuRenderStageEvent

  /// A render stage on a hardware queue.
  struct Stage {
    let start, duration: Int64
    /// The queue, by its name if the event states it, otherwise by its number.
    fileprivate let queueName: String?
    fileprivate let queue: UInt32?
    let name: String
  }

  private(set) var stages: [Stage] = []
  /// Counters by their names, each with its readings.
  private(set) var counters: [(name: String, readings: [(time: Int64, value: Double)])] = []
  private(set) var broken = 0
  /// The meanings of numbers, from earlier events.
  private var counterNames: [UInt64: Int] = [:]
  private var queues: [UInt64: String] = [:]
  private var stageNames: [UInt64: String] = [:]

  /// Reads a `GpuCounterEvent`: descriptions of counters, and readings.
  mutating func takeCounters(_ context: PerfettoRecording.Context) {
    let event = context.message
    for specification in event.message(Counters.counterDescriptor)?
      .messages(PerfettoSchema.GpuCounterDescriptor.specs) ?? []
    {
      guard let identifier = specification[Specification.counterID]?.number else { continue }
      counterNames[identifier] = counters.count
      counters.append((specification.text(Specification.name) ?? "GPU counter \(identifier)", []))
    }
    for reading in event.messages(Counters.counters) {
      guard let time = context.time,
        let identifier = reading[Counters.GpuCounter.counterID]?.number,
        let value = reading.integer(Counters.GpuCounter.intValue).map(Double.init)
          ?? reading[Counters.GpuCounter.doubleValue]?.real
      else {
        broken += 1
        continue
      }
      if counterNames[identifier] == nil {
        counterNames[identifier] = counters.count
        counters.append(("GPU counter \(identifier)", []))
      }
      if let position = counterNames[identifier] {
        counters[position].readings.append((time, value))
      }
    }
  }

  /// Reads a `GpuRenderStageEvent`.
  mutating func takeStage(_ context: PerfettoRecording.Context) {
    let event = context.message
    if let specifications = event.message(Stages.specifications) {
      for (number, queue) in specifications.messages(Stages.Specifications.hwQueue).enumerated() {
        queues[UInt64(number)] = queue.text(Stages.Specifications.Description.name)
      }
      for (number, stage) in specifications.messages(Stages.Specifications.stage).enumerated() {
        stageNames[UInt64(number)] = stage.text(Stages.Specifications.Description.name)
      }
    }
    // An event with neither field only describes other events.
    guard event[Stages.eventID] != nil || event[Stages.duration] != nil else { return }
    guard let time = context.time, let duration = event.integer(Stages.duration), duration >= 0
    else {
      broken += 1
      return
    }
    let name =
      event[Stages.stageIID]?.number.flatMap { context.state.names[.renderStage]?[$0] }
      ?? (event[Stages.stageID]?.number).map { stageNames[$0] ?? "render stage(\($0))" }
      ?? "render stage"
    stages.append(
      Stage(
        start: time, duration: duration,
        queueName: event[Stages.hwQueueIID]?.number.flatMap {
          context.state.names[.renderStage]?[$0]
        },
        queue: (event[Stages.hwQueueID]?.number).map { UInt32(truncatingIfNeeded: $0) }, name: name)
    )
  }

  /// The name of a stage's queue, which a later event can state.
  func queue(of stage: Stage) -> String {
    if let name = stage.queueName { return name }
    guard let queue = stage.queue else { return "Unknown GPU Queue" }
    return queues[UInt64(queue)] ?? "Unknown GPU Queue \(queue)"
  }
}

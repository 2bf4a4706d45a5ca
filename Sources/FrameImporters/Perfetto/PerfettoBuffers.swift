import FrameTrace

/// The events of layers' buffers: `GraphicsFrameEvent`.
struct PerfettoBuffers {
  private typealias Field = PerfettoSchema.GraphicsFrameEvent.BufferEvent

  /// The kind of an event, by its number.
  enum Event: Int64 {
    case dequeue = 1
    case queue, post, acquireFence, latch, composition, fallback, presentFence
    case releaseFence, modify, detach, attach, cancel
  }

  struct Row {
    let time: Int64
    /// `nil` for an unknown kind.
    let event: Event?
    let layer: String
    let frame, buffer: Int64?
    let duration: Int64?
  }

  private(set) var rows: [Row] = []
  private(set) var broken = 0

  mutating func consume(_ context: PerfettoRecording.Context) {
    guard let time = context.time,
      let event = context.message.message(PerfettoSchema.GraphicsFrameEvent.bufferEvent),
      let layer = event.text(Field.layerName)
    else {
      broken += 1
      return
    }
    rows.append(
      Row(
        time: time, event: event.integer(Field.type).flatMap(Event.init), layer: layer,
        frame: event.integer(Field.frameNumber), buffer: event.integer(Field.bufferID),
        duration: event.integer(Field.durationNS)))
  }
}

import CRelay

/// A capture of a Vulkan program under Wayland that combines two sources: the Vulkan layer (frames,
/// buffers, GPU) and the Wayland relay (messages, inputs). Both write to one file; the importer
/// joins them by the order of frames.
struct JointCapture: CaptureSource {
  private var relay: WaylandRelay
  private var layer: LayerCapture

  init(_ relay: WaylandRelay, _ layer: LayerCapture) {
    self.relay = relay
    self.layer = layer
  }

  var waits: [relay_wait] { relay.waits }

  var isIdle: Bool { relay.isIdle && layer.isIdle }

  mutating func work(_ ready: ArraySlice<relay_wait>) {
    relay.work(ready)
    layer.work([])
  }

  mutating func look(at process: Int32) { layer.look(at: process) }

  mutating func note(gapFrom start: Int64, to end: Int64) -> Bool {
    relay.note(gapFrom: start, to: end)
  }

  mutating func takeLines() -> [UInt8] { relay.takeLines() + layer.takeLines() }

  mutating func opening(part: Int, at time: Int64) -> [UInt8] {
    layer.declareAgain()
    return relay.opening(part: part, at: time)
  }

  mutating func closing(isLast: Bool) -> [UInt8] {
    layer.closing(isLast: isLast) + relay.closing(isLast: isLast)
  }

  var summary: String { "\(relay.summary); \(layer.summary)" }

  var hasFrames: Bool { relay.hasFrames || layer.hasFrames }

  var emptiness: (problem: String, help: String)? { relay.emptiness ?? layer.emptiness }
}

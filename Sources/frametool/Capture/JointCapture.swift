import CRelay
import FrameImporters

/// A capture of a Vulkan program that combines two sources: the Vulkan layer (frames, buffers, GPU), and the messages
/// to the server that shows its frames. Both write to one file; the importer joins them by the order of frames.
struct JointCapture<Server: CaptureSource>: CaptureSource {
  private var server: Server
  private var layer: LayerCapture

  init(_ server: Server, _ layer: LayerCapture) {
    self.server = server
    self.layer = layer
  }

  var waits: [relay_wait] { server.waits }

  var isIdle: Bool { server.isIdle && layer.isIdle }
  var isDone: Bool { server.isDone }
  var due: Int64? { server.due }

  mutating func work(_ ready: ArraySlice<relay_wait>) {
    server.work(ready)
    layer.work([])
    server.consume(layer.takePictures())
  }

  mutating func look(at process: Int32) { layer.look(at: process) }

  mutating func note(gapFrom start: Int64, to end: Int64) -> Bool {
    server.note(gapFrom: start, to: end)
  }

  mutating func takeLines() -> [UInt8] { server.takeLines() + layer.takeLines() }

  mutating func opening(part: Int, at time: Int64) -> [UInt8] {
    layer.declareAgain()
    return server.opening(part: part, at: time)
  }

  mutating func closing(isLast: Bool) -> [UInt8] {
    layer.closing(isLast: isLast) + server.closing(isLast: isLast)
  }

  var summary: String { "\(server.summary); \(layer.summary)" }

  var hasFrames: Bool { server.hasFrames || layer.hasFrames }

  var emptiness: (problem: String, help: String)? { server.emptiness ?? layer.emptiness }
}

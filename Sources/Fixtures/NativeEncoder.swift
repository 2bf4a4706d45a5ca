package import FrameKit

/// Writes frametool's native format, which carries everything.
package struct NativeEncoder: TraceEncoder {
  package let name = "native"
  package let importer = "native"

  package init() {}

  package func encode(_ trace: Trace) -> [UInt8] {
    var bytes: [UInt8] = []
    var writer = NativeWriter(trace) { bytes += $0 }
    writer.write()
    return bytes
  }
}

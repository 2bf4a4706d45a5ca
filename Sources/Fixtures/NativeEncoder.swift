package import FrameKit

/// Writes frametool's native format, which can carry all data.
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

/// Writes the packed form of the native format.
package struct PackedEncoder: TraceEncoder {
  package let name = "packed"
  package let importer = "packed"

  package init() {}

  package func encode(_ trace: Trace) -> [UInt8] {
    var bytes: [UInt8] = []
    PackedWriter(trace) { bytes += $0 }.write()
    return bytes
  }
}

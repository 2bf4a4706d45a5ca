/// Writes a trace in the packed form of the native format.
///
/// The content is the same for the same trace; the compressed bytes may differ between versions of libzstd.
public struct PackedWriter {
  private let trace: Trace
  private let sink: ([UInt8]) -> Void

  /// - Parameter sink: Receives the bytes piece by piece.
  public init(_ trace: Trace, to sink: @escaping ([UInt8]) -> Void) {
    (self.trace, self.sink) = (trace, sink)
  }

  /// Writes everything.
  public func write() {
    sink(PackedFormat.signature + [PackedFormat.version])
    writeFacts()
    var rows = PackedRowsWriter(write: write)
    trace.visitTables(&rows)
    write(.end, [])
  }

  private func writeFacts() {
    var text: [UInt8] = []
    var facts = NativeWriter(trace) { piece in
      text += piece
      if text.count >= PackedFormat.factsSize {
        write(facts: text)
        text = []
      }
    }
    facts.writeWithoutRows()
    if !text.isEmpty { write(facts: text) }
  }

  private func write(facts text: [UInt8]) {
    var content = PackedBytes()
    content.add(compressed: text)
    write(.facts, content.bytes)
  }

  private func write(_ kind: PackedFormat.Kind, _ content: [UInt8]) {
    var head: [UInt8] = [kind.rawValue]
    for number in [UInt32(content.count), Checksum.of(content)] {
      for shift in stride(from: UInt32(0), to: 32, by: 8) {
        head.append(UInt8(truncatingIfNeeded: number >> shift))
      }
    }
    sink(head)
    sink(content)
  }
}

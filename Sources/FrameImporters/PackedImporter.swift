import FrameTrace

/// The packed form of frametool's native format, written by `frametool convert` to files whose names end in `.ftz`.
struct PackedImporter: TraceImporter {
  let name = "packed"
  let title = "packed frametool trace"
  let versions = "version 1"
  let documentation = "Sources/FrameKit/FrameKit.docc/NativeFormat.md"

  func recognize(_ head: FileHead) -> Recognition? {
    guard head.bytes.starts(with: PackedFormat.signature) else { return nil }
    return Recognition(
      format: "packed frametool trace, version 1", reason: "it begins with the signature")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    try PackedReader.read(input, provenance)
  }
}

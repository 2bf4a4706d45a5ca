/// frametool's own format, as `frametool convert` and an app's own instrumentation write it.
///
///     {"schema": "frametool.trace/1", "unit": "ms"}
///     {"type": "frame", "appStart": 0, "commit": 6.2, "displayed": 33.3}
///
/// is one frame on the surface `main`.
struct NativeImporter: TraceImporter {
  let name = "native"
  let title = "frametool trace"
  let versions = "version 1"
  let documentation = "Sources/FrameKit/FrameKit.docc/NativeFormat.md"

  func recognise(_ head: FileHead) -> Recognition? {
    let line = head.lines(10).first { !$0.allSatisfy(\.isWhitespace) } ?? ""
    guard line.contains("\"schema\""), line.contains(NativeFormat.schemaPrefix) else { return nil }
    return Recognition(
      format: "frametool trace, version 1",
      reason: "the first line states the schema \(NativeFormat.schema)")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    try NativeReader.read(input, provenance)
  }
}

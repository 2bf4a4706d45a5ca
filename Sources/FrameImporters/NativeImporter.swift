import FrameTrace

/// frametool's native format, written by `frametool convert` and by the instrumentation of apps.
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

  func recognize(_ head: FileHead) -> Recognition? {
    let line = head.lines(10).first { !$0.allSatisfy(\.isWhitespace) } ?? ""
    guard line.contains("\"schema\""), line.contains(NativeFormat.schemaPrefix) else { return nil }
    return Recognition(
      format: "frametool trace, version 1",
      reason: "the first line states the schema \(NativeFormat.schema)")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    try NativeReader.read([input], provenance)
  }

  func read(
    recording inputs: [InputFile], _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    var parts: [(number: Int, input: InputFile)] = []
    for input in inputs {
      guard let number = Self.part(of: input) else {
        throw ParseError(
          path: input.path,
          problem: "expected parts of one recording, found a trace that is not a part",
          help: "each file is a separate trace: leave --one-recording out")
      }
      if let other = parts.first(where: { $0.number == number }) {
        throw ParseError(
          path: input.path,
          problem:
            "expected another part of the recording, found part \(number) again, as in \(other.input.path)",
          help: "name the files of one recording only")
      }
      parts.append((number, input))
    }
    parts.sort { $0.number < $1.number }
    var builder = try NativeReader.read(parts.map(\.input), provenance)
    let numbers = parts.map(\.number)
    builder.log.note(
      .cutOff, .dataLoss, "missing parts of the recording",
      count: numbers[numbers.count - 1] - numbers[0] + 1 - numbers.count)
    return builder
  }

  /// The part number of an input within a recording; `nil` if it is not a part.
  private static func part(of input: InputFile) -> Int? {
    let head = FileHead(input.head)
    guard let first = head.lines(10).first(where: { !$0.allSatisfy(\.isWhitespace) }) else {
      return nil
    }
    return JSONNode(reading: Array(first.utf8))?["part"]?.integer.flatMap {
      1...1_000_000_000 ~= $0 ? Int($0) : nil
    }
  }
}

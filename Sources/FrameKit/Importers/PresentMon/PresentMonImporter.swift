/// An importer of the files of one of the tools that write PresentMon's columns.
protocol PresentMonImporter: TraceImporter {
  var tool: PresentMonHeader.Tool { get }
}

extension PresentMonImporter {
  func recognise(_ head: FileHead) -> Recognition? { PresentMon.recognise(head, as: tool) }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    try PresentMon.readRows(input, provenance, demand)
  }
}

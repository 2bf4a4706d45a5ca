/// CSV files of OCAT, AMD's capture tool: PresentMon's columns of 1.x, and what the recording was made on in
/// the first row only.
///
/// Documentation: github.com/GPUOpen-Tools/ocat. Files of 1.3 and 1.4 were seen. Of
///
///     Application,…,MsUntilDisplayed,Motherboard,OS,…
///     game.exe,…,13.518,"MPG Z390",Windows 10 Pro,…
///     game.exe,…,20.021
///
/// both rows are frames, of a machine with that board.
struct OCAT: TraceImporter {
  let name = "ocat"
  let title = "OCAT CSV"
  let versions = "1.x"
  let documentation = "https://github.com/GPUOpen-Tools/ocat"

  func recognise(_ head: FileHead) -> Recognition? { PresentMon.recognise(head, as: .ocat) }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    try PresentMon.readRows(input, provenance, demand)
  }
}

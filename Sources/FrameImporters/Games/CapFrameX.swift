import FrameTrace

/// Records of CapFrameX: JSON, of one run or several, and the CSV of its first versions.
///
/// Documentation: github.com/CXWorld/CapFrameX. Example:
///
///     {"Info": {"ProcessName": "game.exe", …}, "Runs": [{"CaptureData": {
///       "TimeInSeconds": [0, 0.0167], "MsBetweenPresents": [16.5, 16.7], "Dropped": [false, false], …}}]}
///
/// The example has two frames of one run. The CSV is PresentMon's, after lines of `//Key=Value`.
struct CapFrameX: TraceImporter {
  let name = "capframex"
  let title = "CapFrameX record"
  let versions = "CSV of 2019, JSON of 1.6 to 1.8"
  let documentation = "https://github.com/CXWorld/CapFrameX"
  let platform: Platform? = .windows

  /// The largest record that is read.
  private static let mostBytes = 1 << 29

  func recognize(_ head: FileHead) -> Recognition? {
    if let found = PresentMon.recognize(head, as: .capFrameX) { return found }
    guard head.firstByte == UInt8(ascii: "{"), head.contains("\"Info\""),
      head.contains("\"Runs\""), head.contains("\"Hash\"")
    else { return nil }
    return Recognition(format: "CapFrameX JSON", reason: "an object with Info and Runs")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    if PresentMonHeader(FileHead(input.head)) != nil {
      return try PresentMon.readRows(input, provenance, demand)
    }
    let root = try JSONNode(
      input, atMost: Self.mostBytes, of: "a record",
      help: "the record was cut off or edited; export it again")
    var record = CapFrameXRecord(root, TraceBuilder(provenance))
    for (index, run) in (root["Runs"]?.array ?? []).enumerated() { record.add(run, index) }
    return record.finish()
  }
}

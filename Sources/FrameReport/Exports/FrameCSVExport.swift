import FrameAnalysis
import FrameTrace

/// One row per frame, for spreadsheets and data frames: what the source recorded and what was
/// computed from it.
struct FrameCSVExport: TraceExport {
  let name = "frames-csv"
  let summary = "CSV, one row per frame: stages, display, due time, drops, buffer, depth"
  let suffixes = ["csv"]

  func whyNot(_ study: Study) -> String? {
    study.surfaces.isEmpty ? "there is no surface to write" : nil
  }

  func write(_ study: Study, to sink: @escaping ([UInt8]) -> Void) {
    sink(Self.header(isOfSeveral: false))
    Self.write(study, named: nil, to: sink)
  }

  /// The first line.
  /// - Parameter isOfSeveral: Whether the frames are of several traces, whose files come first.
  static func header(isOfSeveral: Bool) -> [UInt8] {
    var line = CSVLine()
    if isOfSeveral { line.add("file") }
    for key in FrameRow.csv.flatMap(\.csvKeys) { line.add(key) }
    line.end()
    return line.bytes
  }

  /// Writes the frames of a trace, without the first line.
  /// - Parameter file: The name of the trace among several; `nil` for the only one.
  static func write(_ study: Study, named file: String?, to sink: ([UInt8]) -> Void) {
    // Only the value and the cell count of each column: copying a complete column for each cell would take longer than
    // the cell.
    let columns = FrameRow.csv.map { (value: $0.value, cells: $0.cellCount) }
    let origin = study.range.lowerBound
    var line = CSVLine()
    for index in study.surfaces {
      let listing = study.frames(of: index)
      let owner = FrameRow.Owner(index, study.trace.surfaces[index], listing)
      for row in 0..<listing.count {
        let frame = FrameRow(listing[row], of: owner)
        if let file { line.add(file) }
        for column in columns { line.add(column.value(frame), cells: column.cells, from: origin) }
        line.end()
        if line.bytes.count > 1 << 16 { sink(line.takeBytes()) }
      }
    }
    sink(line.takeBytes())
  }
}

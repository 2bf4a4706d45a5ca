import FrameAnalysis
import FrameTrace

/// A row a frame, for spreadsheets and data frames: what the source recorded and what was worked
/// out from it.
struct FrameCSVExport: TraceExport {
  let name = "frames-csv"
  let summary = "CSV, one row per frame: stages, display, due time, drops, buffer, depth"
  let suffixes = ["csv"]

  func whyNot(_ study: Study) -> String? {
    study.surfaces.isEmpty ? "there is no surface to write" : nil
  }

  func write(_ study: Study, to sink: @escaping ([UInt8]) -> Void) {
    var line = CSVLine()
    for column in FrameCSVColumn.all { line.add(column.name) }
    line.end()
    for index in study.surfaces {
      let listing = study.frames(of: index)
      for row in 0..<listing.count {
        let cells = FrameCSVColumn.Cells(
          surface: study.trace.surfaces[index], listing: listing, frame: listing[row],
          origin: study.range.lowerBound)
        for column in FrameCSVColumn.all { column.add(cells, &line) }
        line.end()
        if line.bytes.count > 1 << 16 { sink(line.takeBytes()) }
      }
    }
    sink(line.takeBytes())
  }
}

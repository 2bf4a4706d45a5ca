import FrameTrace

/// Zones that Tracy's `csvexport -u` prints, one in a row.
///
/// Documentation: github.com/wolfpld/tracy, the manual's chapter on exporting. Example:
///
///     name,src_file,src_line,ns_since_start,exec_time_ns,thread,value
///     Simulate,world.cpp,112,8000124,5120000,1,
///
/// The zone began 8.0 ms after the start and took 5.12 ms. Frame marks are not exported.
struct TracyZones: TraceImporter {
  let name = "tracy"
  let title = "Tracy zones, CSV"
  let versions = "csvexport -u"
  let documentation = "https://github.com/wolfpld/tracy"
  let framesAdvice: String? =
    "Tracy exports no frame marks: filter a zone that is once per frame (csvexport -u -f NAME) and name its columns, --columns time=ns_since_start:ns"

  private static let columns = ["name", "ns_since_start", "exec_time_ns", "thread"]

  func recognize(_ head: FileHead) -> Recognition? {
    let names = head.columnNames
    guard Self.columns.allSatisfy(names.contains) else { return nil }
    return Recognition(format: title, reason: "the columns ns_since_start, exec_time_ns")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    let names = FileHead(input.head).columnNames
    let places = Self.columns.compactMap { names.firstIndex(of: $0) }
    let width = (places.max() ?? 0) + 1
    var builder = TraceBuilder(provenance)
    builder.trace.clocks = [
      ClockDomain(
        name: "start of the recording", join: .traceClock, offset: nil, resolution: Nanoseconds(1))
    ]
    var (reader, odd, count) = (CSVReader(input), 0, 0)
    do throws(ParseError) {
      while try reader.nextBlock() {
        let first = max(0, 2 - reader.firstLine)
        for row in first..<max(first, reader.rowCount) {
          let cells = reader.cellCount(row)
          if cells == 1, reader.text(row, 0).isEmpty { continue }
          // Names are not quoted, so one with a comma has more cells.
          let shift = max(0, cells - names.count)
          guard cells >= width, !reader.isUnterminated(row),
            let start = Int64(reader.text(row, places[1] + shift)),
            let length = Int64(reader.text(row, places[2] + shift)),
            start.magnitude < Timestamp.bound, 0..<Timestamp.bound ~= length
          else {
            odd += 1
            continue
          }
          let name = (0...shift).map { reader.text(row, places[0] + $0) }.joined(separator: ",")
          builder.addMark(
            name, start, start + length, process: nil,
            thread: Int64(reader.text(row, places[3] + shift)))
          count += 1
        }
      }
    } catch {
      guard count > 0, error.kind == .badData else { throw error }
      builder.log.note(break: error)
    }
    builder.log.note(.malformedLine, .dataLoss, "rows that are no zone, left out", count: odd)
    return builder
  }
}

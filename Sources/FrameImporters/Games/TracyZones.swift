import FrameTrace

/// Zones that Tracy's `csvexport -u` prints, one per row.
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
    let layout = TracyLayout(FileHead(input.head).columnNames)
    var builder = TraceBuilder(provenance)
    builder.trace.clocks = [
      ClockDomain(
        name: "start of the recording", join: .traceClock, offset: nil, resolution: Nanoseconds(1))
    ]
    var (reader, odd, count) = (CSVReader(input), 0, 0)
    do throws(ParseError) {
      while try reader.nextBlock() {
        let block = reader.block
        let first = max(0, 2 - block.firstLine)
        for row in first..<max(first, block.rowCount) {
          if block.cellCount(row) == 1, block.text(row, 0).isEmpty { continue }
          guard !block.isUnterminated(row), let zone = layout.zone(block, row) else {
            odd += 1
            continue
          }
          builder.addMark(
            zone.name, zone.start, zone.start + zone.length, process: nil, thread: zone.thread)
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

/// The positions of a zone's cells. Strings are not quoted, so commas in the name or in the value after it shift the
/// other cells.
private struct TracyLayout {
  /// A zone that ran.
  struct Zone {
    let name: String
    let start, length, thread: Int64
  }

  private let width: Int
  /// The columns with whole numbers, which are used to align a row.
  private let numbers: [Int]
  private let name, start, length, thread: Int

  /// The maximum number of commas in strings that is considered.
  private static let mostCommas = 64

  init(_ names: [String]) {
    let position = { (column: String) in names.firstIndex(of: column) ?? 0 }
    width = names.count
    (name, start, length, thread) = (
      position("name"), position("ns_since_start"), position("exec_time_ns"), position("thread")
    )
    numbers = [names.firstIndex(of: "src_line"), start, length, thread].compactMap { $0 }
  }

  /// - Returns: `nil` for a row that cannot be aligned, or that can be aligned in several ways.
  func zone(_ block: CSVBlock, _ row: Int) -> Zone? {
    let commas = block.cellCount(row) - width
    guard commas <= Self.mostCommas else { return nil }
    let shifts = (0...max(0, commas)).filter { shift in
      numbers.allSatisfy { number(block, row, $0 + shift) != nil }
    }
    guard shifts.count == 1, let shift = shifts.first,
      let start = number(block, row, start + shift), start < Timestamp.bound,
      let length = number(block, row, length + shift), length < Timestamp.bound,
      let thread = number(block, row, thread + shift)
    else { return nil }
    let cells = (0...shift).map { block.cell(row, self.name + $0) }
    let text = block.buffer[(cells.first?.lowerBound ?? 0)..<(cells.last?.upperBound ?? 0)]
    let name = String(decoding: text.trimmingBlanks(), as: UTF8.self)
    return Zone(name: name, start: start, length: length, thread: thread)
  }

  private func number(_ block: CSVBlock, _ row: Int, _ column: Int) -> Int64? {
    guard column < block.cellCount(row) else { return nil }
    return Int64(block.text(row, column)).flatMap { $0 >= 0 ? $0 : nil }
  }
}

import FrameTrace

/// Logs of MangoHud, the Linux overlay for Vulkan and OpenGL, with a row per frame or at intervals.
///
/// Documentation: github.com/flightlessmango/MangoHud, `src/logging.cpp`. Versions 0.4 to 0.8 are
/// known. Example:
///
///     os,cpu,gpu,ram,kernel,driver,cpuscheduler
///     Debian GNU/Linux 12,AMD Ryzen 7,…
///     fps,frametime,cpu_load,…,elapsed
///     59.1051,16919,100,…,205979502
///
/// The row is a frame of 16.919 ms. The product of frame time and frame rate shows whether frame
/// times are in µs or ms. The time since the log began is in ns, or in µs in versions without frame
/// times.
struct MangoHud: TraceImporter {
  let name = "mangohud"
  let title = "MangoHud log"
  let versions = "0.4 to 0.8"
  let documentation = "https://github.com/flightlessmango/MangoHud"
  let platform: Platform? = .linux

  func advice(_ fact: RecordedFact) -> String? {
    switch fact {
    case .displayTimes:
      "a MangoHud log has none; 'frametool capture vulkan -- PROGRAM' and 'frametool capture wayland -- PROGRAM' record them"
    case .gpuTimes, .touches: nil
    }
  }

  func recognize(_ head: FileHead) -> Recognition? {
    guard let header = MangoHudHeader(head) else { return nil }
    return Recognition(
      format: "MangoHud log" + (header.version.map { " of \($0)" } ?? ""),
      reason: "the machine's line, and columns with fps and elapsed")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    guard let header = MangoHudHeader(FileHead(input.head)) else {
      throw ParseError(path: input.path, problem: "expected a MangoHud log, found none")
    }
    var rows = MangoHudRows(header, TraceBuilder(provenance), demand)
    var reader = CSVReader(input)
    do throws(ParseError) {
      while try reader.nextBlock() { rows.read(reader.block, after: header.lineCount) }
    } catch {
      guard error.kind == .badData, !reader.isAtStart else { throw error }
      rows.note(break: error)
    }
    return rows.finish()
  }
}

/// The header before the rows.
struct MangoHudHeader {
  let version: String?
  /// The number of lines before the rows.
  let lineCount: Int
  /// The columns in lower case.
  let columns: [String]
  /// The columns that describe the machine, by name.
  let system: [String: String]

  /// The columns of versions that do not name them.
  private static let oldest = ["fps", "cpu_load", "gpu_load", "elapsed"]

  init?(_ head: FileHead) {
    let lines = head.lines(12)
    guard let first = lines.firstIndex(where: { $0.hasPrefix("os,cpu,gpu,ram,kernel,driver") }),
      first < 4, first + 2 < lines.count
    else { return nil }
    version =
      lines[..<first].last { $0.hasPrefix("v") && $0.dropFirst().first?.isNumber == true }
      .map { String($0.dropFirst()) }
    let names = FileHead.columnNames(lines[first])
    let values = FileHead.cells(lines[first + 1])
    var system: [String: String] = [:]
    for (name, value) in zip(names, values) where !value.isEmpty { system[name] = value }
    self.system = system
    var position = first + 2
    if lines[position].hasPrefix("---"), position + 1 < lines.count { position += 1 }
    let columns = FileHead.columnNames(lines[position])
    if columns.first == "fps", columns.contains("elapsed") {
      (self.columns, lineCount) = (columns, position + 1)
    } else if columns.count == Self.oldest.count, columns.allSatisfy({ Double($0) != nil }) {
      (self.columns, lineCount) = (Self.oldest, position)
    } else {
      return nil
    }
  }
}

import FrameTrace

extension FrameTable {
  /// Frame times of Fraps, as times since the start.
  ///
  /// Documentation: fraps.com; the form is that of its `frametimes.csv`. Example:
  ///
  ///     Frame, Time (ms)
  ///         1,     0.000
  ///         2,    16.600
  ///
  /// The second row is a frame of 16.6 ms.
  static let fraps = FrameTable(
    name: "fraps", title: "Fraps frame times", versions: "frametimes.csv",
    documentation: "https://fraps.com", columns: ["frame", "time (ms)"], platform: .windows,
    displayAdvice: "Fraps records none; PresentMon records them on the same games",
    clock: "start of the log",
    lengthsHelp: "if they are the times that frames took: --columns 'frameTime=#2'"
  ) { cells in
    guard let time = cells.time("time (ms)", scale: 6) else { return nil }
    var frame = Frame()
    frame.row[.identifier] = cells.whole("frame")
    frame.row[.commit] = time
    return frame
  }
}

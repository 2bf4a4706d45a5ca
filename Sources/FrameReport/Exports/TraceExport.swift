public import FrameAnalysis
public import FrameTrace

/// Writes traces, and what was computed from them, for other tools to open.
protocol TraceExport: Sendable {
  /// The name in `convert --as`.
  var name: String { get }
  /// What the export is, and what opens it.
  var summary: String { get }
  /// The file name suffixes, the usual one first; empty if no suffix identifies the format.
  var suffixes: [String] { get }

  /// Why a trace cannot be written in this format; `nil` if it can.
  func whyNot(_ study: Study) -> String?

  /// Writes the trace piece by piece.
  /// - Throws: `ParseError` of kind `inputOutput` if the export cannot be made.
  func write(_ study: Study, to sink: @escaping ([UInt8]) -> Void) throws(ParseError)
}

extension Study {
  /// The range from the first to the last instant of the trace; the clock's zero if it has no
  /// times.
  var range: ClosedRange<Timestamp> {
    let zero = Timestamp(nanoseconds: 0)
    return timeRange ?? zero...zero
  }

  /// The frames of a surface with everything known about each.
  func frames(of surface: Int) -> FrameListing { FrameListing(pipeline().surfaces[surface]) }

  /// The touches of a surface, each with its outcome.
  func touches(of surface: Int) -> [ListedTouch] { ListedTouch.all(self.surface(surface)) }
}

/// The available exports.
public enum Exports {
  static let all: [any TraceExport] = [
    ChromeTraceExport(), PerfettoExport(), FrameCSVExport(), SQLiteExport(), MangoHudExport(),
  ]

  /// An export as listed for users.
  public struct Entry: Sendable {
    /// The name in `convert --as`, and a summary in one sentence.
    public let name, summary: String
    /// The file name suffixes that identify the export.
    public let suffixes: [String]
  }

  /// The available exports, in listing order.
  public static var entries: [Entry] {
    all.map { Entry(name: $0.name, summary: $0.summary, suffixes: $0.suffixes) }
  }

  /// The export that can write the frames of several traces into one table.
  public static let table = FrameCSVExport().name

  /// The first line of a table with the frames of several traces.
  public static var tableHeader: [UInt8] { FrameCSVExport.header(isOfSeveral: true) }

  /// Writes the frames of a trace into a table of several traces, piece by piece: the name of the trace's file, then
  /// the columns of the table of one trace.
  /// - Returns: Why the trace has no rows; `nil` if it has.
  public static func writeTable(_ study: Study, to sink: ([UInt8]) -> Void) -> String? {
    if let why = FrameCSVExport().whyNot(study) { return why }
    FrameCSVExport.write(study, named: study.trace.provenance.file, to: sink)
    return nil
  }

  /// Writes a trace for another tool, piece by piece, with the surfaces that the study covers.
  /// - Parameter name: The export's name.
  /// - Returns: Why the trace cannot be written in that format; `nil` if it was written.
  public static func write(
    _ study: Study, as name: String, to sink: @escaping ([UInt8]) -> Void
  ) throws(ParseError) -> String? {
    guard let export = all.first(where: { $0.name == name }) else {
      return "there is no export \(name)"
    }
    if let why = export.whyNot(study) { return why }
    try export.write(study, to: sink)
    return nil
  }
}

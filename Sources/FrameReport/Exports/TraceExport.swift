public import FrameAnalysis
public import FrameTrace

/// Writes traces, and what was worked out from them, for other tools to open.
protocol TraceExport: Sendable {
  /// The name in `convert --as`.
  var name: String { get }
  /// What it is, and what opens it.
  var summary: String { get }
  /// How the names of its files end; the first is the usual one. None where nothing tells it
  /// from another.
  var suffixes: [String] { get }

  /// Why a trace cannot be written so; `nil` when it can.
  func whyNot(_ study: Study) -> String?

  /// Writes it piece by piece.
  /// - Throws: `ParseError` of kind `inputOutput` when it cannot be made.
  func write(_ study: Study, to sink: @escaping ([UInt8]) -> Void) throws(ParseError)
}

extension Study {
  /// From the first to the last instant of the trace; the clock's zero where it has no times.
  var range: ClosedRange<Timestamp> {
    let zero = Timestamp(nanoseconds: 0)
    return timeRange ?? zero...zero
  }

  /// The frames of a surface with all that is known of each.
  func frames(of surface: Int) -> FrameListing { FrameListing(pipeline().surfaces[surface]) }

  /// The touches of a surface with what became of each.
  func touches(of surface: Int) -> [ListedTouch] { ListedTouch.all(self.surface(surface)) }
}

/// The exports there are.
public enum Exports {
  static let all: [any TraceExport] = [
    ChromeTraceExport(), FrameCSVExport(), SQLiteExport(), MangoHudExport(),
  ]

  /// An export as the lists for users show it.
  public struct Entry: Sendable {
    /// The name in `convert --as`, and what is written in one sentence.
    public let name, summary: String
    /// The file name suffixes that stand for it.
    public let suffixes: [String]
  }

  /// The exports that there are, in the order in which they are listed.
  public static var entries: [Entry] {
    all.map { Entry(name: $0.name, summary: $0.summary, suffixes: $0.suffixes) }
  }

  /// Writes a whole trace for another tool, piece by piece: the surfaces that its study is of.
  /// - Parameter name: The export's name.
  /// - Returns: Why the trace cannot be written so; `nil` when it was.
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

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
  func whyNot(_ trace: ExportedTrace) -> String?

  /// Writes it piece by piece.
  /// - Throws: `ParseError` of kind `inputOutput` when it cannot be made.
  func write(_ trace: ExportedTrace, to sink: @escaping ([UInt8]) -> Void) throws(ParseError)
}

/// A trace on its way to another tool, with its rebuilt pipeline.
struct ExportedTrace: Sendable {
  let trace: Trace
  let pipeline: Pipeline
  /// The surfaces that are written, by their places in the trace's list.
  let surfaces: [Int]
  /// From the first to the last instant of the trace, in nanoseconds.
  let range: ClosedRange<Int64>

  init(_ trace: Trace, where isWanted: (Surface) -> Bool) {
    self.trace = trace
    pipeline = Pipeline(reconstructing: trace)
    surfaces = trace.surfaces.indices.filter { isWanted(trace.surfaces[$0]) }
    let range = trace.timeRange
    self.range =
      (range?.lowerBound.nanoseconds ?? 0)...(range?.upperBound.nanoseconds ?? 0)
  }

  /// The frames of a surface with all that is known of each.
  func frames(of surface: Int) -> FrameListing { FrameListing(pipeline.surfaces[surface]) }

  /// The touches of a surface with what became of each.
  func touches(of surface: Int) -> [ListedTouch] {
    ListedTouch.all(MeasuredSurface(pipeline, index: surface))
  }
}

/// The exports there are.
public enum Exports {
  static let all: [any TraceExport] = [
    ChromeTraceExport(), FrameCSVExport(), SQLiteExport(), MangoHudExport(),
  ]

  /// An export as the lists for users show it.
  public struct Entry: Sendable {
    public let name, summary: String
    public let suffixes: [String]
  }

  public static var entries: [Entry] {
    all.map { Entry(name: $0.name, summary: $0.summary, suffixes: $0.suffixes) }
  }

  /// Writes a trace for another tool, piece by piece.
  /// - Parameters:
  ///   - name: The export's name.
  ///   - isWanted: Which surfaces are written.
  /// - Returns: Why the trace cannot be written so; `nil` when it was.
  public static func write(
    _ trace: Trace, as name: String, where isWanted: (Surface) -> Bool = { _ in true },
    to sink: @escaping ([UInt8]) -> Void
  ) throws(ParseError) -> String? {
    guard let export = all.first(where: { $0.name == name }) else {
      return "there is no export \(name)"
    }
    let exported = ExportedTrace(trace, where: isWanted)
    if let why = export.whyNot(exported) { return why }
    try export.write(exported, to: sink)
    return nil
  }
}

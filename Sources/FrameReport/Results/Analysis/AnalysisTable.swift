import FrameAnalysis
import FrameStatistics
import FrameTrace

/// Analyses as one table for spreadsheets and data frames: one row per figure, named by the keys that lead to the
/// figure. Times are in milliseconds; cells of missing values are empty.
struct AnalysisTable {
  private(set) var rows = [["file", "process", "pid", "surface"] + columns]

  /// The columns after those that identify what a row belongs to.
  private static let columns =
    ["metric", "unit", "definition", "n", "missing"] + Summary.names
    + ["value", "why", "inferred"]

  init(_ analyses: [TraceAnalysis]) {
    for analysis in analyses {
      let file = analysis.trace.provenance.file
      for surface in analysis.ordered {
        let owner = [
          file, surface.process ?? "", surface.processID.map { "\($0)" } ?? "", surface.id,
        ]
        add(
          FieldRecord(
            SurfaceAnalysis.fields, of: AnalyzedSurface(surface, of: analysis),
            from: analysis.origin),
          owner, "")
      }
      add(FieldRecord(TraceAnalysis.eventFields, of: analysis), [file, "", "", ""], "")
      add(StatedFigures.all(analysis.trace), of: file)
      add(analysis.trace.bins.histograms, of: file)
      for group in analysis.launches.groups {
        add(
          group.measured, group.key.measure.name, [file, group.key.process ?? "", "", ""])
      }
    }
  }

  /// Adds the figures of a record, including those of nested records.
  private mutating func add(_ record: FieldRecord, _ owner: [String], _ prefix: String) {
    for field in record.fields {
      let name = prefix + field.key
      switch field.value {
      case .measured(let measured): add(measured, name, owner)
      case .record(let inner):
        // Metric names need no prefix.
        add(inner, owner, name == "metrics" ? "" : name + ".")
      case .rows(let rows):
        guard field.figure != nil else { continue }
        for position in 0..<rows.count {
          for case .measured(let measured) in rows.row(position).fields.map(\.value) {
            add(measured, name, owner)
          }
        }
      default:
        if let figure = field.figure {
          add(field.value.text, else: field.why ?? record.why, figure, name, owner)
        }
      }
    }
  }

  private mutating func add(_ measured: MeasuredField, _ name: String, _ owner: [String]) {
    var summary = Summary.names.map { _ in "" }
    var (value, why) = ("", "")
    switch measured.figures {
    case .summary(let found): summary = found.figures.map { "\(RoundedNumber.of($0))" }
    case .figure(let figure, _): value = "\(RoundedNumber.of(figure))"
    case .unavailable(let reason): why = reason
    }
    rows.append(
      owner + [
        name, measured.unit, measured.definition ?? "", "\(measured.n)",
        "\(measured.missing)",
      ] + summary + [value, why, "\(measured.isInferred)"])
  }

  private mutating func add(
    _ value: String?, else why: String?, _ figure: FieldRecord.Figure, _ name: String,
    _ owner: [String]
  ) {
    rows.append(
      owner + [name, figure.unit, figure.definition, "\(figure.n)", "\(figure.missing)"]
        + Summary.names.map { _ in "" }
        + [value ?? "", value == nil ? why ?? "" : "", "\(figure.isInferred)"])
  }

  private mutating func add(_ series: [StatedFigures], of file: String) {
    for series in series {
      let median = RealQuantile.type7(series.values.sorted(), 0.5)
      let scene = ["stated", series.scene].compactMap { $0 }.joined(separator: ", ")
      let figure = FieldRecord.Figure(unit: series.unit, n: series.values.count, definition: scene)
      add("\(RoundedNumber.of(median))", else: nil, figure, series.metric, [file, "", "", ""])
    }
  }

  private mutating func add(_ histograms: [FieldHistogram], of file: String) {
    for histogram in histograms {
      let figure = FieldRecord.Figure(
        unit: histogram.unit, n: Int(histogram.count), definition: "stated, of bins")
      add(
        "\(RoundedNumber.of(histogram.quantile(0.5)))", else: nil, figure,
        "p50(\(histogram.metric))",
        [file, "", "", ""])
    }
  }
}

extension FieldRecord.Field {
  /// The reason for a missing value, if one is stated.
  fileprivate var why: String? {
    if case .missing(let why) = value { return why }
    return nil
  }
}

extension FieldRecord.Value {
  /// The value in a cell; `nil` if it is missing or has several values.
  fileprivate var text: String? {
    switch self {
    case .text(let text): text
    case .integer(let number): "\(number)"
    case .real(let number): "\(RoundedNumber.of(number))"
    case .flag(let flag): "\(flag)"
    case .missing, .measured, .record, .values, .rows: nil
    }
  }
}

extension LaunchGroup {
  /// The durations of the analysis's launches.
  fileprivate var measured: MeasuredField {
    var measured = MeasuredField(total, else: "")
    measured.definition =
      (key.isProfiled ? "under a profiler, " : "") + "to the \(key.until.words)"
    return measured
  }
}

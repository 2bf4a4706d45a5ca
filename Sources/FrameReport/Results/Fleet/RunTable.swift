import FrameAnalysis
import FrameStatistics
import FrameTrace
import FrameVerdicts

/// The figures of summarized runs as one table for data frames: the columns that identify a run, including its tags,
/// and a row for each of its metrics.
struct RunTable {
  /// The header and the rows; cells of missing values are empty.
  let cells: [[String]]

  /// - Parameter runs: The runs, in the order of the rows.
  init(_ runs: [SummarizedRun]) {
    let tags = Set(runs.flatMap(\.tags.keys)).subtracting(Row.reserved).sorted()
    let tagColumns = tags.map { tag in
      ResultColumn<Row>.text(tag, "the value of the tag") { $0.run.tags[tag] }
    }
    let columns = Row.owner + tagColumns + Row.figures
    cells = ResultRows(columns: columns, rows: runs.flatMap(Row.all)).cells()
  }

  /// A metric of a run, or the reason why it could not be read.
  private struct Row: Sendable {
    let run: SummarizedRun
    var figure: RunFigure?
    var counts: ValueCounts?
    var missing: Int64?

    static func all(_ run: SummarizedRun) -> [Row] {
      guard let tally = run.tally else { return [Row(run: run)] }
      let values = tally.values.map { key, values in
        Row(
          run: run, figure: RunFigure(key: key, statistic: nil), counts: values.counts,
          missing: values.missing)
      }
      // The rows of the values also contain their statistics.
      let single = tally.figures.filter {
        $0.key.statistic == nil && tally.values[$0.key.key] == nil
      }
      let figures = single.map { Row(run: run, figure: $0.key, counts: $0.value.counts) }
      return (values + figures).sorted { one, other in
        guard let one = one.figure, let other = other.figure else { return false }
        return one < other
      }
    }

    /// The tags that have a dedicated column.
    static let reserved: Set = ["process"]

    static let owner: [ResultColumn<Row>] = [
      .text("file", "the trace; empty for runs that were added up") { $0.run.file },
      .text("process", "its process") { $0.run.process ?? $0.run.tags["process"] },
      .text("surface", "its surface") { $0.run.surface },
    ]

    static let figures: [ResultColumn<Row>] = [
      .integer("runs", "how many runs it stands for") { $0.run.tally?.runs },
      .text("metric", "the metric") { $0.figure?.key.metric },
      .text("unit", "the unit of its values") { $0.figure?.key.unit },
      .text("definition", "which of the metric's definitions it is") { $0.figure?.key.definition },
      .integer("n", "how many values there are") { $0.counts?.count },
      .integer("missing", "how many items have no value") { $0.missing },
      .real("min", "the smallest value") { $0.counts?.minimum },
      .real("mean", "the mean") { $0.counts?.mean },
      quantile("p50", 0.5), quantile("p90", 0.9), quantile("p95", 0.95), quantile("p99", 0.99),
      .real("max", "the largest value") { $0.counts?.maximum },
      .text("why", "why the trace could not be read") {
        if case .failed(let reason) = $0.run.outcome { reason } else { nil }
      },
    ]

    private static func quantile(_ key: String, _ share: Double) -> ResultColumn<Row> {
      .real(key, "a quantile, accurate to 0.2 %") { $0.counts?.quantile(share) }
    }
  }
}

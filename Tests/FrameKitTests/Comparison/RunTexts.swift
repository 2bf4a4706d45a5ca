@testable import FrameReport
@testable import FrameTrace
@testable import FrameVerdicts

/// Runs as they are stored in files.
enum RunTexts {
  /// Runs as lines of a summary.
  static func lines(_ runs: [RunSummary]) -> String {
    let lines = runs.map { run in
      var line = SummarizedRun(RunTally(), tags: [:])
      (line.file, line.run) = (run.file, run)
      return Writers.line(line)
    }
    return Writers.summaryHeader + lines.joined()
  }

  /// Runs in the format of summaries before they had lines.
  static func whole(_ runs: [RunSummary]) -> String {
    JSONText.line(
      FieldRecord { record in
        record.add(RunKey.schema, RunSummary.schema)
        record.add(RunKey.runs, rows: runs) { run, record in record = FieldRecord(run) }
      })
  }
}

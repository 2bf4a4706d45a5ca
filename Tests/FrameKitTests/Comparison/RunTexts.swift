@testable import FrameReport
@testable import FrameStatistics
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

  /// Runs in the format of summaries before they had lines, whose blocks list their bins.
  static func whole(_ runs: [RunSummary]) -> String {
    var packed = PackedHistograms()
    let line = SummarizedRun(RunTally(), tags: [:])
    let records = runs.map { FieldRecord($0, of: line, &packed) }
    let text = JSONText.line(
      FieldRecord { record in
        record.add(RunKey.schema, RunSummary.schema)
        record.add(RunKey.runs, values: records)
      })
    let histograms = UnpackedHistograms(packed.bytes)
    return text.replacing(/"bins":(\d+)/) { match in
      let found = Int64(match.1).flatMap { histograms?[$0] }
      let bins = (found?.bins ?? []).map { "\($0.bin),\($0.count)" }
      return "\"bins\":[\(bins.joined(separator: ","))]"
    }
  }
}

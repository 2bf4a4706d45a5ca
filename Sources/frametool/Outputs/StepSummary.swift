import FrameKit

/// The summary of a step in a GitHub workflow: a Markdown file named by an environment variable, to
/// which each command of the step appends.
enum StepSummary {
  private static let variable = "GITHUB_STEP_SUMMARY"
  /// The maximum size of a summary for GitHub, in bytes; larger summaries are refused completely.
  static let mostBytes = 1 << 20

  /// Appends a result; does nothing outside a workflow. If a summary cannot be written, a note is printed, and the
  /// verdict does not change.
  static func append(_ markdown: @autoclosure () -> String, on console: Console) {
    guard let path = console.variable(variable), !path.isEmpty else { return }
    let text = Array("\(markdown())\n".utf8)
    do throws(ParseError) {
      let size = ByteSink.exists(path) ? try InputFile(path: path).fileSize : 0
      guard let size else {
        console.note("note: the step's summary is not written: \(path) is no file")
        return
      }
      guard size + text.count <= mostBytes else {
        console.note("note: the step's summary is full: \(size) bytes, \(mostBytes) at most")
        return
      }
      let sink =
        size > 0
        ? try ByteSink(continuing: path, after: size) : try ByteSink(recordingTo: path)
      _ = try sink.write(text)
      try sink.finish()
    } catch {
      console.note("note: the step's summary is not written: \(error.description)")
    }
  }
}

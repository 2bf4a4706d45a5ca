package import FrameTrace
import FrameVerdicts

/// The usable start of a truncated summary: its leading lines that are complete and whose files are unchanged since
/// they were read.
package struct SummaryResumption {
  /// The number of the summary's bytes to keep.
  package private(set) var bytes = 0
  package private(set) var runs = 0
  package private(set) var failures = 0

  /// - Parameters:
  ///   - asked: The request on the traces; a summary with a different request is not resumed.
  ///   - files: All files, in order.
  /// - Returns: `nil` if there is nothing to resume.
  package init?(_ path: String, asked: String, files: [String]) throws(ParseError) {
    guard FileDescriptor.exists(path) else { return nil }
    let input = try InputFile(path: path)
    let written = FileDescriptor.changeTime(of: path) ?? .min
    var isSame = true
    _ = try TextLines.read(input) { line in
      guard isSame, !line.isUnterminated, let node = JSONNode(reading: Array(line.bytes)) else {
        isSame = false
        return
      }
      if line.number == 1 {
        isSame =
          node[SummaryKey.schema]?.text == SummarizedRun.schema
          && node[SummaryKey.asked]?.text == asked
      } else {
        let position = runs + failures
        isSame =
          position < files.count && node[SummaryKey.file]?.text == files[position]
          && Self.isUnchanged(line.bytes, writtenBy: written)
        guard isSame else { return }
        if node[SummaryKey.failed] == nil { runs += 1 } else { failures += 1 }
      }
      if isSame { bytes += line.bytes.count + 1 }
    }
    if bytes == 0 { return nil }
  }

  /// Whether the trace of a line is still the trace that was read: it has the same size, was not changed after the
  /// summary, and has the same first bytes, which are part of the run's identity.
  private static func isUnchanged(
    _ line: some Sequence<UInt8>, writtenBy time: Int64
  ) -> Bool {
    guard let run = try? SummaryReader.run(in: String(decoding: Array(line), as: UTF8.self)),
      let file = run.file, FileDescriptor.size(of: file) == run.size
    else { return false }
    // A file that is still missing has not changed, either.
    guard let changed = FileDescriptor.changeTime(of: file) else { return run.tally == nil }
    guard changed <= time else { return false }
    guard !run.identities.isEmpty else { return true }
    let head = (try? InputFile(path: file))?.head ?? []
    return run.identified(by: head).identities == run.identities
  }
}

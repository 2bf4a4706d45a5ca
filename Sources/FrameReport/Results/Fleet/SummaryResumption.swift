package import FrameTrace
import FrameVerdicts

/// The usable start of a truncated summary: its leading lines that are complete and of the same
/// files.
package struct SummaryResumption {
  /// The number of its bytes to keep.
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
        let place = runs + failures
        isSame = place < files.count && node[SummaryKey.file]?.text == files[place]
        guard isSame else { return }
        if node[SummaryKey.failed] == nil { runs += 1 } else { failures += 1 }
      }
      if isSame { bytes += line.bytes.count + 1 }
    }
    if bytes == 0 { return nil }
  }
}

package import FrameTrace
import FrameVerdicts

/// What there is of a summary that was cut off: its first lines, as far as they are of the same files and whole.
package struct SummaryResumption {
  /// How many bytes of it are kept.
  package private(set) var bytes = 0
  package private(set) var runs = 0
  package private(set) var failures = 0

  /// - Parameters:
  ///   - asked: What is asked of traces; what was asked otherwise is not gone on with.
  ///   - files: All files, in order.
  /// - Returns: `nil` where there is nothing to go on with.
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

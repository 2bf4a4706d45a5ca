/// The lines of a text, one by one, in memory for a window of them.
package enum TextLines {
  package struct Line {
    /// Without its end.
    package let bytes: ArraySlice<UInt8>
    /// The line number, counted from 1.
    package let number: Int
    /// Whether it is the last one and has no line feed: it may be cut off.
    package let isUnterminated: Bool

    package var isBlank: Bool { bytes.trimmingBlanks().isEmpty }
  }

  /// Passes each line of an input to `take`.
  /// - Returns: Why the input breaks off after a line; `nil` where it does not.
  /// - Throws: Errors of `take`, and errors that prevent reading the first line.
  package static func read(
    _ input: InputFile, _ take: (Line) throws(ParseError) -> Void
  ) throws(ParseError) -> ParseError? {
    var window = LineWindow(input)
    var number = 0
    while true {
      do throws(ParseError) {
        guard try window.next() else { return nil }
      } catch {
        guard number > 0, error.kind == .badData else { throw error }
        return error
      }
      var start = window.lines.lowerBound
      while start < window.lines.upperBound {
        let feed = window.bytes.span.firstLineFeed(from: start)
        number += 1
        try take(
          Line(
            bytes: window.bytes[start..<feed].withoutReturns, number: number,
            isUnterminated: window.endsWithoutLineFeed && feed + 1 == window.lines.upperBound))
        start = feed + 1
      }
    }
  }
}

extension IssueLog {
  /// Notes the error if an input breaks off.
  package mutating func note(break error: ParseError?) {
    if let error { note(.brokenCompression, .dataLoss, error.problem, at: error.place) }
  }

  /// Notes a line that could not be read.
  /// - Parameter what: A description of such lines.
  package mutating func note(malformed line: TextLines.Line, _ what: String) {
    note(
      line.isUnterminated ? .cutOff : .malformedLine, .dataLoss,
      line.isUnterminated ? "a truncated last line, left out" : what,
      at: .line(line.number))
  }
}

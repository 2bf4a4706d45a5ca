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

  /// Where a line is in a buffer of many.
  package struct Position {
    /// Without its end.
    package let range: Range<Int>
    /// The line number, counted from 1.
    package let number: Int
    /// Whether it is the last one and has no line feed: it may be cut off.
    package let isUnterminated: Bool
  }

  /// Passes each line of an input to `body`.
  /// - Returns: Why the input breaks off after a line; `nil` where it does not.
  /// - Throws: Errors of `body`, and errors that prevent reading the first line.
  package static func read(
    _ input: InputFile, _ body: (Line) throws(ParseError) -> Void
  ) throws(ParseError) -> ParseError? {
    try visit(input) { (bytes, position) throws(ParseError) in
      try body(
        Line(
          bytes: bytes[position.range], number: position.number,
          isUnterminated: position.isUnterminated))
    }
  }

  /// Passes each line of an input to `body` as a position in a buffer, without copying it.
  ///
  /// The buffer has padding, so eight bytes can be read from any index of a line.
  /// - Returns: Why the input breaks off after a line; `nil` where it does not.
  /// - Throws: Errors of `body`, and errors that prevent reading the first line.
  package static func visit(
    _ input: InputFile, _ body: ([UInt8], Position) throws(ParseError) -> Void
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
        let span = window.bytes.span
        let feed = span.firstLineFeed(from: start)
        var end = feed
        while end > start, span[end &- 1] == UInt8(ascii: "\r") { end &-= 1 }
        number += 1
        try body(
          window.bytes,
          Position(
            range: start..<end, number: number,
            isUnterminated: window.endsWithoutLineFeed && feed + 1 == window.lines.upperBound))
        start = feed + 1
      }
    }
  }
}

extension IssueLog {
  /// Notes the error if an input breaks off.
  package mutating func note(break error: ParseError?) {
    if let error { note(.brokenCompression, .dataLoss, error.problem, at: error.position) }
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

/// Reads a trace in the native format.
///
/// An unreadable line affects only that line. A last line without a line feed that is not a complete record was being
/// written when the capture ended; it is left out.
package struct NativeReader {
  private var builder: TraceBuilder
  private var values = NativeValues()
  private var input: InputFile
  private var lineNumber = 0
  private var members = JSONMembers()
  /// The type of the last record, which is usually also that of the next.
  private var last: (type: ByteName, record: NativeFormat.Record)?
  private var tables = NativeTables()
  private var facts = NativeFacts()

  init(_ input: InputFile, _ provenance: Provenance) {
    self.input = input
    builder = TraceBuilder(provenance)
  }

  /// Reads everything.
  /// - Parameter inputs: A trace, or the files of a trace in order.
  /// - Throws: `ParseError` if the first line of an input is not a header of a known version.
  package static func read(
    _ inputs: [InputFile], _ provenance: Provenance
  ) throws(ParseError) -> TraceBuilder {
    var reader = NativeReader(inputs[0], provenance)
    for input in inputs { try reader.read(input) }
    return reader.finish()
  }

  private mutating func read(_ input: InputFile) throws(ParseError) {
    self.input = input
    lineNumber = 0
    facts.hasHeader = false
    var window = LineWindow(input)
    do throws(ParseError) {
      while try window.next() { try read(window) }
    } catch {
      guard lineNumber > 0, error.kind == .badData, facts.hasHeader else { throw error }
      values.log.note(.brokenCompression, .dataLoss, error.problem, at: error.position)
    }
    if !facts.hasHeader { throw headerMissing() }
  }

  private mutating func read(_ window: LineWindow) throws(ParseError) {
    let bytes = window.bytes
    var start = window.lines.lowerBound
    while start < window.lines.upperBound {
      let end = bytes.span.firstLineFeed(from: start)
      lineNumber += 1
      let isCut = window.endsWithoutLineFeed && end + 1 == window.lines.upperBound
      try read(bytes, start..<end, isCut: isCut)
      start = end + 1
    }
  }

  private mutating func read(_ bytes: [UInt8], _ range: Range<Int>, isCut: Bool) throws(ParseError)
  {
    if facts.hasHeader, let last, tables.readLike(last.record, bytes, range, &builder) { return }
    if bytes[range].trimmingBlanks().isEmpty { return }
    if !isPlain(bytes, range) {
      var scanner = JSONScanner(bytes, range)
      var list: [JSONScanner.Member] = []
      do throws(JSONScanner.Problem) {
        try scanner.object(into: &list)
      } catch {
        if !facts.hasHeader { throw headerMissing() }
        note(error, at: error.offset - range.lowerBound + 1, isCut: isCut)
        return
      }
      members.set(list)
    }
    let line = NativeLine(bytes: bytes, range: range, members: members.list, number: lineNumber)
    if facts.hasHeader { read(line) } else { try readHeader(line) }
  }

  /// Whether a line contains only an object, checked as strictly as by the scanner. If so, the line's members are known
  /// afterward.
  private mutating func isPlain(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    guard let end = try? members.read(bytes.span, from: range.lowerBound, before: range.upperBound),
      bytes[end..<range.upperBound].trimmingBlanks().isEmpty
    else { return false }
    return members.list.allSatisfy { member in
      guard member.value.kind == .object || member.value.kind == .array else { return true }
      var scanner = JSONScanner(bytes, member.value.range)
      return (try? scanner.value()) != nil
    }
  }

  private mutating func note(_ problem: JSONScanner.Problem, at column: Int, isCut: Bool) {
    if isCut {
      values.log.note(
        .cutOff, .dataLoss, "a truncated last record, left out",
        at: .line(lineNumber))
    } else {
      values.log.note(
        .malformedLine, .dataLoss, "lines that are not JSON: expected \(problem.expected)",
        at: .line(lineNumber))
    }
  }

  private mutating func finish() -> TraceBuilder {
    tables.finish(&builder, &values)
    facts.finish(&builder)
    for issue in values.log.issues {
      builder.log.note(
        issue.kind, issue.severity, issue.message, count: issue.count, at: issue.first)
    }
    return builder
  }
}

extension NativeReader {
  private func headerMissing() -> ParseError {
    ParseError(
      path: input.path, position: .line(max(lineNumber, 1)),
      problem:
        "expected the header {\"schema\": \"\(NativeFormat.schema)\", …}, found another line",
      help: "'frametool generate steady-60' writes an example of the format")
  }

  private mutating func readHeader(_ line: NativeLine) throws(ParseError) {
    guard let schema = line.text("schema") else { throw headerMissing() }
    guard schema == NativeFormat.schema else {
      throw ParseError(
        path: input.path, position: .line(lineNumber),
        problem: "expected the schema \(NativeFormat.schema), found \(schema)",
        help: "a newer frametool wrote this; update yours")
    }
    let unit = line.text("unit") ?? "ns"
    guard let known = NativeFormat.units.first(where: { $0.name == unit }) else {
      let names = NativeFormat.units.map(\.name).joined(separator: ", ")
      throw ParseError(
        path: input.path, position: .line(lineNumber),
        problem: "expected one of \(names) as the unit of time, found \(unit)")
    }
    values.scale = known.scale
    // Records of another file may use another unit.
    last = nil
    facts.hasHeader = true
    builder.trace.provenance.origin = line.text("origin")
  }

  private mutating func read(_ line: NativeLine) {
    if let last, let type = line.token(Self.type), type.kind == .string,
      line.bytes.span.holds(last.type, in: type.range.lowerBound + 1..<type.range.upperBound - 1)
    {
      var line = line
      line.isRepeated = true
      read(last.record, line)
      return
    }
    guard let type = line.text("type") else {
      values.log.note(
        .malformedLine, .dataLoss, "records without a \"type\"", at: .line(lineNumber))
      return
    }
    guard let record = NativeFormat.Record(rawValue: type) else {
      values.log.note(
        .unknownRecord, .dataLoss, "records of the unknown type \"\(type)\"", at: .line(lineNumber))
      return
    }
    last = (ByteName(type.utf8), record)
    read(record, line)
  }

  private mutating func read(_ record: NativeFormat.Record, _ line: NativeLine) {
    if !facts.read(record, line, &builder, &values) {
      tables.read(record, line, &builder, &values, facts)
    }
  }

  private static let type: ByteName = "type"
}

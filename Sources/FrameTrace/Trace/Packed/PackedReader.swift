/// Reads a trace in the packed form of the native format.
///
/// A damaged block of rows affects only itself; all complete blocks of a truncated file are read.
package struct PackedReader {
  private let input: InputFile
  private var log = IssueLog()
  private var facts: [UInt8] = []
  private var builder: TraceBuilder
  private var hasFacts = false
  /// The number of bytes read so far, and the offset of the block that is being read.
  private var position = 0
  private var block = 0
  /// The decompressed size of the content of all blocks so far.
  private var inflated = 0

  /// - Throws: `ParseError` if the file has another version, or nothing in it can be read.
  package static func read(
    _ input: InputFile, _ provenance: Provenance
  ) throws(ParseError) -> TraceBuilder {
    var reader = PackedReader(input: input, builder: TraceBuilder(provenance))
    try reader.readAll()
    return reader.builder
  }

  private init(input: InputFile, builder: TraceBuilder) {
    (self.input, self.builder) = (input, builder)
  }

  private mutating func readAll() throws(ParseError) {
    let start = try bytes(PackedFormat.signature.count + 1)
    guard let version = start.last, start.count > PackedFormat.signature.count else { throw cut() }
    guard version == PackedFormat.version else {
      throw ParseError(
        path: input.path, position: .byte(PackedFormat.signature.count),
        problem: "expected version \(PackedFormat.version), found \(version)",
        help: "a newer frametool wrote this; update yours")
    }
    var rows = PackedRowsReader()
    do throws(ParseError) {
      while let (kind, content) = try nextBlock() { try consume(kind, content, &rows) }
      block = position
      if try !bytes(1).isEmpty {
        log.note(.unknownRecord, .dataLoss, "data after the end of the trace", at: .byte(block))
      }
    } catch {
      // Compressed data before the damage is kept.
      guard hasFacts || !facts.isEmpty, error.kind == .badData else { throw error }
      log.note(.cutOff, .dataLoss, error.problem, at: error.position)
    }
    try takeFacts()
    builder.resolveFrames(
      { [frames = builder.trace.surfaces.map(\.frames.count)] number, surface in
        0..<Int64(frames[surface]) ~= number ? Int(number) : nil
      }, &log)
    rows.finish(&builder)
    for issue in log.issues { builder.log.note(issue) }
  }

  private mutating func consume(
    _ kind: PackedFormat.Kind, _ content: [UInt8]?, _ rows: inout PackedRowsReader
  ) throws(ParseError) {
    let most = input.largestSize ?? Inflation.most(of: position)
    var cursor = PackedCursor(content ?? [], budget: max(0, most - inflated))
    defer { inflated += cursor.inflated }
    do throws(PackedCursor.Damage) {
      switch kind {
      case .facts where hasFacts: throw .content
      case .facts: facts += try cursor.decompressed()
      case .rows: break
      case .end: return
      }
    } catch {
      throw error == .size
        ? tooLarge(most) : damaged("expected facts before all rows, found others")
    }
    guard kind == .rows else { return }
    try takeFacts()
    do throws(PackedCursor.Damage) {
      try rows.read(&cursor, into: &builder)
    } catch {
      if error == .size { throw tooLarge(most) }
      log.note(.brokenCompression, .dataLoss, "damaged blocks of rows, left out", at: .byte(block))
    }
  }

  /// Reads the records before the rows, once they are complete.
  private mutating func takeFacts() throws(ParseError) {
    guard !hasFacts else { return }
    hasFacts = true
    let text = try InputFile(bytes: facts, path: input.path)
    builder = try NativeReader.read([text], builder.trace.provenance)
    facts = []
  }
}

extension PackedReader {
  /// The next block, without content if it is a damaged block of rows; `nil` at the end.
  private mutating func nextBlock() throws(ParseError) -> (PackedFormat.Kind, [UInt8]?)? {
    block = position
    let head = try bytes(PackedFormat.blockHead)
    guard head.count == PackedFormat.blockHead else { throw cut() }
    let number = { (start: Int) in
      head[start..<start + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    let size = Int(number(1))
    guard let kind = PackedFormat.Kind(rawValue: head[0]),
      size <= (kind == .end ? 0 : PackedFormat.mostContent)
    else { throw damaged("expected a block, found other data") }
    let content = try bytes(size)
    guard content.count == size else { throw cut() }
    let isWhole = Checksum.of(content) == number(5)
    guard isWhole || kind == .rows else {
      throw damaged("expected content with the checksum of its block")
    }
    return kind == .end ? nil : (kind, isWhole ? content : nil)
  }

  /// As many bytes as the input has, at most `count`.
  private mutating func bytes(_ count: Int) throws(ParseError) -> [UInt8] {
    var bytes: [UInt8] = []
    // A false size takes no more memory than the length of the file.
    while bytes.count < count {
      let start = bytes.count
      bytes += [UInt8](repeating: 0, count: min(count - start, 1 << 20))
      let found = try input.read(into: &bytes, at: start..<bytes.count)
      bytes.removeLast(bytes.count - start - found)
      position += found
      if found == 0 { break }
    }
    return bytes
  }

  private func tooLarge(_ most: Int) -> ParseError {
    ParseError(
      path: input.path, position: .byte(block),
      problem: "expected at most \(Megabytes.text(Int64(most))) MB of packed data, found more",
      help: "if it is what you expect, --max-size allows more megabytes")
  }

  private func cut() -> ParseError {
    ParseError(
      path: input.path, position: .byte(position),
      problem: "the end of the packed trace is missing",
      help: "the file was cut off; copy it whole")
  }

  private func damaged(_ problem: String) -> ParseError {
    ParseError(
      path: input.path, position: .byte(block), problem: problem,
      help: "'frametool convert' writes such files")
  }
}

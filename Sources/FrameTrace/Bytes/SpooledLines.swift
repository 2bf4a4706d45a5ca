/// Lines in an unnamed temporary file, for more lines than memory should hold. They are sorted by their text.
package final class SpooledLines {
  /// The position of a line, with its first bytes, which distinguish most lines.
  package struct Position {
    fileprivate let offset, count: Int
    fileprivate let head: [UInt8]
  }

  private let file: FileDescriptor
  private let name: String
  private var pending: [UInt8] = []
  /// The offset of the first pending byte.
  private var written = 0
  /// Why lines are missing; `nil` if none are missing.
  private var failure: ParseError?

  private static let headSize = 256
  private static let mostPending = 1 << 20

  /// - Parameter name: What the lines are for, in error messages.
  package init(for name: String) throws(ParseError) {
    self.name = name
    file = try FileDescriptor(temporaryFor: name)
  }

  /// Adds a line. If it cannot be written, reading fails.
  package func append(_ line: String) -> Position {
    let bytes = Array(line.utf8)
    let position = Position(
      offset: written + pending.count, count: bytes.count,
      head: Array(bytes.prefix(Self.headSize)))
    pending += bytes
    if pending.count > Self.mostPending { flush() }
    return position
  }

  private func flush() {
    guard failure == nil, !pending.isEmpty else { return }
    do throws(ParseError) {
      file.seek(to: written)
      _ = try file.write(pending.span, path: name)
      written += pending.count
      pending.removeAll(keepingCapacity: true)
    } catch {
      failure = error
    }
  }

  /// The text of a line.
  package func line(_ position: Position) throws(ParseError) -> String {
    flush()
    if let failure { throw failure }
    let bytes = try file.read(position.offset..<position.offset + position.count, path: name)
    guard bytes.count == position.count else {
      throw ParseError(
        .inputOutput, path: name, problem: "the temporary file became shorter")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether the text of one line sorts before that of the other.
  package func isBefore(_ one: Position, _ other: Position) throws(ParseError) -> Bool {
    if one.head != other.head { return one.head.lexicographicallyPrecedes(other.head) }
    if one.count <= Self.headSize, other.count <= Self.headSize { return false }
    return try line(one).utf8.lexicographicallyPrecedes(line(other).utf8)
  }
}

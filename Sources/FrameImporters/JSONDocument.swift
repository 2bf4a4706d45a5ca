import FrameTrace

extension JSONNode {
  /// The value that a whole input is.
  /// - Parameters:
  ///   - most: The largest input that is read, in bytes.
  ///   - what: What it is, for the error when there is more.
  ///   - help: What to do where it is no JSON.
  init(
    _ input: InputFile, atMost most: Int, of what: String, help: String
  ) throws(ParseError) {
    let bytes = try input.readAll(atMost: most, of: what).withoutByteOrderMark
    do throws(JSONScanner.Problem) {
      self = try JSONNode(bytes)
    } catch {
      throw ParseError(
        path: input.path, place: .byte(error.offset), problem: "expected \(error.expected)",
        help: help)
    }
  }
}

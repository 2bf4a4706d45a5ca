import FrameTrace

extension JSONNode {
  /// Reads a whole input as one JSON value.
  /// - Parameters:
  ///   - most: The largest input that is read, in bytes.
  ///   - what: What the input is, for the error if the input is too large.
  ///   - help: What to do if the input is not JSON.
  init(
    _ input: InputFile, atMost most: Int, of what: String, help: String
  ) throws(ParseError) {
    let bytes = try input.readAll(atMost: most, of: what).withoutByteOrderMark
    self = try JSONNode(bytes, path: input.path, help: help)
  }
}

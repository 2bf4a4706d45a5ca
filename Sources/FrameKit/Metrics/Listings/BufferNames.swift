/// What buffers are called: a letter each, and numbers when letters do not do.
enum BufferNames {
  static func name(_ buffer: Int) -> String {
    guard (0..<26).contains(buffer) else { return "buffer \(buffer + 1)" }
    return "buffer \(Character(Unicode.Scalar(UInt8(65 + buffer))))"
  }
}

/// The compressed wrappings that an input is taken out of without being asked to.
public enum Compression: String, Sendable, CaseIterable {
  case gzip, zstd, zip

  /// Tells the wrapping by an input's first bytes; `nil` when there is none.
  init?(firstBytes bytes: [UInt8]) {
    if bytes.starts(with: [0x1f, 0x8b]) {
      self = .gzip
    } else if bytes.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) {
      self = .zstd
    } else if bytes.starts(with: [0x50, 0x4b, 0x03, 0x04]) {
      self = .zip
    } else {
      return nil
    }
  }
}

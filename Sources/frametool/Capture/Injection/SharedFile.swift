import CRelay

/// An open file that a program shares with its compositor. This is the only code that calls CRelay's `content.h`.
@safe final class SharedFile {
  private let file: Int32

  /// - Returns: `nil` if no more files can be opened.
  init?(copyOf other: Int32) {
    file = content_copy(other)
    guard file >= 0 else { return nil }
  }

  /// A new file with the given bytes, to be shared.
  init?(holding bytes: [UInt8]) {
    file = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe content_of_bytes(bytes.baseAddress, bytes.count)
    }
    guard file >= 0 else { return nil }
  }

  deinit { relay_close(file) }

  /// A duplicate of the descriptor for a caller that closes it; `nil` if no more files can be
  /// opened.
  func copy() -> Int32? {
    let number = content_copy(file)
    return number < 0 ? nil : number
  }

  /// The size in bytes; `nil` if the file is not a regular file, such as a pipe or a GPU buffer.
  var size: Int64? {
    let size = content_size(file)
    return size < 0 ? nil : size
  }

  /// A hash of each tile of a picture, row by row; `nil` if the file does not contain the complete picture.
  func digests(_ image: content_image, count: Int) -> [UInt64]? {
    var failure: Int32 = 0
    let digests = unsafe [UInt64](unsafeUninitializedCapacity: count) { digests, written in
      failure = unsafe withUnsafePointer(to: image) { image in
        unsafe content_digest(file, image, digests.baseAddress)
      }
      written = count
    }
    return failure == 0 ? digests : nil
  }
}

import CRelay

/// A file that a program shares with its compositor, kept open: the only place that calls into CRelay's
/// `content.h`.
@safe final class SharedFile {
  private let file: Int32

  /// - Returns: `nil` where no more files can be open.
  init?(copyOf other: Int32) {
    file = content_copy(other)
    guard file >= 0 else { return nil }
  }

  /// A file of one's own to share.
  init?(holding bytes: [UInt8]) {
    file = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe content_of_bytes(bytes.baseAddress, bytes.count)
    }
    guard file >= 0 else { return nil }
  }

  deinit { relay_close(file) }

  /// A number of its own for somebody who closes it; `nil` where no more files can be open.
  func copy() -> Int32? {
    let number = content_copy(file)
    return number < 0 ? nil : number
  }

  /// How many bytes it has; `nil` for what is no file of bytes: a pipe, a GPU's buffer.
  var size: Int64? {
    let size = content_size(file)
    return size < 0 ? nil : size
  }

  /// A number for each tile of a picture, row by row; `nil` where the file does not hold all of it.
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

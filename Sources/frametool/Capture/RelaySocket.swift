import CRelay

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A local socket whose messages carry open files: the only place that calls into CRelay's C interface.
@safe final class RelaySocket {
  let file: Int32

  private init(_ file: Int32) { self.file = file }

  deinit { relay_close(file) }

  /// A socket that waits for connections.
  static func listening(at path: String) throws(SystemError) -> RelaySocket {
    try made(unsafe relay_listen(path))
  }

  static func connected(to path: String) throws(SystemError) -> RelaySocket {
    try made(unsafe relay_connect(path))
  }

  private static func made(_ file: Int32) throws(SystemError) -> RelaySocket {
    guard file >= 0 else { throw SystemError(number: errno) }
    return RelaySocket(file)
  }

  /// The next connection; `nil` when none waits.
  func accept() -> RelaySocket? {
    let found = relay_accept(file)
    return found < 0 ? nil : RelaySocket(found)
  }

  /// The process at the other end; 0 when not known.
  var peer: Int { Int(relay_peer(file)) }

  /// What waits until something can be received.
  var readable: relay_wait {
    relay_wait(file: file, reads: 1, writes: 0, can_read: 0, can_write: 0)
  }

  /// Bytes, and the files that came with them.
  struct Parcel {
    var bytes: [UInt8] = []
    var files: [Int32] = []
  }

  /// What is there now; `nil` when the other end is gone.
  func receive() -> Parcel? {
    var parcel = Parcel()
    var count: Int64 = 0
    parcel.files = unsafe Array(unsafeUninitializedCapacity: Int(RELAY_MOST_RECEIVED)) {
      files, fileCount in
      var found: Int32 = 0
      parcel.bytes = unsafe Array(unsafeUninitializedCapacity: 1 << 16) { bytes, byteCount in
        count = unsafe relay_receive(
          file, bytes.baseAddress, bytes.count, files.baseAddress, &found)
        byteCount = Int(max(count, 0))
      }
      fileCount = Int(found)
    }
    return count < 0 ? nil : parcel
  }

  /// Sends as much as the other end takes, and forgets that.
  /// - Returns: Whether the other end is there.
  func send(_ parcel: inout Parcel) -> Bool {
    while !parcel.bytes.isEmpty {
      let most = Int(RELAY_MOST_SENT)
      let files = Array(parcel.files.prefix(most))
      // Files beyond what goes with one message go with the next one.
      let count = parcel.files.count > most ? 1 : parcel.bytes.count
      let sent = unsafe parcel.bytes.withUnsafeBufferPointer { bytes in
        unsafe relay_send(file, bytes.baseAddress, count, files, Int32(files.count))
      }
      guard sent >= 0 else { return false }
      guard sent > 0 else { return true }
      for file in files { relay_close(file) }
      parcel.files.removeFirst(files.count)
      parcel.bytes.removeFirst(Int(sent))
    }
    return true
  }

  /// Closes files that can no longer be sent.
  static func close(_ files: [Int32]) {
    for file in files { relay_close(file) }
  }

  /// Waits until one of the files is ready, at most so long.
  static func wait(_ waits: inout [relay_wait], milliseconds: Int32) {
    unsafe waits.withUnsafeMutableBufferPointer { waits in
      unsafe relay_poll(waits.baseAddress, waits.count, milliseconds)
    }
  }
}

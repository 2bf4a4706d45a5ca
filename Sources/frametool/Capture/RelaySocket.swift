import CRelay

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A local socket, whose messages may carry file descriptors. This is the only code that calls CRelay's C interface.
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

  /// A socket that waits for connections from programs on this machine.
  /// - Parameter port: The port; 0 for any free port.
  static func listening(onPort port: Int) throws(SystemError) -> RelaySocket {
    try made(loopback_listen(Int32(port)))
  }

  /// The port on which the socket listens.
  var port: Int { Int(loopback_port(file)) }

  private static func made(_ file: Int32) throws(SystemError) -> RelaySocket {
    guard file >= 0 else { throw SystemError(number: errno) }
    return RelaySocket(file)
  }

  /// The next connection; `nil` if none is pending.
  func accept() -> RelaySocket? {
    let found = relay_accept(file)
    return found < 0 ? nil : RelaySocket(found)
  }

  /// The process at the other end; 0 if unknown.
  var peer: Int { Int(relay_peer(file)) }

  /// The process at a socket, and its name; `nil` if no process listens there, or the system does not report it.
  static func program(at path: String) -> (process: Int, name: String)? {
    guard let peer = (try? connected(to: path))?.peer, peer > 0 else { return nil }
    return LaunchedProcess.name(of: peer).map { (peer, $0) }
  }

  /// A wait for data to receive.
  var readable: relay_wait {
    relay_wait(file: file, reads: 1, writes: 0, can_read: 0, can_write: 0)
  }

  /// Received bytes, with the file descriptors that arrived with them.
  struct Parcel {
    var bytes: [UInt8] = []
    var files: [Int32] = []
  }

  /// The data available now; `nil` if the other end is closed.
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

  /// Sends as much as the other end accepts, and removes the sent data from the parcel.
  /// - Returns: Whether the other end is still open.
  func send(_ parcel: inout Parcel) -> Bool {
    while !parcel.bytes.isEmpty {
      let most = Int(RELAY_MOST_SENT)
      let files = Array(parcel.files.prefix(most))
      // File descriptors beyond the limit of one message are sent with the next message.
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

  /// Closes file descriptors that can no longer be sent.
  static func close(_ files: [Int32]) {
    for file in files { relay_close(file) }
  }

  /// A wait for room to send.
  var writable: relay_wait {
    relay_wait(file: file, reads: 1, writes: 1, can_read: 0, can_write: 0)
  }

  /// A wait for room to send if nothing more is received.
  var onlyWritable: relay_wait {
    relay_wait(file: file, reads: 0, writes: 1, can_read: 0, can_write: 0)
  }

  /// Waits until one of the file descriptors is ready, at most for the given time.
  static func wait(_ waits: inout [relay_wait], milliseconds: Int32) {
    unsafe waits.withUnsafeMutableBufferPointer { waits in
      unsafe relay_poll(waits.baseAddress, waits.count, milliseconds)
    }
  }
}

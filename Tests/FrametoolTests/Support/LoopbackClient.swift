import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A connection to a port of this machine that sends exactly the bytes it is given.
final class LoopbackClient {
  private let file: Int32

  init(port: Int) throws {
    #if canImport(Glibc)
      file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      file = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe connect(file, address, size)
      }
    }
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    unsafe setsockopt(
      file, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    guard status == 0 else { throw POSIXError(.ECONNREFUSED) }
  }

  deinit { close(file) }

  /// Says that nothing more is asked.
  func finishSending() { _ = shutdown(file, Int32(SHUT_WR)) }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
  }

  /// What arrives until the other end closes, until a text was found in it, or for half a minute.
  func receive(until end: String? = nil) -> String {
    var all: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe part.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      all += part[..<count]
      if let end, String(decoding: all, as: UTF8.self).contains(end) { break }
    }
    return String(decoding: all, as: UTF8.self)
  }

  /// The answer to a request with the given fields.
  static func get(
    _ path: String, port: Int, method: String = "GET", _ fields: [String] = ["Host: localhost"]
  ) throws -> String {
    let client = try LoopbackClient(port: port)
    client.send((["\(method) \(path) HTTP/1.1"] + fields + ["", ""]).joined(separator: "\r\n"))
    return client.receive()
  }
}

/// An answer to a browser's request.
struct PageAnswer {
  let status: Status
  let type: String
  let body: [UInt8]
  /// Whether the connection stays open for messages.
  private(set) var staysOpen = false

  enum Status: String {
    case found = "200 OK"
    case malformed = "400 Bad Request"
    case refused = "403 Forbidden"
    case missing = "404 Not Found"
    case unknownMethod = "405 Method Not Allowed"
  }

  init(_ status: Status, type: String = "text/plain; charset=utf-8", _ body: [UInt8]) {
    (self.status, self.type, self.body) = (status, type, body)
  }

  /// A line that explains why there is no other content.
  init(_ status: Status, _ words: String) { self.init(status, Array("\(words)\n".utf8)) }

  /// The start of a message stream, in the form of the HTML standard's server-sent events.
  static let messages = {
    var answer = PageAnswer(.found, type: "text/event-stream", Array(": \n\n".utf8))
    answer.staysOpen = true
    return answer
  }()

  /// The bytes to send. The answer must not be stored, shown inside another page, or read by another page.
  func bytes(isHead: Bool) -> [UInt8] {
    var head = ["HTTP/1.1 \(status.rawValue)", "Content-Type: \(type)", "Cache-Control: no-store"]
    if !staysOpen { head += ["Content-Length: \(body.count)", "Connection: close"] }
    if status == .unknownMethod { head.append("Allow: GET, HEAD") }
    head += [
      "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
      "Cross-Origin-Resource-Policy: same-origin", "Cross-Origin-Opener-Policy: same-origin",
      "Content-Security-Policy: frame-ancestors 'none'", "X-Frame-Options: DENY",
    ]
    return Array((head + ["", ""]).joined(separator: "\r\n").utf8) + (isHead ? [] : body)
  }
}

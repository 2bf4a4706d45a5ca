import CRelay
import FrameKit

/// Answers the requests of browsers on this machine, one at a time, and sends messages to the pages that are open.
///
/// It uses one thread. A connection that is opened and says nothing, as browsers open them in advance, keeps nobody
/// waiting.
struct PageServer {
  let access = PageAccess()
  private let socket: RelaySocket
  private var connections: [Connection] = []
  /// When the last page was closed; `nil` before one was opened.
  private var closed: Int64?

  private struct Connection {
    let socket: RelaySocket
    let opened: Int64
    var received: [UInt8] = []
    var waiting = RelaySocket.Parcel()
    /// Whether an answer was given, and whether messages go to it.
    var isAnswered = false, isPage = false
  }

  /// The most connections at a time; a browser opens six.
  private static let mostConnections = 64
  /// How long a request may take to arrive.
  private static let patience: Int64 = 10_000_000_000
  /// How long a page may be closed before it counts as ended: loading it again takes less.
  private static let grace: Int64 = 4_000_000_000

  /// - Parameter port: 0 for any free one.
  init(port: Int) throws(SystemError) { socket = try .listening(onPort: port) }

  var address: String { "http://127.0.0.1:\(socket.port)/\(access.token)/" }

  /// Whether all pages were closed a while ago.
  func isEnded(at now: Int64) -> Bool {
    guard let closed, !connections.contains(where: \.isPage) else { return false }
    return now - closed > Self.grace
  }

  /// Sends a message to the pages that are open.
  mutating func tell(_ message: String) {
    for place in connections.indices where connections[place].isPage {
      connections[place].waiting.bytes += Array("data: \(message)\n\n".utf8)
    }
  }

  /// Waits for at most a while, and does what there is to do.
  /// - Parameter answer: The answer to a path; `nil` if there is nothing.
  mutating func work(milliseconds: Int32, _ answer: (String) -> PageAnswer?) {
    let hasRoom = connections.count < Self.mostConnections
    var waits = connections.map {
      $0.waiting.bytes.isEmpty ? $0.socket.readable : $0.socket.writable
    }
    if hasRoom { waits.append(socket.readable) }
    RelaySocket.wait(&waits, milliseconds: milliseconds)
    let now = LaunchedProcess.now
    while connections.count < Self.mostConnections, let made = socket.accept() {
      connections.append(Connection(socket: made, opened: now))
    }
    var kept: [Connection] = []
    for var connection in connections {
      let isOpen = serve(&connection, now, answer)
      if isOpen {
        kept.append(connection)
      } else if connection.isPage {
        closed = now
      }
    }
    connections = kept
  }

  /// - Returns: Whether the connection stays.
  private func serve(
    _ connection: inout Connection, _ now: Int64, _ answer: (String) -> PageAnswer?
  ) -> Bool {
    guard let parcel = connection.socket.receive() else { return false }
    // Nobody sends files to a port, and what follows a request is not read.
    RelaySocket.close(parcel.files)
    if !connection.isAnswered {
      connection.received += parcel.bytes
      switch PageRequest.find(in: connection.received) {
      case .unfinished: return now - connection.opened < Self.patience
      case .malformed:
        connection.waiting.bytes = PageAnswer(.malformed, "expected an HTTP request").bytes(
          isHead: false)
      case .whole(let request):
        let found = self.answer(to: request, answer)
        connection.waiting.bytes = found.bytes(isHead: request.method == "HEAD")
        connection.isPage = found.staysOpen && request.method == "GET"
      }
      connection.isAnswered = true
      connection.received = []
    }
    guard connection.socket.send(&connection.waiting) else { return false }
    return connection.isPage || !connection.waiting.bytes.isEmpty
  }

  private func answer(to request: PageRequest, _ answer: (String) -> PageAnswer?) -> PageAnswer {
    switch access.path(of: request) {
    case .failure(let refusal): refusal.answer
    // Pages below the first one have messages of their own.
    case .success(let path) where path == "messages" || path.hasSuffix("/messages"): .messages
    case .success(let path): answer(path) ?? PageAnswer(.missing, "nothing is here")
    }
  }
}

import CRelay
import FrameKit

/// Answers the requests of browsers on this machine, one at a time, and sends messages to open pages.
///
/// The server uses one thread. Idle connections, which browsers open in advance, do not block other connections.
struct PageServer {
  let access = PageAccess()
  private let socket: RelaySocket
  private var connections: [Connection] = []
  /// The time at which the last page was closed; `nil` before a page was opened.
  private var closed: Int64?
  /// The time at which data was last sent.
  private var answered: Int64 = 0

  private struct Connection {
    let socket: RelaySocket
    let opened: Int64
    var received: [UInt8] = []
    /// The data that remains to be sent.
    var waiting: ArraySlice<UInt8> = []
    /// The time at which data was last sent.
    var sent: Int64
    /// Whether the request was answered, whether the connection receives messages, and whether the other end sends
    /// nothing more.
    var isAnswered = false, isPage = false, isSilent = false

    init(_ socket: RelaySocket, _ now: Int64) { (self.socket, opened, sent) = (socket, now, now) }

    var wait: relay_wait {
      isSilent ? socket.onlyWritable : waiting.isEmpty ? socket.readable : socket.writable
    }

    /// Sends as much as the other end accepts.
    /// - Returns: Whether the other end is still open.
    mutating func send(_ now: Int64) -> Bool {
      while !waiting.isEmpty {
        var parcel = RelaySocket.Parcel(bytes: Array(waiting.prefix(1 << 16)))
        let count = parcel.bytes.count
        guard socket.send(&parcel) else { return false }
        waiting = waiting.dropFirst(count - parcel.bytes.count)
        guard parcel.bytes.count < count else { return true }
        sent = now
      }
      return true
    }
  }

  /// The maximum number of connections at a time; a browser opens six.
  private static let mostConnections = 64
  /// The maximum time for a request to arrive, and for an answer to be accepted.
  private static let patience: Int64 = 10_000_000_000
  /// How long a page may be closed before it counts as ended; reloading a page takes less time.
  private static let grace: Int64 = 4_000_000_000

  /// - Parameter port: The port; 0 for any free port.
  init(port: Int) throws(SystemError) { socket = try .listening(onPort: port) }

  var address: String { "http://127.0.0.1:\(socket.port)/\(access.token)/" }

  /// Whether all pages were closed a while ago, and no request or answer is in progress.
  func isEnded(at now: Int64) -> Bool {
    guard let closed else { return false }
    let isBusy = connections.contains { $0.isPage || !$0.waiting.isEmpty || !$0.received.isEmpty }
    return !isBusy && now - max(closed, answered) > Self.grace
  }

  /// Sends a message to all open pages.
  mutating func tell(_ message: String) {
    for position in connections.indices where connections[position].isPage {
      connections[position].waiting += Array("data: \(message)\n\n".utf8)
    }
  }

  /// Waits for at most the given time, and does the pending work.
  /// - Parameter answer: The answer for a path; `nil` if there is none.
  mutating func work(milliseconds: Int32, _ answer: (String) -> PageAnswer?) {
    var waits = connections.map(\.wait) + [socket.readable]
    RelaySocket.wait(&waits, milliseconds: milliseconds)
    let now = LaunchedProcess.now
    while let made = socket.accept() {
      if connections.count >= Self.mostConnections {
        // The connection that has been idle for longest is closed, because a browser sends its request at once.
        guard let silent = connections.firstIndex(where: { !$0.isAnswered }) else { break }
        connections.remove(at: silent)
      }
      connections.append(Connection(made, now))
    }
    var kept: [Connection] = []
    for var connection in connections {
      let isOpen = serve(&connection, now, answer)
      answered = max(answered, connection.isAnswered ? connection.sent : 0)
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
    if !connection.isSilent {
      if let parcel = connection.socket.receive() {
        // No files are expected on a port, and data after a request is not read.
        RelaySocket.close(parcel.files)
        if !connection.isAnswered { connection.received += parcel.bytes }
      } else {
        // The other end may only have finished its request; a closed page needs nothing more.
        connection.isSilent = true
        if connection.isPage { return false }
      }
    }
    if !connection.isAnswered {
      switch PageRequest.find(in: connection.received) {
      case .unfinished: return !connection.isSilent && now - connection.opened < Self.patience
      case .malformed:
        connection.waiting =
          PageAnswer(.malformed, "expected an HTTP request").bytes(isHead: false)[...]
      case .whole(let request):
        let found = self.answer(to: request, answer)
        connection.waiting = found.bytes(isHead: request.method == "HEAD")[...]
        connection.isPage = found.staysOpen && request.method == "GET"
      }
      connection.isAnswered = true
      connection.received = []
    }
    guard connection.send(now) else { return false }
    if !connection.waiting.isEmpty { return now - connection.sent < Self.patience }
    return connection.isPage
  }

  private func answer(to request: PageRequest, _ answer: (String) -> PageAnswer?) -> PageAnswer {
    switch access.path(of: request) {
    case .failure(let refusal): refusal.answer
    // Pages below the first page have separate messages.
    case .success(let path) where path == "messages" || path.hasSuffix("/messages"): .messages
    case .success(let path): answer(path) ?? PageAnswer(.missing, "nothing is here")
    }
  }
}

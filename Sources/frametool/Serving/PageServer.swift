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
  /// When something was last sent.
  private var answered: Int64 = 0

  private struct Connection {
    let socket: RelaySocket
    let opened: Int64
    var received: [UInt8] = []
    /// What is still to be sent.
    var waiting: ArraySlice<UInt8> = []
    /// When something was last sent.
    var sent: Int64
    /// Whether an answer was given, whether messages go to it, and whether it says nothing more.
    var isAnswered = false, isPage = false, isSilent = false

    init(_ socket: RelaySocket, _ now: Int64) { (self.socket, opened, sent) = (socket, now, now) }

    var wait: relay_wait {
      isSilent ? socket.onlyWritable : waiting.isEmpty ? socket.readable : socket.writable
    }

    /// Sends as much as the other end takes.
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

  /// The most connections at a time; a browser opens six.
  private static let mostConnections = 64
  /// How long a request may take to arrive, and an answer to be taken on.
  private static let patience: Int64 = 10_000_000_000
  /// How long a page may be closed before it counts as ended: loading it again takes less.
  private static let grace: Int64 = 4_000_000_000

  /// - Parameter port: 0 for any free one.
  init(port: Int) throws(SystemError) { socket = try .listening(onPort: port) }

  var address: String { "http://127.0.0.1:\(socket.port)/\(access.token)/" }

  /// Whether all pages were closed a while ago, and nothing is being asked or answered.
  func isEnded(at now: Int64) -> Bool {
    guard let closed else { return false }
    let isBusy = connections.contains { $0.isPage || !$0.waiting.isEmpty || !$0.received.isEmpty }
    return !isBusy && now - max(closed, answered) > Self.grace
  }

  /// Sends a message to the pages that are open.
  mutating func tell(_ message: String) {
    for position in connections.indices where connections[position].isPage {
      connections[position].waiting += Array("data: \(message)\n\n".utf8)
    }
  }

  /// Waits for at most a while, and does what there is to do.
  /// - Parameter answer: The answer to a path; `nil` if there is nothing.
  mutating func work(milliseconds: Int32, _ answer: (String) -> PageAnswer?) {
    var waits = connections.map(\.wait) + [socket.readable]
    RelaySocket.wait(&waits, milliseconds: milliseconds)
    let now = LaunchedProcess.now
    while let made = socket.accept() {
      if connections.count >= Self.mostConnections {
        // Whoever has said nothing for longest makes room: a browser asks at once.
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
        // Nobody sends files to a port, and what follows a request is not read.
        RelaySocket.close(parcel.files)
        if !connection.isAnswered { connection.received += parcel.bytes }
      } else {
        // The other end may only have finished asking; a page that has closed wants nothing more.
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
    // Pages below the first one have messages of their own.
    case .success(let path) where path == "messages" || path.hasSuffix("/messages"): .messages
    case .success(let path): answer(path) ?? PageAnswer(.missing, "nothing is here")
    }
  }
}

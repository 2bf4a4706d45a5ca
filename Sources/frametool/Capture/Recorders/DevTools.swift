import FrameKit

/// A DevTools protocol connection to a browser: JSON messages over two pipes, each message terminated by a zero byte.
struct DevTools {
  private let process: LaunchedProcess
  private let wish: StopWish?
  private var received: [UInt8] = []
  private var events: [(method: String, parameters: JSONNode)] = []
  private var lastNumber: Int64 = 0

  /// The longest wait for a reply, in nanoseconds.
  private static let patience: Int64 = 30_000_000_000

  init(_ process: LaunchedProcess, _ wish: StopWish?) {
    (self.process, self.wish) = (process, wish)
  }

  /// Calls a method and waits for its result.
  /// - Parameters:
  ///   - session: The session of a page; `nil` for the browser.
  ///   - parameters: Writes the members of the call's parameters.
  mutating func call(
    _ method: String, in session: String? = nil, _ parameters: (inout JSONWriter) -> Void = { _ in }
  ) throws(CommandError) -> JSONNode {
    let number = try send(method, in: session, parameters)
    let limit = LaunchedProcess.now + Self.patience
    while LaunchedProcess.now < limit {
      guard let message = try next(until: limit) else { continue }
      guard message["id"]?.integer == number else { continue }
      if let error = message["error"] {
        throw Self.failed("\(method): \(error["message"]?.text ?? "failed")")
      }
      return message["result"] ?? message
    }
    throw Self.failed("\(method): no answer")
  }

  /// Calls a method without waiting for its result.
  @discardableResult
  mutating func send(
    _ method: String, in session: String? = nil, _ parameters: (inout JSONWriter) -> Void = { _ in }
  ) throws(CommandError) -> Int64 {
    lastNumber += 1
    var json = JSONWriter(indented: false)
    json.object { json in
      json.key("id")
      json.value(lastNumber)
      json.key("method")
      json.value(method)
      if let session {
        json.key("sessionId")
        json.value(session)
      }
      json.key("params")
      json.object(parameters)
    }
    guard process.send(json.takeBytes() + [0]) else { throw Self.failed("the browser is gone") }
    return lastNumber
  }

  /// Waits for an event.
  /// - Parameter limit: When to give up; events received earlier count.
  /// - Returns: The event's parameters; `nil` if the event does not arrive in time, or the user requests a stop.
  mutating func event(_ method: String, until limit: Int64) throws(CommandError) -> JSONNode? {
    while true {
      if let position = events.firstIndex(where: { $0.method == method }) {
        return events.remove(at: position).parameters
      }
      guard LaunchedProcess.now < limit, !(wish?.hasCome ?? false) else { return nil }
      _ = try next(until: limit)
    }
  }

  /// Checks briefly for an event that must arrive even if the user requests a stop; `nil` if it has not arrived yet.
  mutating func finished(_ method: String) throws(CommandError) -> JSONNode? {
    if let position = events.firstIndex(where: { $0.method == method }) {
      return events.remove(at: position).parameters
    }
    _ = try next(until: LaunchedProcess.now + 50_000_000)
    return nil
  }

  /// Receives messages until a given time, or until the user requests a stop.
  mutating func listen(until limit: Int64) throws(CommandError) {
    while LaunchedProcess.now < limit, !(wish?.hasCome ?? false) { _ = try next(until: limit) }
  }

  /// Asks the browser to quit, and waits briefly until it has.
  mutating func close() {
    guard (try? send("Browser.close")) != nil else { return }
    let limit = LaunchedProcess.now + 3_000_000_000
    while LaunchedProcess.now < limit {
      if case .ended = process.next(until: limit) { return }
    }
  }

  /// The next message that is not an event; `nil` if none arrives soon.
  private mutating func next(until limit: Int64) throws(CommandError) -> JSONNode? {
    while true {
      if let end = received.firstIndex(of: 0) {
        let bytes = Array(received[..<end])
        received.removeFirst(end + 1)
        guard let message = JSONNode(reading: bytes) else { continue }
        guard let method = message["method"]?.text else { return message }
        events.append((method, message["params"] ?? message))
        return nil
      }
      switch process.next(until: min(limit, LaunchedProcess.now + 50_000_000)) {
      case .printed(let bytes, _): received += bytes
      case .timeOver: return nil
      case .ended(let end):
        let how = end.status.map { "with status \($0)" } ?? "by signal \(end.signal)"
        throw Self.failed("the browser ended \(how)")
      }
    }
  }

  static func failed(_ what: String) -> CommandError {
    CommandError(
      .unavailable, what,
      help: "start the browser by itself to see its messages, or choose another one with --browser")
  }
}

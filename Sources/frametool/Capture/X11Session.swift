import CX11Present
import FrameKit

/// A connection to an X server that follows what all programs present. This is the only code that calls CX11Present's C
/// interface.
@safe final class X11Session {
  /// An event reported by the server.
  enum Event {
    /// A program connected; the number identifies its resources.
    case connected(client: UInt32)
    case gone(client: UInt32)
    /// A program created a window, or requested events about a window's pixmaps.
    case selected(window: UInt32, client: UInt32)
    case present(Present)
    case complete(window: UInt32, Completion)
    case idle(window: UInt32, serial: UInt32, pixmap: UInt32)
  }

  struct Present {
    let window, client, serial, pixmap, options, serverTime: UInt32
    let target: UInt64
  }

  struct Completion {
    let serial: UInt32
    let refresh: UInt64
    /// The time in ns of the server's clock.
    let time: Int64
    let mode: UInt32
  }

  private static let room = 256
  private let session: OpaquePointer
  /// Whether the server has exited.
  private(set) var isOver = false

  /// - Parameter display: The display's name; `nil` for the display named by DISPLAY.
  init(_ display: String?) throws(CommandError) {
    var problem = [CChar](repeating: 0, count: Self.room)
    let opened = unsafe problem.withUnsafeMutableBufferPointer { problem in
      unsafe x11_present_open(display, problem.baseAddress, problem.count)
    }
    guard let session = unsafe opened else {
      throw CommandError(
        .unavailable, "\(display ?? "DISPLAY"): \(Self.text(problem))",
        help: "DISPLAY must name an X server that you may use; XAUTHORITY has its key")
    }
    unsafe self.session = session
  }

  deinit { unsafe x11_present_close(session) }

  private static func text(_ characters: [CChar]) -> String {
    String(
      decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The files that become readable when events arrive.
  var files: [Int32] {
    var files: [Int32] = [-1, -1]
    unsafe files.withUnsafeMutableBufferPointer { files in
      if let start = files.baseAddress { unsafe x11_present_files(session, start) }
    }
    return files
  }

  /// The next event, with the time at which it was read; `nil` if no event is pending.
  func next() -> (event: Event, time: Int64)? {
    var raw = x11_event()
    let found = unsafe x11_present_next(session, &raw)
    isOver = isOver || found < 0
    guard found > 0, let event = Self.event(raw) else { return nil }
    return (event, raw.arrival)
  }

  private static func event(_ raw: x11_event) -> Event? {
    switch raw.kind {
    case X11_CONNECTED: .connected(client: raw.client)
    case X11_GONE: .gone(client: raw.client)
    case X11_SELECTED, X11_CREATED: .selected(window: raw.window, client: raw.client)
    case X11_PRESENT:
      .present(
        Present(
          window: raw.window, client: raw.client, serial: raw.serial, pixmap: raw.pixmap,
          options: raw.options, serverTime: raw.server_time, target: raw.target_msc))
    case X11_COMPLETE:
      .complete(
        window: raw.window,
        Completion(serial: raw.serial, refresh: raw.msc, time: raw.ust, mode: raw.mode))
    case X11_IDLE: .idle(window: raw.window, serial: raw.serial, pixmap: raw.pixmap)
    default: nil
    }
  }

  /// Makes the server send its pending data.
  func wake() { unsafe x11_present_wake(session) }

  /// Requests events about when a window's pixmaps are shown.
  /// - Returns: Whether the window exists.
  func follow(_ window: UInt32) -> Bool { unsafe x11_present_follow(session, window) == 0 }

  /// The maximum number of programs that a server accepts with its default setting.
  private static let mostClients = 512

  /// The programs that are connected now; empty if the server does not report them.
  var clients: Set<UInt32> {
    var clients = [UInt32](repeating: 0, count: Self.mostClients)
    let count = unsafe clients.withUnsafeMutableBufferPointer { clients in
      unsafe x11_present_clients(session, clients.baseAddress, clients.count)
    }
    return Set(clients.prefix(count))
  }

  /// The process of a program; `nil` if the server does not know it.
  func process(of client: UInt32) -> Int? {
    let process = unsafe x11_present_process(session, client)
    return process > 0 ? Int(process) : nil
  }

  /// The title of a window; empty if the window has none.
  func title(of window: UInt32) -> String {
    var text = [CChar](repeating: 0, count: Self.room)
    unsafe text.withUnsafeMutableBufferPointer { text in
      if let start = text.baseAddress {
        unsafe x11_present_title(session, window, start, text.count)
      }
    }
    return Self.text(text)
  }
}

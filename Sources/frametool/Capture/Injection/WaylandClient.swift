import FrameKit

/// A minimal Wayland client without a library: it finds and binds the interfaces of a compositor, and sends requests.
struct WaylandClient {
  /// The path of the compositor's socket.
  let path: String
  private let socket: RelaySocket
  private var input: [UInt8] = []
  private var count: UInt32 = 2
  /// The compositor's globals: the interface, its name and its version.
  private(set) var globals: [(interface: String, name: UInt32, version: UInt32)] = []
  /// The size of the current mode of an output; `nil` if it has not been reported.
  private(set) var outputSize: (width: Double, height: Double)?

  private static let display: UInt32 = 1
  private static let registry: UInt32 = 2
  /// The longest wait for a reply, in ns.
  private static let patience: Int64 = 2_000_000_000

  init(compositor path: String) throws(InjectionTrouble) {
    self.path = path
    do throws(SystemError) {
      socket = try RelaySocket.connected(to: path)
    } catch {
      throw InjectionTrouble(
        problem: "there is no Wayland compositor at \(path): \(systemError(error.number))")
    }
    try send(Self.display, 1, [Self.registry])
    try settle()
  }

  func offers(_ interface: String) -> Bool { globals.contains { $0.interface == interface } }

  /// Binds the first global of an interface.
  mutating func bind(
    _ interface: String, atMost version: UInt32
  ) throws(InjectionTrouble) -> UInt32 {
    guard let global = globals.first(where: { $0.interface == interface }) else {
      throw InjectionTrouble(problem: "the compositor at \(path) does not offer \(interface)")
    }
    let number = newNumber()
    try send(
      Self.registry, 0,
      [global.name] + WaylandWireMessage.words(of: interface)
        + [min(version, global.version), number])
    return number
  }

  /// Creates a virtual device for the first seat through its manager.
  mutating func virtualDevice(_ manager: String) throws(InjectionTrouble) -> UInt32 {
    let (manager, seat) = (try bind(manager, atMost: 1), try bind("wl_seat", atMost: 1))
    let device = newNumber()
    try send(manager, 0, [seat, device])
    return device
  }

  private mutating func newNumber() -> UInt32 {
    count += 1
    return count
  }

  /// Sends a message of words, optionally with a file descriptor.
  mutating func send(
    _ object: UInt32, _ opcode: Int, _ words: [UInt32] = [], file: SharedFile? = nil
  ) throws(InjectionTrouble) {
    var parcel = RelaySocket.Parcel(bytes: WaylandWireMessage.bytes(object, opcode, words))
    // Sent descriptors are closed, so a duplicate is sent.
    if let file, let copy = file.copy() { parcel.files = [copy] }
    guard socket.send(&parcel), parcel.bytes.isEmpty else {
      throw InjectionTrouble(problem: "the compositor no longer accepts inputs")
    }
  }

  /// Reads pending events, so that the compositor does not block.
  mutating func listen() throws(InjectionTrouble) {
    guard let parcel = socket.receive() else {
      throw InjectionTrouble(problem: "the compositor closed the connection")
    }
    RelaySocket.close(parcel.files)
    input += parcel.bytes
    _ = try read(until: 0)
  }

  /// Waits until the compositor has processed all requests.
  mutating func settle() throws(InjectionTrouble) {
    let callback = newNumber()
    try send(Self.display, 0, [callback])
    let end = LaunchedProcess.now + Self.patience
    while LaunchedProcess.now < end {
      var waits = [socket.readable]
      RelaySocket.wait(&waits, milliseconds: 20)
      guard let parcel = socket.receive() else {
        throw InjectionTrouble(problem: "the compositor closed the connection")
      }
      RelaySocket.close(parcel.files)
      input += parcel.bytes
      if try read(until: callback) { return }
    }
    throw InjectionTrouble(problem: "the compositor does not answer")
  }

  /// - Returns: Whether the callback is done.
  private mutating func read(until callback: UInt32) throws(InjectionTrouble) -> Bool {
    var position = 0
    var isDone = false
    while let message = try? WaylandWireMessage(in: input, at: position) {
      position = message.bytes.upperBound
      switch (message.object, message.opcode) {
      case (Self.display, 0):
        let words = message.arguments(in: input, Array("ous".utf8))
        guard case .text(let problem)? = words?.last else { break }
        throw InjectionTrouble(problem: "the compositor reports: \(problem)")
      case (Self.registry, 0):
        let words = message.arguments(in: input, Array("usu".utf8))
        if let words, case .text(let interface) = words[1], let name = words[0].integer,
          let version = words[2].integer
        {
          globals.append((interface, name, version))
        }
      case (callback, 0): isDone = true
      case (output ?? 0, 1):
        let words = message.arguments(in: input, Array("uiii".utf8))?.compactMap(\.integer)
        if let words, words.count == 4, words[0] & 1 == 1, outputSize == nil {
          outputSize = (Double(words[1]), Double(words[2]))
        }
      default: break
      }
    }
    input.removeFirst(position)
    return isDone
  }

  private var output: UInt32?

  /// The point of a target, by default the center of the first output; afterwards, the output's size is known.
  mutating func point(of target: InjectionTarget) throws(InjectionTrouble) -> (x: Double, y: Double)
  {
    output = try bind("wl_output", atMost: 1)
    try settle()
    guard let size = outputSize else {
      throw InjectionTrouble(problem: "the compositor does not report the size of its output")
    }
    return target.point ?? (size.width / 2, size.height / 2)
  }

  /// The current timestamp for an input event, in ms.
  static var milliseconds: UInt32 { UInt32(truncatingIfNeeded: LaunchedProcess.now / 1_000_000) }
}

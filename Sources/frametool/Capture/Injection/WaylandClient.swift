import FrameKit

/// A connection of one's own to a compositor, for what no library is needed for: to find what it offers, bind it,
/// and say something.
struct WaylandClient {
  private let socket: RelaySocket
  private var input: [UInt8] = []
  private var count: UInt32 = 2
  /// What the compositor offers: the interface, its number and version.
  private(set) var globals: [(interface: String, name: UInt32, version: UInt32)] = []
  /// The size of the current mode of an output; `nil` where it has not said it.
  private(set) var outputSize: (width: Int64, height: Int64)?

  private static let display: UInt32 = 1
  private static let registry: UInt32 = 2
  /// How long an answer may take, in ns.
  private static let patience: Int64 = 2_000_000_000

  init(compositor path: String) throws(InjectionTrouble) {
    do throws(SystemError) {
      socket = try RelaySocket.connected(to: path)
    } catch {
      throw InjectionTrouble(
        problem: "there is no Wayland compositor at \(path): \(systemError(error.number))")
    }
    try send(Self.display, 1, [Self.registry])
    try settle()
  }

  /// Binds the first object of an interface.
  /// - Returns: `nil` where the compositor does not offer it.
  mutating func bind(_ interface: String, atMost version: UInt32) throws(InjectionTrouble)
    -> UInt32?
  {
    guard let global = globals.first(where: { $0.interface == interface }) else { return nil }
    let number = newNumber()
    try send(
      Self.registry, 0,
      [global.name] + Self.words(interface) + [min(version, global.version), number])
    return number
  }

  mutating func newNumber() -> UInt32 {
    count += 1
    return count
  }

  /// Sends a message of words, and a file with it.
  mutating func send(
    _ object: UInt32, _ opcode: Int, _ words: [UInt32] = [], file: SharedFile? = nil
  ) throws(InjectionTrouble) {
    try send(WaylandWireMessage.bytes(object, opcode, words), file)
  }

  private mutating func send(
    _ bytes: [UInt8], _ file: SharedFile?
  ) throws(InjectionTrouble) {
    var parcel = RelaySocket.Parcel(bytes: bytes, files: [])
    // What is sent is closed.
    if let file, let copy = file.copy() { parcel.files = [copy] }
    guard socket.send(&parcel), parcel.bytes.isEmpty else {
      throw InjectionTrouble(problem: "the compositor takes no inputs anymore")
    }
  }

  /// Takes what the compositor says meanwhile, so that it does not wait for it.
  mutating func listen() throws(InjectionTrouble) {
    guard let parcel = socket.receive() else {
      throw InjectionTrouble(problem: "the compositor has ended the connection")
    }
    RelaySocket.close(parcel.files)
    input += parcel.bytes
    _ = try read(until: 0)
  }

  /// Waits until the compositor has done what was said.
  mutating func settle() throws(InjectionTrouble) {
    let callback = newNumber()
    try send(Self.display, 0, [callback])
    let end = LaunchedProcess.now + Self.patience
    while LaunchedProcess.now < end {
      var waits = [socket.readable]
      RelaySocket.wait(&waits, milliseconds: 20)
      guard let parcel = socket.receive() else {
        throw InjectionTrouble(problem: "the compositor has ended the connection")
      }
      RelaySocket.close(parcel.files)
      input += parcel.bytes
      if try read(until: callback) { return }
    }
    throw InjectionTrouble(problem: "the compositor does not answer")
  }

  /// - Returns: Whether a callback was done.
  private mutating func read(until callback: UInt32) throws(InjectionTrouble) -> Bool {
    var place = 0
    var isDone = false
    while let message = try? WaylandWireMessage(in: input, at: place) {
      place = message.bytes.upperBound
      switch (message.object, message.opcode) {
      case (Self.display, 0):
        let words = message.arguments(in: input, Array("ous".utf8))
        guard case .text(let problem)? = words?.last else { break }
        throw InjectionTrouble(problem: "the compositor says: \(problem)")
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
          outputSize = (Int64(words[1]), Int64(words[2]))
        }
      default: break
      }
    }
    input.removeFirst(place)
    return isDone
  }

  private var output: UInt32?

  /// Asks for the size of the first output.
  mutating func findOutput() throws(InjectionTrouble) {
    output = try bind("wl_output", atMost: 1)
    try settle()
  }

  /// A text as words: its length with the zero at its end, and its bytes.
  static func words(_ text: String) -> [UInt32] {
    let bytes = Array(text.utf8) + [0]
    return [UInt32(bytes.count)]
      + stride(from: 0, to: bytes.count, by: 4).map { start in
        bytes[start..<min(start + 4, bytes.count)].reversed().reduce(0 as UInt32) {
          $0 << 8 | UInt32($1)
        }
      }
  }

  /// A number with a fraction of eight bits.
  static func fixed(_ value: Double) -> UInt32 {
    UInt32(bitPattern: Int32(clamping: Int64((value * 256).rounded())))
  }
}

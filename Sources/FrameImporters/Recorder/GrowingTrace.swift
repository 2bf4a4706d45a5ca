package import FrameTrace

/// The latest part of a trace that is still being written: records that come once, such as surfaces
/// and their connections, and recent frames.
package struct GrowingTrace {
  /// The form of the trace, which decides which lines are kept.
  private enum Form {
    /// Keeps records that do not belong to one instant.
    case native
    /// Keeps messages that create objects, and messages that set lasting state.
    case messages
    /// Keeps the names of columns.
    case table
  }

  /// A buffer of a connection.
  private struct Buffer: Hashable {
    let connection, number: Int64
  }

  private let path: String
  private let form: Form
  /// The lines that come once, in order; empty for a buffer that is gone.
  private var kept: [[UInt8]] = []
  /// The index of the line that created each existing buffer.
  private var buffers: [Buffer: Int] = [:]
  private var goneCount = 0
  /// Lines of frames, and when they were read.
  private var recent: [(bytes: [UInt8], time: Int64)] = []

  /// Records and messages that come with each frame, or with each input.
  private static let instants: Set<String> = [
    "frame", "touch", "refresh", "commit", "buffer", "marker", "telemetry", "counter", "launch",
  ]
  private static let passing: Set<String> = [
    "attach", "commit", "frame", "done", "release", "feedback", "presented", "discarded",
    "sync_output", "motion", "button", "key", "down", "up", "gap", "clocks", "destroy",
    "create_params", "cancel", "touch",
  ]
  /// Messages that create a buffer and begin with its number.
  private static let making: Set<String> = ["create_buffer", "create_immed", "created"]
  private var recentBytes = 0
  /// The limits for lines that come once and for frames; a file that is already long is also limited.
  private static let mostKeptLines = 50_000
  private let mostRecentBytes: Int

  /// - Parameters:
  ///   - path: The file's name, for errors.
  ///   - lines: The file's first lines, at least one.
  ///   - most: The maximum number of bytes of frames that are held.
  /// - Throws: For a format that cannot be read from the middle.
  package init(
    path: String, _ lines: [UInt8], at time: Int64, most: Int = 16 << 20
  ) throws(ParseError) {
    self.path = path
    mostRecentBytes = most
    let head = FileHead(Array(lines.prefix(1 << 16)))
    let found = Importers.all.first { $0.recognize(head) != nil }
    switch found?.name {
    case "native": form = .native
    case "wayland-proxy": form = .messages
    case "presentmon": form = .table
    default:
      let what = found?.title ?? "something else"
      throw ParseError(
        path: path,
        problem: "expected a recording of 'frametool capture' or PresentMon's CSV, found \(what)",
        help: "'frametool analyze' reads it once it is complete")
    }
    add(lines, at: time)
  }

  /// Consumes the lines that were written since the last call.
  package mutating func add(_ lines: [UInt8], at time: Int64) {
    var frames: [UInt8] = []
    for line in lines.split(separator: 0x0a) {
      if stays(line) {
        kept.append(line + [0x0a])
      } else {
        frames += line + [0x0a]
      }
    }
    guard !frames.isEmpty else { return }
    recent.append((frames, time))
    recentBytes += frames.count
    var count = 0
    while recentBytes > mostRecentBytes, count + 1 < recent.count {
      recentBytes -= recent[count].bytes.count
      count += 1
    }
    recent.removeFirst(count)
  }

  private mutating func stays(_ line: ArraySlice<UInt8>) -> Bool {
    if kept.count >= Self.mostKeptLines { return false }
    switch form {
    case .table: return kept.isEmpty
    case .native:
      guard let node = JSONNode(reading: Array(line)) else { return false }
      return node["type"]?.text.map { !Self.instants.contains($0) } ?? true
    case .messages:
      guard let parts = JSONNode(reading: Array(line))?.array, parts.count == 7,
        let name = parts[5].text
      else { return false }
      follow(parts, name)
      return !Self.passing.contains(name)
    }
  }

  /// Tracks the existing buffers, because a program may create new buffers for as long as it runs.
  private mutating func follow(_ message: [JSONNode], _ name: String) {
    guard let connection = message[1].integer else { return }
    if Self.making.contains(name), let number = message[6].array?.first?.integer {
      buffers[Buffer(connection: connection, number: number)] = kept.count
    } else if name == "destroy", message[3].text == "wl_buffer", let number = message[4].integer,
      let position = buffers.removeValue(forKey: Buffer(connection: connection, number: number))
    {
      kept[position] = []
      goneCount += 1
      if goneCount * 2 > kept.count { compact() }
    }
  }

  /// Removes the lines of buffers that are gone.
  private mutating func compact() {
    var positions: [Int: Int] = [:]
    var count = 0
    for position in kept.indices where !kept[position].isEmpty {
      positions[position] = count
      count += 1
    }
    kept.removeAll(where: \.isEmpty)
    goneCount = 0
    buffers = buffers.compactMapValues { positions[$0] }
  }

  /// Discards frames that were read before a time, except the frames that were read last.
  package mutating func forget(before time: Int64) {
    let count = recent.dropLast().prefix { $0.time < time }.count
    recentBytes -= recent.prefix(count).reduce(0) { $0 + $1.bytes.count }
    recent.removeFirst(count)
  }

  /// The kept lines and the recent frames, as a trace.
  /// - Throws: If no frame has arrived yet.
  package func trace() throws(ParseError) -> Trace {
    try Importers.read(
      InputFile(
        bytes: recent.reduce(into: Array(kept.joined())) { $0 += $1.bytes }, path: path))
  }
}

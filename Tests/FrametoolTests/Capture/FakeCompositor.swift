@testable import frametool

/// A compositor that is as strict with object numbers as libwayland: a new number is at most one
/// above the highest so far, and not in use.
struct FakeCompositor {
  /// The bytes that it sends.
  private(set) var output: [UInt8] = []
  /// The violations that it found.
  private(set) var violations: [String] = []
  /// The surfaces in commit order, each with the number of display times requested for it.
  private(set) var commits: [(surface: UInt32, feedbacks: Int)] = []
  private let offersPresentation: Bool
  private var input: [UInt8] = []
  private var kinds: [UInt32: String] = [1: "wl_display"]
  private var count: UInt32 = 2
  private var feedbacks: [UInt32: [UInt32]] = [:]
  private var time: UInt32 = 1

  static let globals = ["wl_compositor", "wl_shm", "wp_presentation", "xdg_wm_base"]

  init(offersPresentation: Bool = true) { self.offersPresentation = offersPresentation }

  mutating func takeOutput() -> [UInt8] {
    defer { output = [] }
    return output
  }

  mutating func consume(_ bytes: [UInt8]) {
    input += bytes
    var position = 0
    while let message = try? WaylandWireMessage(in: input, at: position) {
      position = message.bytes.upperBound
      let words = stride(from: message.bytes.lowerBound + 8, to: position, by: 4).map {
        WaylandWireMessage.word(in: input, at: $0)
      }
      consume(message.object, message.opcode, words)
    }
    input.removeFirst(position)
  }

  private mutating func make(_ number: UInt32, _ kind: String) {
    if number > count || kinds[number] != nil { violations.append("\(kind) \(number)") }
    count = max(count, number + 1)
    kinds[number] = kind
  }

  private mutating func free(_ number: UInt32) {
    kinds[number] = nil
    output += WaylandWireMessage.bytes(1, 1, [number])
  }

  private mutating func consume(_ object: UInt32, _ opcode: Int, _ words: [UInt32]) {
    switch (kinds[object], opcode) {
    case ("wl_display", 0):
      make(words[0], "wl_callback")
      output += WaylandWireMessage.bytes(words[0], 0, [time])
      free(words[0])
    case ("wl_display", 1):
      make(words[0], "wl_registry")
      for (name, interface) in Self.globals.enumerated()
      where offersPresentation || interface != "wp_presentation" {
        output += WaylandWireMessage.bytes(
          words[0], 0, [UInt32(name + 1)] + ProgramMessages.text(interface) + [1])
      }
    case ("wl_registry", 0):
      let interface = Self.globals[Int(words[0]) - 1]
      make(words[words.count - 1], interface)
      if interface == "wp_presentation" {
        output += WaylandWireMessage.bytes(words[words.count - 1], 0, [1])
      }
    case ("wl_compositor", 0): make(words[0], "wl_surface")
    case ("wl_surface", 0): free(object)
    case ("wl_surface", 3): make(words[0], "wl_callback")
    case ("wl_surface", 6): commit(object)
    case ("wl_shm", 0): make(words[0], "wl_shm_pool")
    case ("wl_shm_pool", 0): make(words[0], "wl_buffer")
    case ("wp_presentation", 0): free(object)
    case ("wp_presentation", 1):
      make(words[1], "wp_presentation_feedback")
      feedbacks[words[0], default: []].append(words[1])
    case (nil, _): violations.append("message \(opcode) to \(object)")
    default: break
    }
  }

  private mutating func commit(_ surface: UInt32) {
    let asked = feedbacks.removeValue(forKey: surface) ?? []
    commits.append((surface, asked.count))
    time += 16
    for feedback in asked {
      output += WaylandWireMessage.bytes(
        feedback, 1, [0, 0, time * 1_000_000, 16_666_667, 0, time, 0])
      free(feedback)
    }
  }
}

/// A program's messages, as bytes.
enum ProgramMessages {
  static func text(_ text: String) -> [UInt32] {
    var bytes = Array(text.utf8) + [0]
    let count = UInt32(bytes.count)
    while bytes.count % 4 != 0 { bytes.append(0) }
    return [count]
      + stride(from: 0, to: bytes.count, by: 4).map { WaylandWireMessage.word(in: bytes, at: $0) }
  }

  /// The messages of a program that binds what it needs and hands over frames.
  /// - Parameter asks: Whether the program itself requests display times.
  static func frames(_ count: Int, asks: Bool = false) -> [UInt8] {
    let message = WaylandWireMessage.bytes
    let bind = { (name: UInt32, interface: String, number: UInt32) in
      message(2, 0, [name] + text(interface) + [1, number])
    }
    var bytes = message(1, 1, [2])
    bytes += bind(1, "wl_compositor", 3) + bind(2, "wl_shm", 4) + bind(4, "xdg_wm_base", 5)
    bytes += message(3, 0, [6]) + message(4, 0, [7, 4096]) + message(7, 0, [8, 0, 16, 16, 64, 0])
    if asks { bytes += bind(3, "wp_presentation", 9) }
    for frame in 0..<UInt32(count) {
      bytes += message(6, 1, [8, 0, 0])
      if asks { bytes += message(9, 1, [6, 10 + frame]) }
      bytes += message(6, 6, [])
    }
    return bytes
  }
}

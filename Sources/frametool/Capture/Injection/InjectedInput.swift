/// The kind of input that is injected.
enum InjectedInput: String, CaseIterable, Sendable {
  case touch, pointer, key

  /// The kind of input, in words.
  var words: String {
    switch self {
    case .touch: "a touch"
    case .pointer: "a click"
    case .key: "a key"
    }
  }

  /// Whether an event sent to a program begins such an input.
  func begins(
    _ interface: WaylandProtocol.Interface, _ name: String, _ arguments: [WaylandArgument]
  ) -> Bool {
    switch (self, interface, name) {
    case (.touch, .touch, "down"): true
    case (.pointer, .pointer, "button"), (.key, .keyboard, "key"):
      arguments[3].integer == 1
    default: false
    }
  }
}

/// An injector of inputs into a compositor.
protocol InputInjector {
  /// Presses at a point of the output, or releases.
  /// - Parameter shift: The distance from the point, in the output's coordinates.
  /// - Throws: If the compositor has exited or refuses the input.
  mutating func inject(
    _ input: InjectedInput, isDown: Bool, shift: (x: Double, y: Double)
  ) throws(InjectionTrouble)
}

/// Why an input cannot be injected.
struct InjectionTrouble: Error {
  let problem: String
  var help: String?
}

/// The target of an input: a position and a key.
struct InjectionTarget {
  /// The position in the output's coordinates; `nil` for its center.
  var point: (x: Double, y: Double)?
  /// The key code from `linux/input-event-codes.h`.
  var key: UInt32 = 30
}

/// Codes from `linux/input-event-codes.h`.
enum LinuxInput {
  static let leftButton: UInt32 = 0x110
}

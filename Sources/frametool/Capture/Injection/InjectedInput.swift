/// What is injected.
enum InjectedInput: String, CaseIterable, Sendable {
  case touch, pointer, key

  /// What is pressed, for who runs it.
  var words: String {
    switch self {
    case .touch: "a touch"
    case .pointer: "a click"
    case .key: "a key"
    }
  }

  /// Whether an event that passes to a program is the beginning of such an input.
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

/// Puts inputs into a compositor.
protocol InputInjector {
  /// Presses at a point of the output, or lets go.
  /// - Parameter shift: How far from the point, in the output's coordinates.
  /// - Throws: When the compositor is gone or does not want it.
  mutating func inject(
    _ input: InjectedInput, isDown: Bool, shift: (x: Double, y: Double)
  ) throws(InjectionTrouble)
}

/// Why an input cannot be injected.
struct InjectionTrouble: Error {
  let problem: String
  var help: String?
}

/// Where and what is pressed.
struct InjectionTarget {
  /// In the output's own coordinates; `nil` for its middle.
  var point: (x: Double, y: Double)?
  /// The key's number in `linux/input-event-codes.h`.
  var key: UInt32 = 30
}

/// Numbers of `linux/input-event-codes.h`.
enum LinuxInput {
  static let leftButton: UInt32 = 0x110
}

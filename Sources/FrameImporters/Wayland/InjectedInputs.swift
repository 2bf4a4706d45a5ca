import FrameStatistics
import FrameTrace

/// Inputs that a recorder injected, and the frames whose pictures answered them:
///
///     [4287341953346,0,"!","inject",7,"touch",[]]
///     [4287375198713,1,"!","inject",7,"changed",[12,320,160,64,32]]
///
/// The first line is when it was injected, the second one the commit that first showed an answer, on which
/// connection and surface, and where in the picture. In its place `unchanged` says that the program got
/// the input and no picture answered it. A `blank` is a round without an input, to see what is found where there
/// is nothing to find.
struct InjectedInputs {
  /// What is known of the answer to an input.
  enum Answer: Hashable {
    /// Nobody could see it.
    case unknown
    /// There was none.
    case none
    /// The commit of a surface, in the time of messages.
    case commit(surface: UInt32, time: Int64)
  }

  /// What an event of a program's is to an injected input.
  enum Part: Hashable {
    case beginning(injected: Int64, Answer)
    /// It takes an input back, or leads up to it.
    case rest
  }

  private struct Input {
    let number: UInt32
    let time: Int64
    let devices: Set<TouchColumn.Device>
  }

  private struct Key: Hashable {
    let number: UInt32
    let connection: Int64
  }

  private var inputs: [Input] = []
  private var answers: [Key: Answer] = [:]
  private var blanks: Set<UInt32> = []
  private var falselyAnswered: Set<UInt32> = []

  var isEmpty: Bool { inputs.isEmpty }
  /// Rounds without an input, and those of them in which a change was found all the same.
  var blankCounts: (rounds: Int, changed: Int) { (blanks.count, falselyAnswered.count) }

  /// Takes a line of the recorder's.
  mutating func take(_ message: WaylandProxyMessage) {
    let key = Key(number: message.object, connection: message.connection)
    switch message.name {
    case "touch": add(message, [.touch])
    case "pointer": add(message, [.click, .pointer])
    case "key": add(message, [.key])
    case "blank": blanks.insert(message.object)
    case "changed":
      guard let surface = message.integer(0).flatMap({ UInt32(exactly: $0) }) else { return }
      if blanks.contains(message.object) {
        falselyAnswered.insert(message.object)
      } else {
        answers[key] = .commit(surface: surface, time: message.time)
      }
    case "unchanged": if !blanks.contains(message.object) { answers[key] = Answer.none }
    default: break
    }
  }

  private mutating func add(_ message: WaylandProxyMessage, _ devices: Set<TouchColumn.Device>) {
    inputs.append(Input(number: message.object, time: message.time, devices: devices))
  }

  /// What an event that a program got is to the input that was injected last before it; `nil` for nothing.
  /// - Parameter connection: The number of the program's connection.
  mutating func part(
    _ event: WaylandFact.Input, deliveredAt time: Int64, on connection: Int64
  ) -> Part? {
    // Lines of a recording stand in order of time.
    let next = inputs.boundary { $0.time > time }
    guard next > 0, inputs[next - 1].devices.contains(event.device) else { return nil }
    let input = inputs[next - 1]
    guard event.phase == .began,
      begun.insert(Key(number: input.number, connection: connection)).inserted
    else { return .rest }
    let answer = answers[Key(number: input.number, connection: connection)] ?? .unknown
    return .beginning(injected: input.time, answer)
  }

  /// Inputs of which the beginning was found on a connection.
  private var begun: Set<Key> = []
}

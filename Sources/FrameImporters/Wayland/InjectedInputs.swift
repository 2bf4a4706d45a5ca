import FrameStatistics
import FrameTrace

/// Inputs that a recorder injected, and the frames whose pictures answered them:
///
///     [4287341953346,0,"!","inject",7,"touch",[]]
///     [4287375198713,1,"!","inject",7,"changed",[12,320,160,64,32]]
///
/// The first line states when the input was injected. The second line states the commit that first showed an answer,
/// with its connection, its surface, and the area in the picture. A line with `unchanged` instead states that the
/// program received the input and no picture answered it. A `blank` is a round without an input, which shows what is
/// found when there is nothing to find.
struct InjectedInputs {
  /// What is known about the answer to an input.
  enum Answer: Hashable {
    /// The answer could not be observed.
    case unknown
    /// There was no answer.
    case none
    /// The answer is the commit of a surface, at a time on the clock of messages.
    case commit(surface: UInt32, time: Int64)
  }

  /// The part that a program's event plays in an injected input.
  enum Part: Hashable {
    case beginning(injected: Int64, Answer)
    /// It releases an input, or leads up to it.
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
  /// The number of rounds without an input, and the number of such rounds in which a change was found anyway.
  var blankCounts: (rounds: Int, changed: Int) { (blanks.count, falselyAnswered.count) }

  /// Consumes a line from the recorder.
  mutating func consume(_ message: RecordedMessage) {
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

  private mutating func add(_ message: RecordedMessage, _ devices: Set<TouchColumn.Device>) {
    inputs.append(Input(number: message.object, time: message.time, devices: devices))
  }

  /// The part that a program's event plays in the last input injected before it; `nil` for none.
  /// - Parameter connection: The number of the program's connection.
  mutating func part(
    _ event: WaylandFact.Input, deliveredAt time: Int64, on connection: Int64
  ) -> Part? {
    // The lines of a recording are in order of time.
    let next = inputs.partitioningIndex { $0.time > time }
    guard next > 0, inputs[next - 1].devices.contains(event.device) else { return nil }
    let input = inputs[next - 1]
    guard event.phase == .began,
      begun.insert(Key(number: input.number, connection: connection)).inserted
    else { return .rest }
    let answer = answers[Key(number: input.number, connection: connection)] ?? .unknown
    return .beginning(injected: input.time, answer)
  }

  /// The inputs whose beginning was found on a connection.
  private var begun: Set<Key> = []
}

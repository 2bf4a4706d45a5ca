/// Why an input could not be read: where, what was expected, what was found, what to try.
///
/// Its description is the one line a user sees: `path:line: problem` for text,
/// `path: byte N: problem` for binary input, lower case and without a full stop.
public struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error, which determines the exit status of the command line.
  public enum Kind: Sendable {
    /// The bytes are present but invalid.
    case badData
    /// The system could not provide the bytes.
    case inputOutput
  }

  /// Whether the data, the call, or the file system is at fault.
  public var kind: Kind
  /// The input's name as the user gave it; `-` is standard input.
  public var path: String
  /// The position in the input; `nil` if the error concerns the whole input.
  public var position: Position?
  /// What was expected and what was found.
  public var problem: String
  /// What to try, as a command or a step; `nil` if there is no useful advice.
  public var help: String?

  /// An error in an input.
  public init(
    _ kind: Kind = .badData, path: String, position: Position? = nil, problem: String,
    help: String? = nil
  ) {
    self.kind = kind
    self.path = path
    self.position = position
    self.problem = problem
    self.help = help
  }

  /// The message: input, position, and problem.
  public var description: String {
    switch position {
    case .line(let number): "\(path):\(number): \(problem)"
    case .byte(let offset): "\(path): byte \(offset): \(problem)"
    case nil: "\(path): \(problem)"
    }
  }
}

/// A position in an input: a line of text, counted from 1, or a byte, counted from 0.
public enum Position: Hashable, Sendable, CustomStringConvertible {
  case line(Int)
  case byte(Int)

  /// The position as shown in messages.
  public var description: String {
    switch self {
    case .line(let number): "line \(number)"
    case .byte(let offset): "byte \(offset)"
    }
  }
}

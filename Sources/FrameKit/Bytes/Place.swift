/// A position in an input: a line of a text, counted from 1, or a byte, counted from 0.
public enum Place: Hashable, Sendable, CustomStringConvertible {
  case line(Int)
  case byte(Int)

  public var description: String {
    switch self {
    case .line(let number): "line \(number)"
    case .byte(let offset): "byte \(offset)"
    }
  }
}

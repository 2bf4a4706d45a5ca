/// Something that the rebuilt pipeline tells, or why it does not.
public enum Finding<Value: Sendable>: Sendable {
  case found(Value)
  case missing(String)

  init(_ value: Value?, _ rebuilt: RebuiltSurface?, why: (RebuiltSurface) -> String?) {
    if let value {
      self = .found(value)
    } else {
      self = .missing(
        rebuilt.map { why($0) ?? "the trace does not tell" } ?? Self.notAsked)
    }
  }

  /// Why nothing is known that the metrics asked for do not need.
  private static var notAsked: String { "the metrics asked for do not need it" }

  /// What was found; `nil` when nothing was.
  public var value: Value? {
    if case .found(let value) = self { return value }
    return nil
  }

  /// Why nothing was found; `nil` when something was.
  public var whyMissing: String? {
    if case .missing(let why) = self { return why }
    return nil
  }
}

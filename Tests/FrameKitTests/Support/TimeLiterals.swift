public import FrameKit

// Tests write instants and lengths as whole numbers of nanoseconds, and refreshes by their number. The library itself does
// not, so that no unit is left to be guessed there.

extension Timestamp: ExpressibleByIntegerLiteral {
  public init(integerLiteral nanoseconds: Int64) { self.init(nanoseconds: nanoseconds) }
}

extension Nanoseconds: ExpressibleByIntegerLiteral {
  public init(integerLiteral count: Int64) { self.init(count) }
}

extension RefreshNumber: ExpressibleByIntegerLiteral {
  public init(integerLiteral number: Int64) { self.init(number) }
}

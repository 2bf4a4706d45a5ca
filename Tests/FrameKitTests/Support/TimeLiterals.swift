public import FrameKit

// In tests, instants and lengths can be written as whole numbers of nanoseconds, and refreshes as
// their number. The library does not allow this, so that units are never ambiguous there.

extension Timestamp: ExpressibleByIntegerLiteral {
  public init(integerLiteral nanoseconds: Int64) { self.init(nanoseconds: nanoseconds) }
}

extension Nanoseconds: ExpressibleByIntegerLiteral {
  public init(integerLiteral count: Int64) { self.init(count) }
}

extension RefreshNumber: ExpressibleByIntegerLiteral {
  public init(integerLiteral number: Int64) { self.init(number) }
}

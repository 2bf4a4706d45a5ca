/// The number of a refresh of a display. Numbers increase by one from refresh to refresh, starting at any number. If
/// the display kept no interval, each nanosecond counts as one.
public struct RefreshNumber: Hashable, Comparable, Strideable, Sendable {
  /// The number, counted by the display.
  public let number: Int64

  /// The refresh with that number.
  public init(_ number: Int64) { self.number = number }

  /// Whether the first refresh is earlier.
  public static func < (left: RefreshNumber, right: RefreshNumber) -> Bool {
    left.number < right.number
  }

  /// How many refreshes later another refresh is; negative for an earlier one.
  public func distance(to other: RefreshNumber) -> Int64 { other - self }

  /// The refresh that is a given number of refreshes after this one.
  public func advanced(by refreshes: Int64) -> RefreshNumber { self + refreshes }

  /// The numbers of consecutive refreshes, from 0.
  static func counted(_ count: Int) -> [RefreshNumber] {
    (0..<Int64(count)).map(RefreshNumber.init)
  }

  /// The refresh that is a given number of refreshes after another one.
  package static func + (refresh: RefreshNumber, count: Int64) -> RefreshNumber {
    RefreshNumber(refresh.number &+ count)
  }

  /// The refresh that is a given number of refreshes before another one.
  static func - (refresh: RefreshNumber, count: Int64) -> RefreshNumber {
    RefreshNumber(refresh.number &- count)
  }

  /// How many refreshes the first refresh is after the second.
  package static func - (later: RefreshNumber, earlier: RefreshNumber) -> Int64 {
    later.number &- earlier.number
  }
}

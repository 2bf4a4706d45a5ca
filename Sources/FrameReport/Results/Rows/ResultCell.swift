import FrameTrace

/// One value in a row of results, before an output format decides how it is written.
enum ResultCell {
  case text(String)
  case integer(Int64)
  case real(Double)
  case flag(Bool)
  case instant(Timestamp)
  case length(Nanoseconds)
  case interval(ClosedRange<Double>)
  case list([Double])
  /// The value in JSON, given the zero of times.
  case nested((Timestamp) -> FieldRecord.Value)

  /// The value as text for people, unless a column specifies another format.
  var plain: String {
    switch self {
    case .text(let text): text
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .flag(let flag): flag ? "yes" : "no"
    case .instant(let time): "\(time.nanoseconds)"
    case .length(let length): "\(length.milliseconds)"
    case .nested: ""
    case .list(let numbers): numbers.map { "\($0)" }.joined(separator: " ")
    case .interval(let bounds): "[\(bounds.lowerBound), \(bounds.upperBound)]"
    }
  }

  /// The value with the given number of decimals; durations are in milliseconds.
  func fixed(_ decimals: Int) -> String {
    switch self {
    case .real(let number): FixedNumber.text(number, decimals: decimals)
    case .length(let length): FixedNumber.text(length.milliseconds, decimals: decimals)
    default: plain
    }
  }
}

/// A line of the native format, with its members located but not yet read.
///
/// Eight bytes can be read from any index in the line.
struct NativeLine {
  let bytes: [UInt8]
  /// The range of the line in the bytes.
  let range: Range<Int>
  let members: ArraySlice<JSONScanner.Member>
  let number: Int
  /// Whether the previous record is of the same type.
  var isRepeated = false

  /// The value of the member with that key; `nil` if there is none.
  func token(_ key: String) -> JSONScanner.Token? {
    members.first { bytes[$0.key].elementsEqual(key.utf8) }?.value
  }

  /// The value of a member that is looked up in each line, by a constant name.
  func token(_ name: ByteName) -> JSONScanner.Token? {
    members.first { bytes.span.holds(name, in: $0.key) }?.value
  }

  /// The member's string; `nil` if there is none or it is not a string.
  func text(_ key: String) -> String? {
    guard let token = token(key), token.kind == .string else { return nil }
    return JSONScanner.text(bytes, token.range)
  }

  /// The member's flag; `nil` if there is none or it is not a flag.
  func flag(_ key: String) -> Bool? {
    switch token(key)?.kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The member's number in units of 10 to the power of −`scale`; `nil` if there is none or it is not a number that
  /// fits.
  func number(_ key: String, scale: Int = 0) -> Int64? {
    guard let token = token(key), token.kind == .number,
      case .value(let value) = DecimalNumber.read(bytes[token.range], scale: scale),
      value.magnitude <= Timestamp.bound
    else { return nil }
    return value
  }

  /// The member's whole number if it names something and therefore has no bound.
  func identifier(_ key: String) -> Int64? {
    guard let token = token(key), token.kind == .number,
      case .value(let value) = DecimalNumber.read(bytes[token.range], scale: 0)
    else { return nil }
    return value
  }

  /// The member's length of time, given in a unit with `scale` digits of nanoseconds.
  func length(_ key: String, scale: Int) -> Nanoseconds? {
    number(key, scale: scale).map(Nanoseconds.init)
  }
}

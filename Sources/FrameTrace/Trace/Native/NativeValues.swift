/// Converts JSON values into the numbers stored in columns, and notes values that do not fit.
struct NativeValues {
  /// The number of decimals that nanoseconds have in the file's unit of time.
  var scale = 0 { didSet { times = nil } }
  /// The surfaces named so far; their numbers are their indices in the trace.
  var surfaces = StringTable()
  var log = IssueLog()

  /// The number that a column of that schema stores for the value; `nil` if the value is `null` or does not fit the
  /// column.
  mutating func value(
    _ token: JSONScanner.Token, of schema: ColumnSchema, in line: NativeLine,
    texts: inout StringTable
  ) -> Int64? {
    if token.kind == .null { return nil }
    if let value = convert(token, schema.kind, line.bytes, &texts) { return value }
    log.note(
      .malformedValue, .dataLoss, "\(schema.key): expected \(expected(schema.kind))",
      at: .line(line.number))
    return nil
  }

  /// The index of the surface with an id; `nil` if the id is not a string.
  mutating func surface(_ token: JSONScanner.Token, _ line: NativeLine) -> Int? {
    guard token.kind == .string else { return nil }
    if let last = lastSurface, line.bytes.span.holds(last.id, in: token.range) {
      return last.position
    }
    let id = JSONScanner.text(line.bytes, token.range)
    let position = Int(surfaces.number(of: id))
    if token.range.count <= ByteName.longest {
      lastSurface = (ByteName(line.bytes[token.range]), position)
    }
    return position
  }

  /// The surface of the last frame, with the quotes around its id, which is usually also that of the next.
  private var lastSurface: (id: ByteName, position: Int)?
  private var times: DecimalReader?
  private var wholes = DecimalReader(scale: 0)

  private mutating func convert(
    _ token: JSONScanner.Token, _ kind: ColumnSchema.Kind, _ bytes: [UInt8],
    _ texts: inout StringTable
  ) -> Int64? {
    switch (kind, token.kind) {
    case (.time, .number), (.duration, .number): time(bytes, token)
    case (.count, .number), (.frame, .number): whole(bytes, token)
    // An identifying number, such as an address or a hash, may have any value.
    case (.identifier, .number): identifier(bytes, token)
    case (.flag, .true): 1
    case (.flag, .false): 0
    case (.real, .number): real(bytes, token)
    case (.text, .string): texts.number(of: JSONScanner.text(bytes, token.range))
    case (.surface, .string): surfaces.number(of: JSONScanner.text(bytes, token.range))
    case (.choice(let words), .string):
      words.firstIndex(of: JSONScanner.text(bytes, token.range)).map(Int64.init)
    default: nil
    }
  }

  private mutating func time(_ bytes: [UInt8], _ token: JSONScanner.Token) -> Int64? {
    var reader = times ?? DecimalReader(scale: scale)
    defer { times = reader }
    return reader.read(bytes.span, token.range).flatMap {
      $0.magnitude <= Timestamp.bound ? $0 : nil
    }
  }

  private mutating func identifier(_ bytes: [UInt8], _ token: JSONScanner.Token) -> Int64? {
    if token.range.count <= 16, let number = plain(bytes, token) { return number }
    return Int64(String(decoding: bytes[token.range], as: UTF8.self))
  }

  /// A number of digits only; `nil` for any other number.
  private mutating func plain(_ bytes: [UInt8], _ token: JSONScanner.Token) -> Int64? {
    let isPlain = bytes[token.range].allSatisfy { $0 &- 0x30 < 10 }
    return isPlain ? wholes.read(bytes.span, token.range) : nil
  }

  private func number(_ bytes: [UInt8], _ token: JSONScanner.Token, scale: Int) -> Int64? {
    guard case .value(let value) = DecimalNumber.read(bytes[token.range], scale: scale),
      value.magnitude <= Timestamp.bound
    else { return nil }
    return value
  }

  private func whole(_ bytes: [UInt8], _ token: JSONScanner.Token) -> Int64? {
    let isPlain = bytes[token.range].allSatisfy { $0 &- 0x30 < 10 || $0 == UInt8(ascii: "-") }
    return isPlain ? number(bytes, token, scale: 0) : nil
  }

  private func real(_ bytes: [UInt8], _ token: JSONScanner.Token) -> Int64? {
    let number = Double(String(decoding: bytes[token.range], as: UTF8.self))
    // Note: adding zero turns -0.0, which has the bits that mean "missing", into 0.
    return number.map { Int64(bitPattern: ($0 + 0).bitPattern) }
  }

  private func expected(_ kind: ColumnSchema.Kind) -> String {
    switch kind {
    case .time, .duration, .real: "a number"
    case .count, .identifier, .frame: "a whole number"
    case .flag: "true or false"
    case .choice(let words): "one of " + words.joined(separator: ", ")
    case .text: "a text"
    case .surface: "the id of a surface"
    }
  }
}

/// Writes JSON text with keys in the given order.
///
/// Foundation's encoder orders keys by name or not at all, and converts some 64-bit integers
/// through a double. A fixed order and exact numbers are guaranteed here.
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []
  private var indented: Bool
  /// Whether each open object or array has content.
  private var open: [Bool] = []
  private var afterKey = false

  /// - Parameter indented: Whether each member is on its own line.
  package init(indented: Bool) { self.indented = indented }

  package mutating func object(_ body: (inout JSONWriter) -> Void) {
    group(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
  }

  /// An object that starts with members already encoded as JSON, because many records start with the same members.
  mutating func object(beginning members: [UInt8], _ body: (inout JSONWriter) -> Void) {
    group(UInt8(ascii: "{"), UInt8(ascii: "}"), beginning: members, body)
  }

  package mutating func array(_ body: (inout JSONWriter) -> Void) {
    group(UInt8(ascii: "["), UInt8(ascii: "]"), body)
  }

  /// An array on one line, even within indented text.
  package mutating func inlineArray(_ body: (inout JSONWriter) -> Void) {
    onOneLine { $0.array(body) }
  }

  /// An object on one line, even within indented text.
  package mutating func inlineObject(_ body: (inout JSONWriter) -> Void) {
    onOneLine { $0.object(body) }
  }

  private mutating func onOneLine(_ write: (inout JSONWriter) -> Void) {
    startItem()
    let before = indented
    afterKey = true
    indented = false
    write(&self)
    indented = before
  }

  package mutating func key(_ key: String) {
    startItem()
    quote(key)
    endKey()
  }

  /// A key in quotes, for keys that are written often.
  struct Key {
    fileprivate let bytes: [UInt8]

    init(_ key: String) {
      var json = JSONWriter(indented: false)
      json.quote(key)
      bytes = json.bytes
    }
  }

  mutating func key(_ key: Key) {
    startItem()
    bytes += key.bytes
    endKey()
  }

  private mutating func endKey() {
    bytes.append(UInt8(ascii: ":"))
    if indented { bytes.append(0x20) }
    afterKey = true
  }

  package mutating func value(_ text: String) {
    startItem()
    quote(text)
  }

  package mutating func value(_ number: Int64) { value(number, decimals: 0) }
  package mutating func value(_ number: Int) { value(Int64(number)) }

  /// Writes a whole number divided by a power of ten, without trailing zeros in its fraction.
  package mutating func value(_ number: Int64, decimals: Int) {
    startItem()
    DecimalText.append(number, digits: decimals, to: &bytes)
  }

  package mutating func value(_ flag: Bool) { raw(flag ? "true" : "false") }
  package mutating func null() { raw("null") }

  /// Writes a number in the shortest form that reads back the same; a number that JSON cannot represent becomes `null`.
  package mutating func value(_ number: Double) {
    guard number.isFinite else { return null() }
    if number == number.rounded(), abs(number) < 1e15 {
      value(Int64(number))
    } else {
      raw("\(number)")
    }
  }

  /// Writes a line feed, for example between the records of JSON Lines.
  package mutating func endLine() { bytes.append(0x0a) }

  /// Returns the text written so far and starts again with an empty text.
  package mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Writes an array element or a member's value that is already JSON.
  package mutating func item(_ json: String) { raw(json) }

  /// Writes text between values of the outermost level.
  package mutating func literal(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func raw(_ text: String) {
    startItem()
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func group(
    _ opening: UInt8, _ closing: UInt8, beginning: [UInt8] = [],
    _ body: (inout JSONWriter) -> Void
  ) {
    startItem()
    bytes.append(opening)
    bytes += beginning
    open.append(!beginning.isEmpty)
    body(&self)
    let wasUsed = open.removeLast()
    if wasUsed, indented { newLine() }
    bytes.append(closing)
  }

  private mutating func startItem() {
    if afterKey {
      afterKey = false
      return
    }
    guard let used = open.last else { return }
    if used { bytes.append(UInt8(ascii: ",")) }
    open[open.count - 1] = true
    if indented { newLine() }
  }

  private mutating func newLine() {
    bytes.append(0x0a)
    bytes.append(contentsOf: repeatElement(0x20, count: 2 * open.count))
  }

  /// Writes a string. Characters that a terminal interprets as commands or changes of direction are escaped, so that
  /// the string reads back the same and has no effect when it is printed.
  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    let isPlain = text.utf8.allSatisfy { byte in
      !PrintableText.mayHaveEffect(byte) && byte != UInt8(ascii: "\"")
        && byte != UInt8(ascii: "\\")
    }
    if isPlain {
      bytes.append(contentsOf: text.utf8)
    } else {
      for scalar in text.unicodeScalars { add(scalar) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func add(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"", "\\": bytes.append(contentsOf: "\\\(scalar)".utf8)
    case "\n": bytes.append(contentsOf: "\\n".utf8)
    case "\r": bytes.append(contentsOf: "\\r".utf8)
    case "\t": bytes.append(contentsOf: "\\t".utf8)
    case _ where PrintableText.hasEffect(scalar):
      let digits = String(scalar.value, radix: 16)
      bytes.append(
        contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
    default: bytes.append(contentsOf: String(scalar).utf8)
    }
  }
}

extension JSONWriter {
  /// Writes a member, `null` for a missing value.
  package mutating func member(_ key: String, _ text: String?) {
    self.key(key)
    if let text { value(text) } else { null() }
  }

  /// Writes a member, `null` for a missing value.
  package mutating func member(_ key: String, _ number: Double?) {
    self.key(key)
    if let number { value(number) } else { null() }
  }

  /// Writes a member, `null` for a missing value.
  package mutating func member(_ key: String, _ number: Int64?) {
    self.key(key)
    if let number { value(number) } else { null() }
  }

  /// Writes a member with a whole number divided by a power of ten.
  package mutating func member(_ key: String, _ number: Int64, decimals: Int) {
    self.key(key)
    value(number, decimals: decimals)
  }

  /// Writes a member, `null` for a missing value.
  package mutating func member(_ key: String, _ number: Int?) {
    member(key, number.map(Int64.init))
  }

  /// Writes a member, `null` for a missing value.
  package mutating func member(_ key: String, _ flag: Bool?) {
    self.key(key)
    if let flag { value(flag) } else { null() }
  }

  /// Writes a member unless its value is missing.
  package mutating func memberIfAny(_ key: String, _ text: String?) {
    if text != nil { member(key, text) }
  }

  /// Writes a member unless its value is missing.
  package mutating func memberIfAny(_ key: String, _ number: Int64?) {
    if number != nil { member(key, number) }
  }

  /// Writes a member unless its value is missing.
  package mutating func memberIfAny(_ key: String, _ number: Int?) {
    if number != nil { member(key, number) }
  }

  /// Writes a member unless its value is missing.
  mutating func memberIfAny(_ key: String, _ flag: Bool?) {
    if flag != nil { member(key, flag) }
  }

  /// Writes why members of the open object are `null`; writes nothing if there are no reasons.
  package mutating func writeReasons(_ reasons: [(String, String)]) {
    guard !reasons.isEmpty else { return }
    key("why_missing")
    object { json in
      for (key, why) in reasons { json.member(key, why) }
    }
  }
}

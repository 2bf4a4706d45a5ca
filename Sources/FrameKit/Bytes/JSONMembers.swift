extension JSONWriter {
  /// Writes a member, `null` for a missing value.
  mutating func member(_ key: String, _ text: String?) {
    self.key(key)
    if let text { value(text) } else { null() }
  }

  /// Writes a member, `null` for a missing value.
  mutating func member(_ key: String, _ number: Double?) {
    self.key(key)
    if let number { value(number) } else { null() }
  }

  /// Writes a member, `null` for a missing value.
  mutating func member(_ key: String, _ number: Int64?) {
    self.key(key)
    if let number { value(number) } else { null() }
  }

  /// Writes a member, `null` for a missing value.
  mutating func member(_ key: String, _ number: Int?) { member(key, number.map(Int64.init)) }

  /// Writes a member, `null` for a missing value.
  mutating func member(_ key: String, _ flag: Bool?) {
    self.key(key)
    if let flag { value(flag) } else { null() }
  }

  /// Writes a member unless its value is missing.
  mutating func memberIfAny(_ key: String, _ text: String?) {
    if text != nil { member(key, text) }
  }

  /// Writes a member unless its value is missing.
  mutating func memberIfAny(_ key: String, _ number: Int64?) {
    if number != nil { member(key, number) }
  }

  /// Writes a member unless its value is missing.
  mutating func memberIfAny(_ key: String, _ number: Int?) {
    if number != nil { member(key, number) }
  }

  /// Writes a member unless its value is missing.
  mutating func memberIfAny(_ key: String, _ flag: Bool?) {
    if flag != nil { member(key, flag) }
  }

  /// Writes why members of the open object are `null`; nothing when none is.
  mutating func writeReasons(_ reasons: [(String, String)]) {
    guard !reasons.isEmpty else { return }
    key("why_missing")
    object { json in
      for (key, why) in reasons { json.member(key, why) }
    }
  }
}

/// How a document writes its numbers, which MetricKit does in the user's language: `1,190,070 ms`,
/// `1.190.070 ms`, `0,5 ms per s`.
///
/// One separator with three digits behind it can be either, so all numbers of a document are looked
/// at first.
struct LocalisedNumbers {
  /// What stands before the fraction, where any number tells.
  private(set) var decimal: Character?
  /// What stands between thousands, where any number tells.
  private(set) var grouping: Character?
  /// Numbers of which nothing tells what their separator is, taken to be between thousands.
  private(set) var assumed = 0

  /// Separators that never stand before a fraction.
  private static let blanks: Set<Character> = [
    " ", "\u{a0}", "\u{202f}", "'", "\u{2019}", "\u{66c}",
  ]

  /// - Parameter texts: All quantities of a document.
  init(_ texts: [String]) {
    for text in texts { learn(Self.split(text).number) }
  }

  private mutating func learn(_ number: String) {
    let places = number.indices.filter { ",.".contains(number[$0]) }
    guard let last = places.last else { return }
    let kinds = Set(places.map { number[$0] })
    let behind = number.distance(from: last, to: number.endIndex) - 1
    let before = number[..<places[0]].count { $0.isWholeNumber }
    if kinds.count == 2 {
      set(decimal: number[last])
    } else if places.count > 1 {
      set(grouping: number[last])
    } else if behind != 3 || before > 3 || number.hasPrefix("0") {
      set(decimal: number[last])
    }
  }

  private mutating func set(decimal character: Character) {
    guard decimal == nil else { return }
    decimal = character
    grouping = grouping ?? (character == "," ? "." : ",")
  }

  private mutating func set(grouping character: Character) {
    guard grouping == nil else { return }
    grouping = character
    decimal = decimal ?? (character == "," ? "." : ",")
  }

  /// A number and what stands behind it: `1,190,070毫秒`; `nil` for anything else.
  mutating func quantity(_ text: String) -> (value: Double, unit: String)? {
    let (number, unit) = Self.split(text)
    var plain = ""
    var isAmbiguous = false
    var isBehindDigit = false
    for character in number {
      let isDigit = character.wholeNumberValue != nil
      defer { isBehindDigit = isDigit }
      // What separates stands behind a digit, each by itself.
      if !isDigit, !isBehindDigit, !plain.isEmpty { return nil }
      if let digit = character.wholeNumberValue {
        plain += "\(digit)"
      } else if character == "-" || character == "\u{2212}" {
        plain += "-"
      } else if character == decimal || character == "\u{66b}" {
        plain += "."
      } else if decimal == nil, grouping == nil, ",.".contains(character) {
        isAmbiguous = true
      } else if character != grouping, !Self.blanks.contains(character) {
        return nil
      }
    }
    guard let value = Double(plain), value.isFinite else { return nil }
    if isAmbiguous { assumed += 1 }
    return (value, unit)
  }

  /// Divides a quantity where its number ends.
  private static func split(_ text: String) -> (number: String, unit: String) {
    let isPart = { (character: Character) in
      character.wholeNumberValue != nil || blanks.contains(character)
        || "-,.\u{2212}\u{66b}".contains(character)
    }
    let end = text.firstIndex { !isPart($0) } ?? text.endIndex
    var number = text[..<end]
    while let last = number.last, last.wholeNumberValue == nil { number.removeLast() }
    while let first = number.first, blanks.contains(first) { number.removeFirst() }
    return (String(number), String(text[end...]))
  }
}

/// The number format of a document; MetricKit writes numbers in the user's language: `1,190,070
/// ms`, `1.190.070 ms`, `0,5 ms per s`.
///
/// A single separator with three digits after it is ambiguous. Therefore, all numbers of a document are examined first,
/// and then the region that the document names.
struct LocalisedNumbers {
  /// The decimal separator; `nil` if unknown.
  private(set) var decimal: Character?
  /// The thousands separator; `nil` if unknown.
  private(set) var grouping: Character?
  /// The number of quantities with an ambiguous separator, which is assumed to separate thousands.
  private(set) var assumed = 0

  /// Characters that are never decimal separators.
  private static let blanks: Set<Character> = [
    " ", "\u{a0}", "\u{202f}", "'", "\u{2019}", "\u{66c}",
  ]
  /// Text direction marks, which have no meaning for numbers.
  private static let marks: Set<Character> = ["\u{200e}", "\u{200f}", "\u{61c}"]
  /// The largest ratio in ms per s: at most the complete second can be late.
  private static let largestRatio = 1000.0

  /// - Parameters:
  ///   - texts: All quantities of a document.
  ///   - region: The region that the document names, as an ISO 3166 code.
  init(_ texts: [String], region: String?) {
    for text in texts { learn(Self.split(text)) }
    guard decimal == nil, let region else { return }
    // If the numbers do not show the format, the region decides.
    if Self.commaRegions.contains(region) { set(decimal: ",") }
    if Self.pointRegions.contains(region) { set(decimal: ".") }
  }

  private mutating func learn(_ text: (number: String, unit: String)) {
    let number = text.number
    let positions = number.indices.filter { ",.".contains(number[$0]) }
    guard let last = positions.last else { return }
    let kinds = Set(positions.map { number[$0] })
    let behind = number.distance(from: last, to: number.endIndex) - 1
    let before = number[..<positions[0]].count { Self.digit($0) != nil }
    let hasBlank = number.contains { Self.blanks.contains($0) }
    if kinds.count == 2 || hasBlank {
      set(decimal: number[last])
    } else if positions.count > 1 {
      set(grouping: number[last])
    } else if behind != 3 || before > 3 || number.hasPrefix("0") {
      set(decimal: number[last])
    } else if text.unit.contains(" per "), let whole = Self.whole(number),
      whole > Self.largestRatio
    {
      set(decimal: number[last])
    }
  }

  private static func whole(_ number: String) -> Double? {
    Double(number.compactMap(digit).map { "\($0)" }.joined())
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

  /// The number and unit of a string such as `1,190,070毫秒`; `nil` for any other string.
  mutating func quantity(_ text: String) -> (value: Double, unit: String)? {
    let (number, unit) = Self.split(text)
    var plain = ""
    var isAmbiguous = false
    var isBehindDigit = false
    for character in number {
      let digit = Self.digit(character)
      defer { isBehindDigit = digit != nil }
      // Each separator must directly follow a digit.
      if digit == nil, !isBehindDigit, !plain.isEmpty { return nil }
      if let digit {
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

  /// A digit of any script. Characters for larger numbers, such as `千`, do not count.
  private static func digit(_ character: Character) -> Int? {
    guard character.unicodeScalars.first?.properties.generalCategory == .decimalNumber else {
      return nil
    }
    return character.wholeNumberValue
  }

  /// Splits a quantity at the end of its number.
  private static func split(_ text: String) -> (number: String, unit: String) {
    let text = text.filter { !marks.contains($0) }
    let isPart = { (character: Character) in
      digit(character) != nil || blanks.contains(character)
        || "-,.\u{2212}\u{66b}".contains(character)
    }
    let end = text.firstIndex { !isPart($0) } ?? text.endIndex
    var number = text[..<end]
    while let last = number.last, digit(last) == nil { number.removeLast() }
    while let first = number.first, blanks.contains(first) { number.removeFirst() }
    return (String(number), String(text[end...]))
  }

  /// Regions that write a comma before the fraction (Unicode CLDR).
  private static let commaRegions: Set<String> = [
    "AD", "AL", "AM", "AO", "AR", "AT", "AZ", "BA", "BE", "BG", "BO", "BR", "BY", "CL", "CM", "CO",
    "CR", "CZ", "DE", "DK", "DZ", "EC", "EE", "ES", "FI", "FO", "FR", "GE", "GL", "GR", "HR", "HU",
    "ID", "IS", "IT", "KG", "KZ", "LT", "LU", "LV", "MA", "MC", "MD", "ME", "MK", "MZ", "NL", "NO",
    "PL", "PT", "PY", "RO", "RS", "RU", "SE", "SI", "SK", "SM", "SN", "TN", "TR", "UA", "UY", "UZ",
    "VA", "VE", "VN", "XK", "ZA",
  ]

  /// Large regions that write a point.
  private static let pointRegions: Set<String> = [
    "AU", "BD", "CN", "GB", "GT", "HK", "IE", "IL", "IN", "JP", "KE", "KR", "LK", "MX", "MY", "NG",
    "NZ", "PA", "PE", "PH", "PK", "SG", "SV", "TH", "TW", "US",
  ]
}

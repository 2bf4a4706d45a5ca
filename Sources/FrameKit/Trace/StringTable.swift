/// Texts with a number each, so that a column of texts that repeat is a column of numbers.
public struct StringTable: Sendable {
  public private(set) var texts: [String] = []
  private var numbers: [String: Int64] = [:]

  /// The text's number, a new one when the text is new.
  mutating func number(of text: String) -> Int64 {
    if let number = numbers[text] { return number }
    let number = Int64(texts.count)
    numbers[text] = number
    texts.append(text)
    return number
  }

  /// The one copy of a text that is kept, for what comes again and again.
  mutating func shared(_ text: String) -> String {
    let number = number(of: text)
    return self[number]
  }

  /// The text with that number.
  subscript(number: Int64) -> String { texts[Int(number)] }
}

/// Finds the place of a key in a list, quickest when keys come in the same order each time,
/// as they do in the records of one writer.
struct KeyOrder {
  private let keys: [[UInt8]]
  private let places: [String: Int]
  /// For each place in a record the key that stood there last.
  private var guesses: [Int] = []

  init(_ keys: [String]) {
    self.keys = keys.map { Array($0.utf8) }
    places = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })
  }

  /// The place of the key whose text is `bytes[range]`; `nil` when it is not in the list.
  /// - Parameter position: Which member of its record the key is.
  mutating func place(of bytes: [UInt8], _ range: Range<Int>, at position: Int) -> Int? {
    if position < guesses.count, keys[guesses[position]].elementsEqual(bytes[range]) {
      return guesses[position]
    }
    guard let place = places[String(decoding: bytes[range], as: UTF8.self)] else { return nil }
    while guesses.count <= position { guesses.append(place) }
    guesses[position] = place
    return place
  }
}

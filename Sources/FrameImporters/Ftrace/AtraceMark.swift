import FrameTrace

/// A mark as it was written, with its names stored as numbers.
enum AtraceMark {
  /// Consecutive slices of a process on a track: slices with the same cookie.
  struct Track: Hashable {
    let process: Int64
    let name: Int
    /// The cookie, or the number of its string if the cookie is not a plain number.
    let cookie: Int64
    let isText: Bool
  }

  /// It does not follow the grammar.
  case malformed
  case begin(process: Int64, name: Int)
  case end
  case asyncBegin(Track, name: Int)
  case asyncEnd(Track)
  case counter(process: Int64, name: Int, value: Int64)
  case instant(process: Int64, name: Int)
}

/// Reads marks from their bytes. There are many marks but few names, so each name is stored once.
struct AtraceMarkReader {
  /// The names by their numbers.
  private(set) var names = ByteTable()
  private var cookies = ByteTable()
  /// The parts of the mark being read.
  private var parts: [Range<Int>] = []

  private static let bar = UInt8(ascii: "|")
  private static let openHarmony: ByteName = "H:"
  /// The maximum number of parts; the last part may contain bars.
  private static let mostParts = 5

  /// Reads a string that a thread wrote; `nil` if the string does not have the form of the grammar.
  /// - Precondition: Eight bytes can be read from any index in the range.
  mutating func read(_ bytes: Span<UInt8>, _ text: Range<Int>) -> AtraceMark? {
    var end = text.upperBound
    while end > text.lowerBound, bytes[end - 1] == 0x0a || bytes[end - 1] == 0 { end -= 1 }
    let text = text.lowerBound..<end
    guard let kind = text.first.map({ bytes[$0] }), "BESFCINGH".utf8.contains(kind),
      text.count == 1 ? kind == UInt8(ascii: "E") : bytes[text.lowerBound + 1] == Self.bar
    else { return nil }
    if kind == UInt8(ascii: "E") { return .end }
    split(bytes, text)
    separate(bytes, kind)
    guard parts.count > 2, let process = bytes.integer(parts[1]) else { return .malformed }
    switch kind {
    case UInt8(ascii: "B"):
      guard process >= 0 else { return .malformed }
      let name = parts.count == 3 ? parts[2] : parts[2].lowerBound..<end
      return .begin(process: process, name: number(ofName: bytes, name))
    case UInt8(ascii: "S"), UInt8(ascii: "G"):
      // `G` names a track before the slice.
      let name = kind == UInt8(ascii: "G") ? 3 : 2
      guard parts.count > name + 1 else { return .malformed }
      return .asyncBegin(
        track(bytes, process, cookie: parts[name + 1]), name: number(ofName: bytes, parts[name]))
    case UInt8(ascii: "F"), UInt8(ascii: "H"):
      guard parts.count > 3, let cookie = parts.last else { return .malformed }
      return .asyncEnd(track(bytes, process, cookie: cookie))
    case UInt8(ascii: "C"):
      guard parts.count > 3, let value = bytes.integer(parts[3]) else { return .malformed }
      return .counter(process: process, name: number(ofName: bytes, parts[2]), value: value)
    default:
      // I and N: an instant.
      let name = number(ofName: bytes, parts[parts.count - 1])
      return .instant(process: process, name: name)
    }
  }

  /// Finds the parts of a mark.
  private mutating func split(_ bytes: Span<UInt8>, _ text: Range<Int>) {
    parts.removeAll(keepingCapacity: true)
    var start = text.lowerBound
    while parts.count < Self.mostParts - 1,
      let bar = bytes.first(Self.bar, in: start..<text.upperBound)
    {
      parts.append(start..<bar)
      start = bar + 1
    }
    parts.append(start..<text.upperBound)
  }

  /// OpenHarmony begins names with `H:`, and writes a cookie or a value after the last blank of a name:
  /// `S|532|H:open 7`. Newer versions end with a level, which is dropped: `B|532|H:open|M62`.
  private mutating func separate(_ bytes: Span<UInt8>, _ kind: UInt8) {
    guard parts.count > 2, bytes.begins(Self.openHarmony, in: parts[2]) else { return }
    let name = parts[2].lowerBound + 2..<parts[2].upperBound
    parts[2] = name
    if "BSFC".utf8.contains(kind) { parts.removeLast(parts.count - 3) }
    guard "SFC".utf8.contains(kind), let blank = bytes.last(0x20, in: name) else { return }
    parts.append(blank + 1..<name.upperBound)
    parts[2] = name.lowerBound..<blank
  }

  private mutating func number(ofName bytes: Span<UInt8>, _ name: Range<Int>) -> Int {
    names.number(bytes, name)
  }

  /// The track of the name in the third part.
  private mutating func track(
    _ bytes: Span<UInt8>, _ process: Int64, cookie: Range<Int>
  ) -> AtraceMark.Track {
    let number = Self.plainNumber(bytes, cookie)
    return AtraceMark.Track(
      process: process, name: self.number(ofName: bytes, parts[2]),
      cookie: number ?? Int64(cookies.number(bytes, cookie)), isText: number == nil)
  }

  /// A number in its usual form; `nil` for a number with a plus sign or leading zeros, which is a different cookie.
  private static func plainNumber(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    guard let first = range.first, let number = bytes.whole(range) else { return nil }
    let digits = bytes[first] == UInt8(ascii: "-") ? first + 1 : first
    let isPlain =
      bytes[first] != UInt8(ascii: "+")
      && (bytes[digits] != UInt8(ascii: "0") || range.count == 1)
    return isPlain ? number : nil
  }
}

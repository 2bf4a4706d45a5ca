/// An instant with a resolution of seconds, used as the date of jobs in a history:
/// `2026-11-21T08:30:00Z`.
///
/// The form is that of ISO 8601 (RFC 3339) in UTC, so sorting the text sorts by time.
public struct JobDate: Hashable, Comparable, Sendable {
  /// Seconds since 1970-01-01 in UTC.
  public let seconds: Int64

  /// The instant a number of seconds after the start of 1970 in UTC.
  public init(seconds: Int64) {
    self.seconds = min(max(seconds, Self.years.lowerBound), Self.years.upperBound)
  }

  /// The seconds of the years from 1 to 9999.
  private static let years: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// Reads a day, `2026-11-21`, or an instant, `2026-11-21T08:30:00.5+01:00`; without a zone, it is in UTC; a blank or
  /// a `T` precedes the time.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int64? {
      guard range.upperBound <= bytes.count,
        bytes[range].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
      else { return nil }
      return Int64(String(decoding: bytes[range], as: UTF8.self))
    }
    guard bytes.count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = number(0..<4), year > 0, let month = number(5..<7), let day = number(8..<10),
      (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day)
    else { return nil }
    var seconds = CivilDay(year: year, month: month, day: day).daysSince1970 * 86400
    if bytes.count > 10 {
      guard bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "),
        let time = Self.time(String(decoding: bytes[11...], as: UTF8.self))
      else { return nil }
      seconds += time
    }
    guard Self.years.contains(seconds) else { return nil }
    self.seconds = seconds
  }

  /// The seconds of `08:30`, `08:30:00`, `08:30:00.5`, each with or without a zone.
  private static func time(_ text: String) -> Int64? {
    let zoneStart = text.lastIndex { "Zz+-".contains($0) } ?? text.endIndex
    let clock = text[..<zoneStart].split(separator: ".", maxSplits: 1)
    let isWhole = clock.count < 2 || clock[1].allSatisfy(\.isASCIIDigit)
    guard let parts = clock.first.flatMap({ numbers($0, counts: 2...3) }), isWhole,
      (0...23).contains(parts[0]), (0...59).contains(parts[1]),
      (0...59).contains(parts.count > 2 ? parts[2] : 0)
    else { return nil }
    let seconds = parts[0] * 3600 + parts[1] * 60 + (parts.count > 2 ? parts[2] : 0)
    let zone = text[zoneStart...].lowercased()
    if zone.isEmpty || zone == "z" { return seconds }
    var digits = String(zone.dropFirst())
    if digits.count == 5, let colon = digits.firstIndex(of: ":"),
      digits.distance(from: digits.startIndex, to: colon) == 2
    {
      digits.remove(at: colon)
    }
    guard digits.count == 4, digits.allSatisfy(\.isASCIIDigit), let number = Int64(digits),
      number / 100 < 24, number % 100 < 60
    else { return nil }
    let offset = number / 100 * 3600 + number % 100 * 60
    return zone.hasPrefix("-") ? seconds + offset : seconds - offset
  }

  private static func numbers(_ text: Substring, counts: ClosedRange<Int>) -> [Int64]? {
    let parts = text.trimmingBlanks.split(separator: ":", omittingEmptySubsequences: false)
    guard counts.contains(parts.count), parts.allSatisfy({ $0.count == 2 }) else { return nil }
    let numbers = parts.filter { $0.allSatisfy(\.isASCIIDigit) }.compactMap { Int64($0) }
    return numbers.count == parts.count ? numbers : nil
  }

  /// The instant as text: `2026-11-21T08:30:00Z`.
  public var text: String {
    let time = seconds - day * 86400
    let clock = [time / 3600, time / 60 % 60, time % 60].map(Self.two).joined(separator: ":")
    return "\(dayText)T\(clock)Z"
  }

  /// The day as text: `2026-11-21`.
  public var dayText: String {
    let civil = CivilDay(daysSince1970: day)
    let number = "\(civil.year)"
    let padded = String(repeating: "0", count: max(0, 4 - number.count)) + number
    return "\(padded)-\(Self.two(civil.month))-\(Self.two(civil.day))"
  }

  private var day: Int64 { (seconds >= 0 ? seconds : seconds - 86399) / 86400 }

  private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func days(in month: Int64, of year: Int64) -> Int64 {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  /// Whether the first date is earlier.
  public static func < (left: JobDate, right: JobDate) -> Bool { left.seconds < right.seconds }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { "0"..."9" ~= self }
}

extension Substring {
  fileprivate var trimmingBlanks: Substring {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}

/// A day of the Gregorian calendar.
///
/// H. Hinnant, "chrono-compatible low-level date algorithms": years begin in March, so that the
/// leap day is the last one of its year.
package struct CivilDay: Hashable {
  let year, month, day: Int64

  package init(year: Int64, month: Int64, day: Int64) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The day a number of days after 1970-01-01.
  init(daysSince1970 count: Int64) {
    let shifted = count + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let ofEra = shifted - era * 146_097
    let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * year + year / 4 - year / 100)
    let month = (5 * ofYear + 2) / 153
    day = ofYear - (153 * month + 2) / 5 + 1
    self.month = month < 10 ? month + 3 : month - 9
    self.year = year + era * 400 + (self.month <= 2 ? 1 : 0)
  }

  /// The number of days since 1970-01-01.
  package var daysSince1970: Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let ofEra = shifted - era * 400
    let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
  }
}

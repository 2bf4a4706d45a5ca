import FrameTrace

/// Results as JSON. Keys are in a fixed order. Missing values are `null`, with the reason under
/// `why_missing` of the same object, or under `why` if they all share one reason.
enum JSONText {
  /// The record with one value per line, including the last line feed.
  ///
  /// Numbers are rounded to their meaningful digits, and each row of events is on a separate line.
  static func write(_ record: FieldRecord) -> String {
    text(record, JSONWriter(indented: true), isForReading: true)
  }

  /// The record on one line, including the line feed, with all digits, because results are computed from such lines.
  static func line(_ record: FieldRecord) -> String {
    text(record, JSONWriter(indented: false), isForReading: false)
  }

  private static func text(
    _ record: FieldRecord, _ writer: JSONWriter, isForReading: Bool
  ) -> String {
    var json = writer
    json.object { $0.write(record, isForReading) }
    json.endLine()
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

extension JSONWriter {
  /// Writes the members of a record's object.
  /// - Parameter isForReading: Whether numbers are rounded and each row of events is on a separate line.
  fileprivate mutating func write(_ record: FieldRecord, _ isForReading: Bool) {
    var reasons: [(String, String)] = []
    for field in record.fields {
      key(field.key)
      if case .missing(let why?) = field.value { reasons.append((field.key, why)) }
      write(field.value, isForReading)
    }
    if let why = record.why { member("why", why) }
    writeReasons(reasons)
  }

  private mutating func write(_ value: FieldRecord.Value, _ isForReading: Bool) {
    switch value {
    case .text(let text): self.value(text)
    case .integer(let number): self.value(number)
    case .real(let number): self.value(isForReading ? RoundedNumber.of(number) : number)
    case .flag(let flag): self.value(flag)
    case .missing: null()
    case .measured(let measured): object { $0.write(measured.record, isForReading) }
    case .record(let record): object { $0.write(record, isForReading) }
    case .values(let values):
      array { json in for value in values { json.write(value, isForReading) } }
    case .rows(let rows):
      array { json in
        for position in 0..<rows.count {
          let row = rows.row(position)
          if isForReading, rows.areEvents {
            json.inlineObject { $0.write(row, true) }
          } else {
            json.object { $0.write(row, isForReading) }
          }
        }
      }
    }
  }
}

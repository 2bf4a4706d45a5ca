import FrameTrace

/// Results as JSON. Keys are in a fixed order. Missing values are `null`, with the reason under
/// `why_missing` of the same object, or under `why` if they all share one reason.
enum JSONText {
  /// The record with one value per line, including the last line feed.
  static func write(_ record: FieldRecord) -> String { text(record, indented: true) }

  /// The record on one line, including its line feed.
  static func line(_ record: FieldRecord) -> String { text(record, indented: false) }

  private static func text(_ record: FieldRecord, indented: Bool) -> String {
    var json = JSONWriter(indented: indented)
    json.object { $0.write(record) }
    json.endLine()
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

extension JSONWriter {
  /// Writes the members of a record's object.
  mutating func write(_ record: FieldRecord) {
    var reasons: [(String, String)] = []
    for field in record.fields {
      key(field.key)
      if case .missing(let why?) = field.value { reasons.append((field.key, why)) }
      write(field.value)
    }
    if let why = record.why { member("why", why) }
    writeReasons(reasons)
  }

  private mutating func write(_ value: FieldRecord.Value) {
    switch value {
    case .text(let text): self.value(text)
    case .integer(let number): self.value(number)
    case .real(let number): self.value(number)
    case .flag(let flag): self.value(flag)
    case .missing: null()
    case .measured(let measured): object { $0.write(measured.record) }
    case .record(let record): object { $0.write(record) }
    case .values(let values): array { json in for value in values { json.write(value) } }
    case .rows(let rows):
      array { json in
        for place in 0..<rows.count { json.object { $0.write(rows.row(place)) } }
      }
    }
  }
}

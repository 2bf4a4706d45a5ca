import FrameAnalysis

/// A result as data: values under keys in a fixed order, each with its unit, or with the reason for a missing value.
/// JSON and tables for data frames are written from the record.
struct FieldRecord {
  /// A value under its key.
  struct Field {
    let key: String
    let value: Value
    /// What tables show next to the value; `nil` for a value that is not a figure, which tables omit.
    let figure: Figure?
  }

  indirect enum Value {
    case text(String)
    case integer(Int64)
    case real(Double)
    case flag(Bool)
    /// A missing value with the reason; `nil` if all values of the record are missing for the same reason.
    case missing(String?)
    case measured(MeasuredField)
    case record(FieldRecord)
    case values([Value])
    case rows(Rows)
  }

  /// What is shown next to a value that is a figure.
  struct Figure {
    let unit: String
    /// The number of items from which the figure was computed.
    var n = 0
    var missing = 0
    var definition = ""
    var isInferred = false
  }

  /// Records of one kind, each made on request: there may be one for every frame.
  struct Rows {
    let count: Int
    /// Whether the rows are events, which may be numerous.
    var areEvents = false
    let row: (Int) -> FieldRecord
  }

  private(set) var fields: [Field] = []
  /// Why all values are missing; `nil` if any is known.
  private(set) var why: String?

  init() {}

  /// A record made by a closure.
  init(_ make: (inout FieldRecord) -> Void) { make(&self) }

  /// A record whose values are all missing, for results that are known together or not at all.
  /// - Parameter keys: The keys that are present in either case.
  init(missing keys: [String], _ why: String) {
    for key in keys { fields.append(Field(key: key, value: .missing(nil), figure: nil)) }
    self.why = why
  }

  /// Adds a value.
  /// - Parameter why: The reason, if the value is missing.
  mutating func add(
    _ key: String, _ value: (some FieldValue)?, else why: String? = nil, _ figure: Figure? = nil
  ) {
    fields.append(Field(key: key, value: value?.value ?? .missing(why), figure: figure))
  }

  /// Adds a value, if there is one.
  mutating func addIfAny(_ key: String, _ value: (some FieldValue)?) {
    if let value { add(key, value) }
  }

  /// Adds a record made by a closure.
  mutating func add(_ key: String, _ make: (inout FieldRecord) -> Void) {
    add(key, FieldRecord(make))
  }

  /// Adds the values of another record.
  mutating func add(_ other: FieldRecord) { fields += other.fields }

  /// Adds a row for each item.
  /// - Parameter figure: What tables show next to the measured values in the rows; `nil` to omit the rows from tables.
  mutating func add<Items: RandomAccessCollection>(
    _ key: String, rows items: Items, _ figure: Figure? = nil,
    _ make: @escaping (Items.Element, inout FieldRecord) -> Void
  ) {
    let rows = Rows(count: items.count) { position in
      var record = FieldRecord()
      make(items[items.index(items.startIndex, offsetBy: position)], &record)
      return record
    }
    fields.append(Field(key: key, value: .rows(rows), figure: figure))
  }

  /// Adds values of one kind.
  mutating func add(_ key: String, values: some Sequence<some FieldValue>) {
    fields.append(Field(key: key, value: .values(values.map(\.value)), figure: nil))
  }
}

/// A type that can be a value of a record.
protocol FieldValue {
  var value: FieldRecord.Value { get }
}

extension String: FieldValue {
  var value: FieldRecord.Value { .text(self) }
}

extension Int: FieldValue {
  var value: FieldRecord.Value { .integer(Int64(self)) }
}

extension Int64: FieldValue {
  var value: FieldRecord.Value { .integer(self) }
}

extension RefreshNumber: FieldValue {
  var value: FieldRecord.Value { .integer(number) }
}

extension Double: FieldValue {
  var value: FieldRecord.Value { .real(self) }
}

extension Bool: FieldValue {
  var value: FieldRecord.Value { .flag(self) }
}

extension MeasuredField: FieldValue {
  var value: FieldRecord.Value { .measured(self) }
}

extension FieldRecord: FieldValue {
  var value: Value { .record(self) }
}

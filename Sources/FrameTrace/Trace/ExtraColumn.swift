/// A source's column that is not part of the model, kept with its name and unit so that nothing is
/// lost: clock rates, temperatures, a tool's own marks.
public struct ExtraColumn: Sendable {
  /// The values, one for each row.
  public enum Values: Sendable {
    case integers(IntegerColumn)
    /// Numbers with fractions; `nan` stands for a missing one.
    case reals([Double])
    /// Strings by their number in the table; missing strings are missing numbers.
    case texts(IntegerColumn, StringTable)
  }

  /// The name as the source spells it.
  public let name: String
  /// The unit as the source states it; `nil` if it states none.
  public let unit: String?
  /// The values, row by row.
  public package(set) var values: Values

  package init(
    name: String, unit: String?, values: Values
  ) {
    self.name = name
    self.unit = unit
    self.values = values
  }

  /// How many rows have a value.
  public var valueCount: Int {
    switch values {
    case .integers(let column), .texts(let column, _): column.valueCount
    case .reals(let numbers): numbers.count { !$0.isNaN }
    }
  }

  /// The row's value as text in a fixed notation; `nil` if it is missing.
  public func text(_ row: Int) -> String? {
    switch values {
    case .integers(let column): column[row].map { "\($0)" }
    case .reals(let numbers): numbers[row].isNaN ? nil : "\(numbers[row])"
    case .texts(let column, let texts): column[row].map { texts[$0] }
    }
  }

  /// Whether the column's values are numbers.
  package var isNumeric: Bool {
    if case .texts = values { return false }
    return true
  }

  /// The row's value as a number; `nil` if it is missing or a string.
  package func number(_ row: Int) -> Double? {
    switch values {
    case .integers(let column): column[row].map(Double.init)
    case .reals(let numbers): numbers[row].isNaN ? nil : numbers[row]
    case .texts: nil
    }
  }

  func isMissing(_ row: Int) -> Bool {
    switch values {
    case .integers(let column), .texts(let column, _): column[row] == nil
    case .reals(let numbers): numbers[row].isNaN
    }
  }

  /// Whether two rows have the same value, or both have none.
  func isSame(_ one: Int, _ other: Int) -> Bool {
    switch values {
    case .integers(let column), .texts(let column, _): column[one] == column[other]
    case .reals(let numbers): numbers[one].bitPattern == numbers[other].bitPattern
    }
  }

  /// The same values in another order: row `i` is the former row `order[i]`.
  package func reordered(by order: [Int32]) -> ExtraColumn {
    var column = self
    switch values {
    case .integers(let numbers): column.values = .integers(numbers.reordered(by: order))
    case .reals(let numbers): column.values = .reals(order.map { numbers[Int($0)] })
    case .texts(let numbers, let texts): column.values = .texts(numbers.reordered(by: order), texts)
    }
    return column
  }
}

/// Builds an extra column: whole numbers if all values are whole, or else numbers, or else strings.
package struct ExtraColumnBuilder {
  package let name: String
  package var unit: String?
  private(set) var count = 0
  private var integers = IntegerColumn()
  private var reals: [Double]?
  private var texts: (numbers: IntegerColumn, table: StringTable)?

  package init(name: String, unit: String?) {
    self.name = name
    self.unit = unit
  }

  /// Appends rows without a value until there are `count`.
  mutating func pad(to count: Int) {
    let gap = count - self.count
    guard gap > 0 else { return }
    if texts != nil {
      texts?.numbers.appendMissing(gap)
    } else if reals != nil {
      reals?.append(contentsOf: repeatElement(.nan, count: gap))
    } else {
      integers.appendMissing(gap)
    }
    self.count = count
  }

  package mutating func append(_ value: Int64?) {
    if texts != nil {
      append(text: value.map { "\($0)" })
    } else if reals != nil {
      append(real: value.map(Double.init) ?? .nan)
    } else {
      integers.append(value ?? IntegerColumn.missing)
      count += 1
    }
  }

  package mutating func append(real value: Double) {
    if texts != nil { return append(text: value.isNaN ? nil : "\(value)") }
    if reals == nil { reals = (0..<count).map { integers[$0].map(Double.init) ?? .nan } }
    reals?.append(value)
    count += 1
  }

  /// Reserves memory for a total count of numbers.
  package mutating func reserve(reals count: Int) { reals?.reserveCapacity(count) }

  /// Appends numbers, `nan` for missing ones.
  package mutating func append(reals values: [Double]) {
    guard texts == nil else {
      for value in values { append(real: value) }
      return
    }
    if reals == nil { reals = (0..<count).map { integers[$0].map(Double.init) ?? .nan } }
    reals?.append(contentsOf: values)
    count += values.count
  }

  package mutating func append(text value: String?) {
    if texts == nil { startTexts() }
    let number = value.flatMap { texts?.table.number(of: $0) }
    texts?.numbers.append(number ?? IntegerColumn.missing)
    count += 1
  }

  private mutating func startTexts() {
    let column = finish()
    var table = StringTable()
    var numbers = IntegerColumn()
    for row in 0..<count {
      numbers.append(column.text(row).map { table.number(of: $0) } ?? IntegerColumn.missing)
    }
    texts = (numbers, table)
  }

  /// The column with the rows appended so far.
  package func finish() -> ExtraColumn {
    let values: ExtraColumn.Values =
      if let texts { .texts(texts.numbers, texts.table) } else if let reals { .reals(reals) } else {
        .integers(integers)
      }
    return ExtraColumn(name: name, unit: unit, values: values)
  }
}

/// A column of a source that the model has no place for, kept by name and unit so that
/// nothing is lost: clock rates, temperatures, a tool's own marks.
public struct ExtraColumn: Sendable {
  /// The values, one a row.
  public enum Values: Sendable {
    case integers(IntegerColumn)
    /// Numbers with fractions; `nan` stands for a missing one.
    case reals([Double])
    /// Texts by their number in the table; missing texts are missing numbers.
    case texts(IntegerColumn, StringTable)
  }

  /// The name as the source spells it.
  public let name: String
  /// The unit as the source states it; `nil` when it states none.
  public let unit: String?
  public internal(set) var values: Values

  /// How many rows have a value.
  public var valueCount: Int {
    switch values {
    case .integers(let column), .texts(let column, _): column.valueCount
    case .reals(let numbers): numbers.count { !$0.isNaN }
    }
  }

  /// The row's value as text in a fixed notation; `nil` when it is missing.
  public func text(_ row: Int) -> String? {
    switch values {
    case .integers(let column): column[row].map { "\($0)" }
    case .reals(let numbers): numbers[row].isNaN ? nil : "\(numbers[row])"
    case .texts(let column, let texts): column[row].map { texts[$0] }
    }
  }

  func reordered(by order: [Int32]) -> ExtraColumn {
    var column = self
    switch values {
    case .integers(let numbers): column.values = .integers(numbers.reordered(by: order))
    case .reals(let numbers): column.values = .reals(order.map { numbers[Int($0)] })
    case .texts(let numbers, let texts): column.values = .texts(numbers.reordered(by: order), texts)
    }
    return column
  }
}

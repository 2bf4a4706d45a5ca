/// How a column follows from the columns before it in a block: sources list lengths next to their start and end times,
/// and list the end of a frame, which is the start of the next frame.
///
/// The prediction is written as 0; or 1 and a column; or 2 and two columns; or 3 and a column. Columns are numbered
/// from 0 in the order of the block, without the columns of numbers with fractions.
enum PackedPrediction: Equatable {
  case none
  /// The value of another column.
  case same(Int)
  /// The first column minus the second.
  case difference(Int, Int)
  /// The instant of a column of times in the next row.
  case next(Int)

  /// A column that was written or read before.
  struct Known {
    let values: [Int64]
    let isTime: Bool
  }

  /// The number of rows at the start of a block on which predictions are compared.
  private static let sample = 256

  /// Writes a column as the best prediction and its residuals.
  static func write(
    _ values: [Int64], _ known: [Known], _ times: [Int64], to output: inout PackedBytes
  ) {
    var prediction = best(of: values, known, times)
    var residuals = prediction.residuals(of: values, known, times)
    // A difference of 2^63 has the bits of a missing value.
    if zip(values, residuals).contains(where: {
      ($0 == IntegerColumn.missing) != ($1 == IntegerColumn.missing)
    }) {
      (prediction, residuals) = (.none, values)
    }
    prediction.write(to: &output)
    PackedColumn.write(residuals, to: &output)
  }

  /// Reads a column.
  static func read(
    _ known: [Known], _ times: [Int64], from input: inout PackedCursor
  ) throws(PackedCursor.Damage) -> [Int64] {
    let prediction = try PackedPrediction(from: &input, known)
    var values = try PackedColumn.read(times.count, from: &input)
    prediction.add(to: &values, known, times)
    return values
  }

  /// The prediction with the smallest residuals, if they take at most three quarters of the values' bits.
  private static func best(of values: [Int64], _ known: [Known], _ times: [Int64])
    -> PackedPrediction
  {
    let count = min(sample, values.count)
    let few = known.map { Known(values: Array($0.values.prefix(count)), isTime: $0.isTime) }
    let (start, instants) = (Array(values.prefix(count)), Array(times.prefix(count)))
    var best = (prediction: PackedPrediction.none, cost: PackedColumn.cost(start) * 3 / 4)
    for prediction in all(known) {
      let cost = PackedColumn.cost(prediction.residuals(of: start, few, instants))
      if cost < best.cost { best = (prediction, cost) }
    }
    return best.prediction
  }

  private static func all(_ known: [Known]) -> [PackedPrediction] {
    known.indices.map { .same($0) }
      + known.indices.filter { known[$0].isTime }.map { .next($0) }
      + known.indices.flatMap { one in
        known.indices.filter { $0 != one }.map { .difference(one, $0) }
      }
  }

  /// The values minus their predictions; a value without a prediction is unchanged.
  private func residuals(of values: [Int64], _ known: [Known], _ times: [Int64]) -> [Int64] {
    guard let predicted = predicted(known, times) else { return values }
    return values.indices.map { row in
      values[row] == IntegerColumn.missing || predicted[row] == IntegerColumn.missing
        ? values[row] : values[row] &- predicted[row]
    }
  }

  /// Adds the predictions to residuals.
  private func add(to values: inout [Int64], _ known: [Known], _ times: [Int64]) {
    guard let predicted = predicted(known, times) else { return }
    for row in values.indices
    where values[row] != IntegerColumn.missing && predicted[row] != IntegerColumn.missing {
      values[row] &+= predicted[row]
    }
  }

  /// The predicted value of each row, `missing` for none; `nil` if no row has one.
  private func predicted(_ known: [Known], _ times: [Int64]) -> [Int64]? {
    switch self {
    case .none: return nil
    case .same(let one): return known[one].values
    case .difference(let one, let other):
      return zip(known[one].values, known[other].values).map { one, other in
        one == IntegerColumn.missing || other == IntegerColumn.missing
          ? IntegerColumn.missing : one &- other
      }
    case .next(let one):
      let values = known[one].values
      return values.indices.map { row in
        row + 1 == values.count || values[row + 1] == IntegerColumn.missing
          ? IntegerColumn.missing : values[row + 1] &+ times[row + 1] &- times[row]
      }
    }
  }

  private func write(to output: inout PackedBytes) {
    let (form, positions): (UInt8, [Int]) =
      switch self {
      case .none: (0, [])
      case .same(let one): (1, [one])
      case .difference(let one, let other): (2, [one, other])
      case .next(let one): (3, [one])
      }
    output.add(form)
    for position in positions { output.add(varint: UInt64(position)) }
  }

  private init(
    from input: inout PackedCursor, _ known: [Known]
  ) throws(PackedCursor.Damage) {
    let form = try input.byte()
    self =
      switch form {
      case 0: .none
      case 1: .same(try input.index(below: known.count))
      case 2:
        .difference(try input.index(below: known.count), try input.index(below: known.count))
      case 3: .next(try input.index(below: known.count))
      default: throw .content
      }
  }
}

import FrameTrace

/// A figure that the source states, to be added to a trace.
struct StatedFigure {
  var scene: String?
  var run: Int
  let metric: String
  var value: Double
  /// Whether the figure may be larger: it is in a bin without an upper bound.
  var isLowerBound = false
  let unit: String
  /// The number of values that the figure summarizes; `nil` if unknown.
  var count: Int?
  let label: String
}

extension TraceBuilder {
  /// Adds a figure that the source states.
  mutating func add(_ figure: StatedFigure) {
    // The unit can make a number in the file too large to represent.
    guard figure.value.isFinite else {
      log.note(.absurdValue, .dataLoss, "figures beyond any number, left out", count: 1)
      return
    }
    var row = Table<FigureColumn>.Row()
    row[.scene] = figure.scene.map { trace.figures.texts.number(of: $0) }
    row[.run] = Int64(figure.run)
    row[.metric] = trace.figures.texts.number(of: figure.metric)
    row[.value] = Self.bits(figure.value)
    row[.unit] = trace.figures.texts.number(of: figure.unit)
    if figure.isLowerBound { row[.atLeast] = 1 }
    row[.count] = figure.count.map(Int64.init)
    row[.label] = trace.figures.texts.number(of: figure.label)
    trace.figures.append(row)
  }

  /// Adds a bin: the number of values between two bounds.
  mutating func addBin(
    _ metric: String, unit: String, low: Double, high: Double, count: Int64, label: String
  ) {
    var row = Table<BinColumn>.Row()
    row[.metric] = trace.bins.texts.number(of: metric)
    row[.unit] = trace.bins.texts.number(of: unit)
    row[.low] = Self.bits(low)
    row[.high] = Self.bits(high)
    row[.count] = count
    row[.label] = trace.bins.texts.number(of: label)
    trace.bins.append(row)
  }

  /// The bit pattern that a column of numbers stores, with a single pattern for zero.
  private static func bits(_ value: Double) -> Int64 { Int64(bitPattern: (value + 0).bitPattern) }
}

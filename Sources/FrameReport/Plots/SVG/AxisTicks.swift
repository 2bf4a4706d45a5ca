import FrameStatistics
import FrameTrace

/// The tick marks of an axis: the axis's named ticks, or else numbers at round distances.
struct AxisTicks {
  let ticks: [PlotAxis.Tick]

  /// - Parameter most: The maximum number of numbers that fit.
  init(_ axis: PlotAxis, most: Int) {
    if let named = axis.ticks {
      ticks = named.filter { axis.range.contains($0.position) }
      return
    }
    let (low, high) = (axis.range.lowerBound, axis.range.upperBound)
    guard high > low else {
      ticks = [PlotAxis.Tick(position: low, text: FixedNumber.text(low, decimals: 2))]
      return
    }
    let step = ValueBins.round((high - low) / Double(max(most, 1)))
    var decimals = 0
    var unit = step
    while unit < 0.999_999, decimals < 9 { (decimals, unit) = (decimals + 1, unit * 10) }
    let first = (low / step - 1e-9).rounded(.up)
    let count = max(0, Int(((high / step + 1e-9).rounded(.down) - first)) + 1)
    ticks = (0..<min(count, 1000)).map { index in
      let number = first + Double(index)
      // A number that rounds to 0 has no sign.
      let value = number == 0 ? 0 : number * step
      return PlotAxis.Tick(position: value, text: FixedNumber.text(value, decimals: decimals))
    }
  }
}

/// The name of a figure: a statistic of a metric, such as `p95(frameTime)`, or a single figure,
/// such as `droppedShare`.
package struct FigureName: Hashable, Sendable {
  /// `p95` of `p95(frameTime)`; `nil` for a single figure.
  package let statistic: String?
  /// `frameTime` of `p95(frameTime)`.
  package let base: String

  package init(_ name: String) {
    guard name.hasSuffix(")"), let open = name.firstIndex(of: "(") else {
      (statistic, base) = (nil, name)
      return
    }
    statistic = String(name[..<open])
    base = String(name[name.index(after: open)...].dropLast())
  }
}

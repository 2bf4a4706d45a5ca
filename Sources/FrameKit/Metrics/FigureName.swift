/// The name of a figure: a statistic of a metric, as `p95(frameTime)`, or what is one figure by itself, as
/// `droppedShare`.
struct FigureName: Hashable, Sendable {
  /// `p95` of `p95(frameTime)`; `nil` for a figure by itself.
  let statistic: String?
  /// `frameTime` of `p95(frameTime)`.
  let base: String

  init(_ name: String) {
    guard name.hasSuffix(")"), let open = name.firstIndex(of: "(") else {
      (statistic, base) = (nil, name)
      return
    }
    statistic = String(name[..<open])
    base = String(name[name.index(after: open)...].dropLast())
  }
}

/// A hitch as the source of a trace tells it.
struct StatedHitch {
  /// When its frame should have been on the display, and how much later it was, in nanoseconds.
  let start, length: Int64
  let kind: HitchColumn.Kind

  var end: Int64 { start &+ length }

  /// Those of a surface that begin within a range of time.
  /// - Returns: `nil` where the source tells none of the surface at all.
  static func all(_ trace: Trace, _ surface: Int, within range: Range<Int64>) -> [StatedHitch]? {
    let hitches = trace.statedHitches
    let own = (0..<hitches.count).filter { row in
      hitches[row, .surface].map { $0 == Int64(surface) } ?? (trace.surfaces.count == 1)
    }
    guard !own.isEmpty else { return nil }
    return own.compactMap { row in
      guard let start = hitches[row, .start], range.contains(start) else { return nil }
      let kind = hitches[row, .kind].flatMap(HitchColumn.Kind.init) ?? .unknown
      return hitches[row, .duration].map { StatedHitch(start: start, length: $0, kind: kind) }
    }
  }
}

import FrameKit

/// A script of touches with times relative to the start: lines such as `0 down 100 200`, `16 move
/// 110 200`, `32 up`.
struct TouchScript {
  /// An action of the finger.
  struct Step {
    enum Action: String { case down, move, up }

    /// The time in ms from the start.
    let time: Double
    let action: Action
    let x, y: Double
  }

  let steps: [Step]

  private static let mostBytes = 16 << 20
  /// The longest script: a day, in ms.
  private static let longest = 86_400_000.0

  init(_ input: InputFile) throws(ParseError) {
    let text = String(
      decoding: try input.readAll(atMost: Self.mostBytes, of: "touches"), as: UTF8.self)
    var steps: [Step] = []
    for (position, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      let words = line.split(whereSeparator: \.isWhitespace)
      if words.isEmpty || words[0].hasPrefix("#") { continue }
      guard words.count >= 2, let time = Double(words[0]), 0...Self.longest ~= time,
        let action = Step.Action(rawValue: String(words[1])),
        words.count == (action == .up ? 2 : 4),
        time >= steps.last?.time ?? 0
      else {
        throw ParseError(
          path: input.path, position: .line(position + 1),
          problem:
            "expected TIME down X Y, TIME move X Y or TIME up, with times in ms that never decrease, found \(PrintableText.line(String(line)))"
        )
      }
      let point = words.dropFirst(2).compactMap { Double($0) }.filter(\.isFinite)
      guard point.count == words.count - 2 else {
        throw ParseError(
          path: input.path, position: .line(position + 1),
          problem: "expected two numbers for the point, found \(PrintableText.line(String(line)))")
      }
      steps.append(Step(time: time, action: action, x: point.first ?? 0, y: point.last ?? 0))
    }
    self.steps = steps
  }
}

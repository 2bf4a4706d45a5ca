import FrameAnalysis
import FrameTrace

/// An answer in at most 2000 bytes for agents, scripts and status lines: first the finding, then the main figures, the
/// worst events, and the commands that show more.
public struct Brief: Sendable {
  /// A figure and its named values.
  struct Figure: Sendable {
    let metric: String
    let unit: String
    /// The number of values; `nil` if the figure states the number in another way.
    var n: Int?
    let values: [(name: String, value: Double)]
    /// The change between two sides, with its unit; `nil` for a figure of one side.
    var effect: (value: Double, unit: String)?
  }

  /// A fault, and how to view it.
  struct Event: Sendable {
    /// The frame, or another identifier of the event.
    let id: String
    let text: String
    let command: String
  }

  /// The kind of answer: analysis, comparison and so on.
  let kind: String
  var sentence: String
  /// The verdict in one word; `nil` for answers without a verdict.
  var state: String?
  var coverage: Coverage?
  /// Dropped refreshes by stage, the stage with the most first.
  var drops: [(stage: String, count: Int)] = []
  var figures: [Figure] = []
  var events: [Event] = []
  /// What a reader must know before trusting the answer.
  var warnings: [String] = []
  /// The command that shows the complete answer.
  let more: String

  init(_ kind: String, _ sentence: String, state: String? = nil, more: String) {
    self.kind = kind
    self.sentence = sentence
    self.state = state
    self.more = more
  }

  /// The schema name, with its version.
  static let schema = "frametool.brief/1"

  /// The maximum size of an answer in bytes, including its line feed.
  public static let mostBytes = 2000
  /// The maximum number of figures, and the maximum number of events.
  static let mostFigures = 8
  static let mostEvents = 3
}

extension Brief {
  /// The answer as text of at most five lines, or as JSON on one line.
  public func text(asJSON: Bool) -> String {
    var brief = self
    brief.figures = Array(figures.prefix(Self.mostFigures))
    brief.events = Array(events.prefix(Self.mostEvents))
    while true {
      let text = asJSON ? JSONText.line(brief.record) : brief.lines
      if text.utf8.count <= Self.mostBytes { return text }
      guard brief.shorten() else { return text }
    }
  }

  /// Omits the part that is easiest to do without.
  /// - Returns: `false` if nothing is left to omit.
  private mutating func shorten() -> Bool {
    if warnings.count > 1 {
      warnings.removeLast()
    } else if events.count > 1 {
      events.removeLast()
    } else if figures.count > 1 {
      figures.removeLast()
    } else if !warnings.isEmpty {
      warnings.removeLast()
    } else if !events.isEmpty {
      events.removeLast()
    } else if !figures.isEmpty, sentence.count <= 200 {
      figures.removeLast()
    } else if sentence.count > 40 {
      sentence = sentence.prefix(sentence.count * 3 / 4) + "…"
    } else {
      return false
    }
    return true
  }

  private var lines: String {
    var lines = [sentence]
    if let coverage, coverage.shortWords == nil {
      let lengths = [coverage.frames, coverage.recording].map(Self.seconds)
      lines[0] += "; frames cover \(lengths[0]) of \(lengths[1]) s"
    }
    let drops = drops.filter { $0.count > 0 }.map { "\($0.stage) \($0.count)" }
    if !drops.isEmpty { lines.append("dropped: \(drops.joined(separator: ", "))") }
    let figures = figures.map { figure in
      let values = figure.values.map { name, value in
        [name, FixedNumber.text(value, decimals: 2)].filter { !$0.isEmpty }.joined(separator: " ")
      }
      let n = figure.n.map { " (n \($0))" } ?? ""
      let effect =
        figure.effect.map {
          ", \($0.value > 0 ? "+" : "")\(FixedNumber.text($0.value, decimals: 1)) \($0.unit)"
        } ?? ""
      return "\(figure.metric) \(values.joined(separator: ", ")) \(figure.unit)\(effect)\(n)"
    }
    if !figures.isEmpty { lines.append(figures.joined(separator: "; ")) }
    if !events.isEmpty {
      lines.append("worst: " + events.map { "\($0.text) [\($0.command)]" }.joined(separator: "; "))
    }
    if !warnings.isEmpty { lines.append("warning: \(warnings.joined(separator: "; "))") }
    lines.append("more: \(more)")
    return lines.map { PrintableText.line($0) }.joined(separator: "\n") + "\n"
  }

  private static func seconds(_ length: Nanoseconds) -> String {
    FixedNumber.text(length.seconds, decimals: 1)
  }

  private var record: FieldRecord { FieldRecord(Self.fields, of: self) }

  static let fields: [ResultColumn<Brief>] = [
    .schema(schema),
    .text("answers", "what is answered: analysis, comparison and so on", \.kind),
    .text("sentence", "the finding", \.sentence),
    .text("state", "the verdict in a word", \.state).ifAny,
    .object(
      "coverage",
      [
        .real("frames_ms", "how long frames cover") { rounded($0.frames.milliseconds) },
        .real("recording_ms", "how long the recording is") { rounded($0.recording.milliseconds) },
        .integer("frames_shown", "frames that follow another one", \.shown).ifAny,
        .integer("frames_judged", "how many of these have a due time", \.judged).ifAny,
      ], "how much of the recording can be judged", \.coverage
    ).ifAny,
    .map("dropped", .integer, "dropped refreshes by stage") { brief in
      guard !brief.drops.isEmpty else { return nil }
      return FieldRecord { for (stage, count) in brief.drops { $0.add(stage, count) } }
    }.ifAny,
    .rows(
      "figures",
      [
        .text("metric", "the figure", \.metric), .text("unit", "its unit", \.unit),
        .integer("n", "how many values there are", \.n).ifAny,
      ] + valueNames.map(valueField) + [
        .real("effect", "the change between two sides") { $0.effect.map { rounded($0.value) } }
          .ifAny,
        .text("effect_unit", "the unit of the change", \.effect?.unit).ifAny,
      ], "the main figures", \.figures),
    .rows(
      "worst",
      [
        .text("id", "the frame, or what else identifies it", \.id),
        .text("text", "what happened", \.text),
        .text("command", "the command that shows it", \.command),
      ], "the worst events", \.events),
    .texts("warnings", "what a reader must know before trusting it") {
      $0.warnings.isEmpty ? nil : $0.warnings
    }.ifAny,
    .text("more", "the command that shows all", \.more),
  ]

  /// The names of values: those of statistics, sides and conditions.
  private static let valueNames = [
    "value", "median", "p50", "p99", "max", "before", "after", "recorded", "predicted",
  ]

  private static func valueField(_ name: String) -> ResultColumn<Figure> {
    .real(name, "its \(name)") { figure in
      figure.values.first { ($0.name.isEmpty ? "value" : $0.name) == name }
        .map { rounded($0.value) }
    }.ifAny
  }

  /// Three decimals are precise enough for any decision.
  private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}

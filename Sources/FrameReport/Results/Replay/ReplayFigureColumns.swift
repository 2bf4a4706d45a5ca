import FrameReplay
import FrameTrace

extension Replay.Figure {
  /// A figure in the recording, in its replay and under the conditions, as a row of results.
  static let columns: [ResultColumn<Replay.Figure>] = [
    .text("metric", "the figure", \.name).shown("figure"),
    .integer("n", "how many values the recorded one is of", \.n).shown("n", .right),
    .text("unit", "the unit of its values", \.unit).shown("unit"),
    .real("recorded", "its value in the recording", \.recorded)
      .shown("recorded", .right) { $0.text($0.recorded) },
    .real("replayed", "its value when the recording is replayed as it was", \.reproduced)
      .shown("as replayed", .right) { $0.text($0.reproduced) },
    .real("model_error", "by how much the model misses the recorded value", \.modelError)
      .shown("model error", .right) { $0.text($0.modelError) },
    .real("predicted", "its value under the conditions", \.expected)
      .otherwise(\.whyNoPrediction).shown("predicted", .right, \.predictedText),
    .list("or", "its values by other explanations that fit as well") {
      $0.alternatives.isEmpty ? nil : $0.alternatives
    }.ifAny,
    .interval(
      "bounds", "what the prediction can be, by the model's error and random variation", \.bounds
    )
    .otherwise(\.whyNoPrediction)
    .shown("bounds", .right) { figure in
      figure.bounds.map {
        "[\(figure.text($0.lowerBound)), \(figure.text($0.upperBound))]"
      } ?? ""
    },
    .text("change", "what becomes of it") { $0.change?.rawValue }
      .otherwise(\.whyNoPrediction)
      .shown("change") { figure in
        figure.change.map {
          $0 == .unexplained ? "not reproduced, cannot be judged" : $0.rawValue
        } ?? ""
      },
  ]

  private var whyNoPrediction: String? {
    gain == nil
      ? "no conditions were given" : "the replay does not reproduce the figure"
  }

  /// The predicted value of each explanation that gives a different value.
  var predictedText: String {
    ([expected].compactMap(\.self) + alternatives).map(text).joined(separator: " or ")
  }

  /// A value of the figure, formatted for people.
  func text(_ value: Double) -> String {
    FixedNumber.text(value, decimals: abs(value) < 1000 && value != value.rounded() ? 2 : 0)
  }
}

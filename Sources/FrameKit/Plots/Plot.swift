/// A picture of facts, before anything draws it: what is shown, where, and in what role.
///
/// A plot knows neither pixels nor colours. Whatever draws it gives all plots the same look.
public struct Plot: Sendable {
  /// The kind's name, as on the command line.
  public let kind: String
  /// What is shown, of what. May hold names of processes and files, so it is any text.
  public var title: String
  /// How many values there are, and what else has to be known to read it.
  public var subtitle: String
  /// What is to be seen, in words, for those who do not see it.
  public var description: String
  /// The panels from the top down, their x axes below one another.
  public var panels: [PlotPanel]
  /// How much taller it is drawn than others, where nobody says how large it should be.
  public var tallness = 1.0

  init(
    _ kind: String, title: String, subtitle: String, description: String, panels: [PlotPanel]
  ) {
    self.kind = kind
    self.title = title
    self.subtitle = subtitle
    self.description = description
    self.panels = panels
  }
}

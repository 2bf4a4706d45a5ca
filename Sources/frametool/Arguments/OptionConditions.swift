import FrameKit

/// The conditions under which an option has an effect, from which refusals, help and completions are made.
struct OptionConditions: Sendable {
  /// A kind of input on which some options have no effect.
  enum InputKind: Hashable, Sendable {
    /// Folders and lists of traces, for which only a summary is written.
    case folders
    /// Individually named traces.
    case namedTraces
    /// Runs that were measured in pairs until the result was decided.
    case pairs
    /// Launches that were measured in pairs.
    case pairedLaunches
    /// Summaries and results, whose frames are already counted.
    case countedFrames
    /// Plots that do not support a choice.
    case plots(without: PlotKind.Choice)
    /// All plots except comparisons.
    case plotsOfTraces
    /// Formats that keep everything in a trace.
    case wholeTraces
    /// The data of plots, written without a picture.
    case plottedData
  }

  /// The options with which this option has no effect, such as `--brief`, or `--format csv` for one value.
  fileprivate(set) var conflicts: [String] = []
  /// The options of which this option needs one; empty if it needs none.
  fileprivate(set) var needs: [String] = []
  /// The inputs on which the option has no effect.
  fileprivate(set) var inputs: Set<InputKind> = []
  /// The only options that have an effect together with this option; `nil` if all have.
  fileprivate(set) var companions: [String]?

  /// The option's requirement, for short help; `nil` if it needs nothing.
  var need: String? { needs.isEmpty ? nil : "needs " + needs.joined(separator: " or ") }

  /// All conditions, for the manual page; `nil` if there are none.
  var words: String? {
    var parts = [need].compactMap(\.self)
    if !conflicts.isEmpty { parts.append("not with " + Self.joined(conflicts)) }
    if let companions {
      parts.append(companions.isEmpty ? "alone" : "only with " + Self.joined(companions))
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// Options in one list, with the values of each option combined: `--brief, --format csv|otlp`.
  private static func joined(_ options: [String]) -> String {
    var values: [(name: Substring, values: [Substring])] = []
    for option in options {
      let words = option.split(separator: " ", maxSplits: 1)
      if let index = values.firstIndex(where: { $0.name == words[0] }) {
        values[index].values += words.dropFirst()
      } else {
        values.append((words[0], Array(words.dropFirst())))
      }
    }
    return values.map { name, values in
      values.isEmpty ? String(name) : "\(name) \(values.joined(separator: "|"))"
    }.joined(separator: ", ")
  }
}

extension CommandOption {
  /// The same option, which has no effect with the given options.
  /// - Parameter options: The names of the options, such as `--brief`; `--format csv` is one value of an option.
  func conflicting(with options: String...) -> CommandOption { conflicting(with: options) }

  func conflicting(with options: [String]) -> CommandOption {
    changed { $0.conflicts += options }
  }

  /// The same option, which has an effect only with one of the given options.
  func needing(_ options: String...) -> CommandOption { changed { $0.needs += options } }

  /// The same option, which has no effect on some kinds of inputs.
  func ineffective(on inputs: OptionConditions.InputKind...) -> CommandOption {
    changed { $0.inputs.formUnion(inputs) }
  }

  /// The same option, with which only the given options have an effect.
  func alone(besides companions: [String] = []) -> CommandOption {
    changed { $0.companions = companions }
  }

  private func changed(_ change: (inout OptionConditions) -> Void) -> CommandOption {
    var option = self
    change(&option.conditions)
    return option
  }
}

/// The options of a command line, in the order in which they were given.
struct GivenOptions: Sendable {
  private var options: [(names: [String], value: String, conditions: OptionConditions)] = []

  mutating func add<Root>(_ option: CommandOption<Root>, _ value: String) {
    options.append((option.names, value, option.conditions))
  }

  /// Whether an option was given, or one value of an option as in `--format csv`; `none` counts as not given.
  private func contains(_ option: String) -> Bool {
    let words = option.split(separator: " ", maxSplits: 1)
    return options.contains { given in
      given.names.contains(String(words[0])) && given.value != "none"
        && (words.count == 1 || given.value == words[1])
    }
  }

  /// - Throws: If an option has no effect with the others.
  func check() throws(CommandError) {
    for (names, _, conditions) in options {
      if let other = conditions.conflicts.first(where: contains) {
        throw CommandError(
          .usage, "\(names[0]) has no effect with \(other)", help: "give one of the two")
      }
      if !conditions.needs.isEmpty, !conditions.needs.contains(where: contains) {
        let needed = conditions.needs.joined(separator: " or ")
        throw CommandError(
          .usage, "\(names[0]) has no effect without \(needed)", help: "add \(needed)")
      }
      if let companions = conditions.companions,
        let other = options.first(where: { given in
          given.names != names && !given.names.contains(where: companions.contains)
        })
      {
        throw CommandError(
          .usage, "\(other.names[0]) has no effect with \(names[0])", help: "give one of the two")
      }
    }
  }

  /// - Parameters:
  ///   - kind: The kind of an input.
  ///   - help: The alternative, given the name of the option.
  ///   - help: What to do instead, from the name of the option.
  /// - Throws: If an option has no effect on an input of that kind.
  func refuse(
    on kind: OptionConditions.InputKind, _ words: String,
    help: (String) -> String? = { _ in nil }
  ) throws(CommandError) {
    guard let name = options.first(where: { $0.conditions.inputs.contains(kind) })?.names[0] else {
      return
    }
    throw CommandError(.usage, "\(name) has no effect on \(words)", help: help(name))
  }
}

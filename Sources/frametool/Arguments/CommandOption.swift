/// An option of a command, declared once for parsing, help and completion.
struct CommandOption<Root>: Sendable {
  /// The names with their dashes, the long one first.
  let names: [String]
  /// The placeholder for the value in help; `nil` for a switch.
  let metavar: String?
  let help: String
  /// The allowed or likely words, for completion; empty if there are none.
  private(set) var choices: [String]
  /// Whether all arguments up to the next option are also values.
  var takesAll = false
  /// Whether a second value is refused, because it would make the first one ineffective.
  private(set) var isSingle = false
  /// The conditions under which the option has an effect.
  var conditions = OptionConditions()
  /// Stores the values after the first; `nil` if they are handled like the first.
  var applyNext: (@Sendable (inout Root, String) -> Void)?
  /// Stores the value in the command; if the value is not allowed, returns what was expected.
  let apply: @Sendable (inout Root, String) -> String?

  /// The same option, allowed only once.
  func single() -> CommandOption {
    var option = self
    option.isSingle = true
    return option
  }

  /// The same option with likely words; other values are still allowed.
  func suggesting(_ words: [String]) -> CommandOption {
    var option = self
    option.choices = words
    return option
  }

  /// An option without a value.
  static func flag(
    _ name: String, _ path: any WritableKeyPath<Root, Bool> & Sendable, help: String
  ) -> CommandOption {
    CommandOption(names: [name], metavar: nil, help: help, choices: []) { root, _ in
      root[keyPath: path] = true
      return nil
    }
  }

  /// An option with any string as its value.
  static func text(
    _ names: String..., to path: any WritableKeyPath<Root, String?> & Sendable, metavar: String,
    help: String
  ) -> CommandOption {
    CommandOption(names: names, metavar: metavar, help: help, choices: []) { root, text in
      root[keyPath: path] = text
      return nil
    }
  }

  /// An option that may be given several times.
  static func list(
    _ name: String, to path: any WritableKeyPath<Root, [String]> & Sendable, metavar: String,
    help: String
  ) -> CommandOption {
    CommandOption(names: [name], metavar: metavar, help: help, choices: []) { root, text in
      root[keyPath: path].append(text)
      return nil
    }
  }

  /// An option that reads all values up to the next option.
  static func files(
    _ name: String, to path: any WritableKeyPath<Root, [String]> & Sendable, metavar: String,
    help: String
  ) -> CommandOption {
    var option = list(name, to: path, metavar: metavar, help: help)
    option.takesAll = true
    return option
  }

  /// An option that reads comma-separated words from a list; it may be given several times.
  /// - Parameter meaning: The listed word that another word stands for; `nil` if there is none.
  static func words(
    _ name: String, to path: any WritableKeyPath<Root, [String]> & Sendable, among known: [String],
    meaning: @escaping @Sendable (String) -> String? = { _ in nil }, metavar: String, help: String
  ) -> CommandOption {
    CommandOption(names: [name], metavar: metavar, help: help, choices: known) { root, text in
      for given in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
        let word = known.contains(given) ? given : meaning(given) ?? given
        guard known.contains(word) else {
          let near = Spelling.suggestion(for: word, among: known)
          return near.map { "a name such as \($0)" } ?? "one of " + known.joined(separator: ", ")
        }
        root[keyPath: path].append(word)
      }
      return nil
    }
  }

  /// An option with a whole number as its value.
  static func number(
    _ name: String, to path: any WritableKeyPath<Root, Int?> & Sendable, metavar: String,
    in range: ClosedRange<Int>, help: String
  ) -> CommandOption {
    CommandOption(names: [name], metavar: metavar, help: help, choices: []) { root, text in
      guard let value = Int(text), range.contains(value) else {
        return "a whole number from \(range.lowerBound) to \(range.upperBound)"
      }
      root[keyPath: path] = value
      return nil
    }
  }

  /// An option with a number as its value; decimals are allowed.
  static func real(
    _ name: String, to path: any WritableKeyPath<Root, Double?> & Sendable, metavar: String,
    in range: ClosedRange<Double>, help: String
  ) -> CommandOption {
    CommandOption(names: [name], metavar: metavar, help: help, choices: []) { root, text in
      guard let value = QuantityText.value(text, in: metavar), range.contains(value) else {
        return "a number from \(range.lowerBound) to \(range.upperBound)"
      }
      root[keyPath: path] = value
      return nil
    }
  }

  /// An option with one of a list of words as its value.
  static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, to path: any WritableKeyPath<Root, Value> & Sendable, help: String
  ) -> CommandOption {
    choice(name, help: help) { root, value in root[keyPath: path] = value }
  }

  /// The same option for an optional value.
  static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, to path: any WritableKeyPath<Root, Value?> & Sendable, help: String
  ) -> CommandOption {
    choice(name, help: help) { root, value in root[keyPath: path] = value }
  }

  private static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, help: String, _ put: @escaping @Sendable (inout Root, Value) -> Void
  ) -> CommandOption {
    let words = Value.allCases.map { $0.rawValue }
    let values = Dictionary(uniqueKeysWithValues: Value.allCases.map { ($0.rawValue, $0) })
    return CommandOption(
      names: [name], metavar: words.joined(separator: "|"), help: help, choices: words
    ) { root, text in
      guard let value = values[text] else { return "one of " + words.joined(separator: ", ") }
      put(&root, value)
      return nil
    }
  }
}

/// An option of a command, declared once for parsing, help and completion.
struct CommandOption<Root>: Sendable {
  /// The names with their dashes, the long one first.
  let names: [String]
  /// What stands for the value in help; `nil` for a switch.
  let metavar: String?
  let help: String
  /// The words that are allowed or likely, for completion; empty when there are none.
  private(set) var choices: [String]
  /// Whether every argument up to the next option is a value too.
  var takesAll = false
  /// Whether a second value would leave the first one without effect, so that it is refused.
  private(set) var isSingle = false
  /// Takes the values after the first one; `nil` where they are taken alike.
  var applyNext: (@Sendable (inout Root, String) -> Void)?
  /// Puts the value into the command; says what was expected when it is not allowed.
  let apply: @Sendable (inout Root, String) -> String?

  /// The same that may be given once.
  func single() -> CommandOption {
    var option = self
    option.isSingle = true
    return option
  }

  /// The same with words that are likely, where others are allowed, too.
  func suggesting(_ words: [String]) -> CommandOption {
    var option = self
    option.choices = words
    return option
  }

  /// An option that is there or not.
  static func flag(
    _ name: String, _ path: any WritableKeyPath<Root, Bool> & Sendable, help: String
  ) -> CommandOption {
    CommandOption(names: [name], metavar: nil, help: help, choices: []) { root, _ in
      root[keyPath: path] = true
      return nil
    }
  }

  /// An option with any text as its value.
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

  /// An option with any number of values after it, up to the next option.
  static func files(
    _ name: String, to path: any WritableKeyPath<Root, [String]> & Sendable, metavar: String,
    help: String
  ) -> CommandOption {
    var option = list(name, to: path, metavar: metavar, help: help)
    option.takesAll = true
    return option
  }

  /// An option with words out of a list, with commas between them; may be given several
  /// times.
  /// - Parameter meaning: The word of the list that another one stands for; `nil` where it is none.
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

  /// An option with a number as its value, which may have decimals.
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

  /// The same where none may be given.
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

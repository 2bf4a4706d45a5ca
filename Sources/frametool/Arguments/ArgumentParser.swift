/// A parser for the arguments of a command: options at any position, `--name value`,
/// `--name=value`, `-oFILE`, and `--` before operands that begin with a dash.
enum ArgumentParser {
  /// Stores options in `root`.
  /// - Returns: The operands, and the options that were given.
  /// - Throws: If a word is not an option, a value is not allowed, or an option has no effect with the others.
  static func parse<Root>(
    _ arguments: [String], into root: inout Root, options: [CommandOption<Root>], command: String
  ) throws(CommandError) -> (operands: [String], given: GivenOptions) {
    var operands: [String] = []
    var rest = arguments[...]
    var names: Set<String> = []
    var given = GivenOptions()
    while let argument = rest.popFirst() {
      if argument == "--" {
        operands += rest
        break
      }
      guard argument.hasPrefix("-"), argument != "-" else {
        operands.append(argument)
        continue
      }
      let (option, attached) = try find(argument, in: options, command: command)
      let value = try value(of: option, argument, attached, &rest, command: command)
      given.add(option, value)
      guard names.insert(option.names[0]).inserted || !option.isSingle else {
        throw CommandError(
          .usage, "\(option.names[0]): expected once, found again with \(value)",
          help: "'frametool help \(command)' describes it")
      }
      if let expected = option.apply(&root, value) {
        throw CommandError(
          .usage, "\(option.names[0]): expected \(expected), found \(value)",
          help: "'frametool help \(command)' describes it")
      }
      while option.takesAll, let next = rest.first, next == "-" || !next.hasPrefix("-") {
        let value = rest.removeFirst()
        if let applyNext = option.applyNext {
          applyNext(&root, value)
        } else {
          _ = option.apply(&root, value)
        }
      }
    }
    try given.check()
    return (operands, given)
  }

  private static func find<Root>(
    _ argument: String, in options: [CommandOption<Root>], command: String
  ) throws(CommandError) -> (CommandOption<Root>, String?) {
    let name = String(argument.prefix { $0 != "=" })
    let attached = name.count < argument.count ? String(argument.dropFirst(name.count + 1)) : nil
    if let option = options.first(where: { $0.names.contains(name) }) { return (option, attached) }
    let short = String(argument.prefix(2))
    if !argument.hasPrefix("--"), let option = options.first(where: { $0.names.contains(short) }) {
      return (option, String(argument.dropFirst(2)))
    }
    let known = options.flatMap(\.names)
    throw CommandError(
      .usage, "unknown option \(name) of '\(command)'",
      help: Spelling.suggestion(for: name, among: known).map { "did you mean '\($0)'?" }
        ?? "'frametool help \(command)' lists its options")
  }

  private static func value<Root>(
    of option: CommandOption<Root>, _ argument: String, _ attached: String?,
    _ rest: inout ArraySlice<String>, command: String
  ) throws(CommandError) -> String {
    guard let metavar = option.metavar else {
      if attached == nil { return "" }
      throw CommandError(.usage, "\(option.names[0]) takes no value, found \(argument)")
    }
    if let value = attached ?? rest.popFirst() { return value }
    throw CommandError(
      .usage, "\(option.names[0]): expected \(metavar) after it",
      help: "'frametool help \(command)' describes it")
  }
}

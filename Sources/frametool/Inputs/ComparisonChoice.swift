import FrameKit

/// The user's choice of the sides of a comparison, shared by several commands.
struct ComparisonChoice: Sendable {
  var before: [String] = []
  var after: [String] = []
  /// Named sides with their files; the first is the baseline.
  var named: [(name: String, files: [String])] = []
  var comparesLatency = false
  var comparesLaunches = false
  var allowsDifferentRefresh = false
  /// The metrics or figures to compare, by the names that the user gave.
  var metrics: [String] = []

  /// The options for this choice.
  /// - Parameter prefix: A prefix for each help text, for commands that also do other things.
  static func options<Root>(
    _ path: any WritableKeyPath<Root, ComparisonChoice> & Sendable, prefix: String = ""
  ) -> [CommandOption<Root>] {
    let own: [CommandOption<ComparisonChoice>] = [
      .files(
        "--before", to: \.before, metavar: "FILE…",
        help: "\(prefix)runs before a change: traces or summaries"),
      .files("--after", to: \.after, metavar: "FILE…", help: "\(prefix)runs after it")
        .conflicting(with: prefix.isEmpty ? ["--self-test"] : []),
      .flag(
        "--latency", \.comparesLatency, help: "\(prefix)touch or click latency, not frame times"
      ).conflicting(with: "--metric").ineffective(on: .pairs),
      .flag("--launch", \.comparesLaunches, help: "\(prefix)launch times, not frame times")
        .conflicting(with: "--metric", "--latency").ineffective(on: .pairs),
      .flag(
        "--allow-different-refresh", \.allowsDifferentRefresh,
        help: "\(prefix)allow displays with different refresh intervals"
      ).ineffective(on: .pairs),
    ]
    return own.map { $0.ineffective(on: .plotsOfTraces).within(path) }
  }

  /// The option for the compared figures, for commands without a `--metric` option of another kind.
  static let metricOption: CommandOption<ComparisonChoice> = .list(
    "--metric", to: \.metrics, metavar: "NAME",
    help:
      "compare this figure, such as p99 or 'p95(gpuTime)', or all figures of a metric, such as gpuTime"
  ).suggesting(ComparedFigures.names).ineffective(on: .pairedLaunches)

  /// The option that names sides.
  static let sideOption: CommandOption<ComparisonChoice> = {
    var option = CommandOption<ComparisonChoice>(
      names: ["--side"], metavar: "NAME=FILE…",
      help: "the name and the runs of a side; repeat it for each side, the baseline first",
      choices: []
    ) { choice, text in
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { return "NAME=FILE…" }
      guard !choice.named.contains(where: { $0.name == parts[0] }) else {
        return "a name that no other side has"
      }
      choice.named.append((parts[0], [parts[1]]))
      return nil
    }
    option.takesAll = true
    option.applyNext = { choice, file in choice.named[choice.named.count - 1].files.append(file) }
    return option
  }()

  var isEmpty: Bool { before.isEmpty && after.isEmpty }

  /// The comparison options that this choice determines.
  func options() throws(CommandError) -> ComparisonOptions {
    var options = ComparisonOptions()
    options.allowsDifferentRefresh = allowsDifferentRefresh
    options.kind = comparesLaunches ? .launch : comparesLatency ? .latency : .frames
    do throws(ComparisonRefusal) {
      options.figures = try ComparedFigures(metrics)
    } catch {
      throw CommandError(.usage, error.message, help: error.help)
    }
    return options
  }

  /// The files of both sides, given by options or as two operands.
  /// - Parameter usage: The usage line of the command.
  func sides(
    _ files: [String], usage: String
  ) throws(CommandError) -> (before: [String], after: [String]) {
    let sides = (before: before + files.prefix(1), after: after + files.dropFirst())
    if files.count == 1 || files.count > 2 || sides.before.isEmpty || sides.after.isEmpty {
      throw CommandError(
        .usage, "expected runs before and after a change",
        help: "\(usage), or --before FILE… --after FILE…")
    }
    return sides
  }

  /// The sides with their names, the baseline first.
  /// - Parameters:
  ///   - files: Two operands, used if no side is named.
  ///   - usage: The usage line of the command.
  func allSides(
    _ files: [String], usage: String
  ) throws(CommandError) -> [(name: String, files: [String])] {
    guard !named.isEmpty else {
      let (sides, names) = (try sides(files, usage: usage), SideNames())
      return [(names.before, sides.before), (names.after, sides.after)]
    }
    guard files.isEmpty, before.isEmpty, after.isEmpty else {
      throw CommandError(
        .usage, "--side names every side and cannot be combined with other files",
        help: "\(usage), or --side NAME=FILE… for each side")
    }
    guard named.count > 1 else {
      throw CommandError(
        .usage, "--side: expected at least two sides, found only \(named[0].name)",
        help: "the others are compared with the first, the baseline")
    }
    return named
  }

  /// The comparison of paired runs, if the only operand is a file of such runs; otherwise `nil`. The file states what
  /// was measured; the user's options take precedence.
  func pairs(
    _ files: [String], _ options: ComparisonOptions, on console: Console
  ) throws(CommandError) -> Comparison? {
    guard files.count == 1, isEmpty, named.isEmpty else { return nil }
    let file: PairedRunsFile
    do throws(ParseError) {
      let input = try console.peek(files[0])
      guard PairedRunsFile.recognizes(input) else { return nil }
      file = try PairedRunsFile(reading: console.open(files[0]))
    } catch {
      throw CommandError(error)
    }
    try console.given.refuse(
      on: .pairs, "\(files[0]), whose runs were measured in pairs until they were decided")
    if file.runs.terms.kind == .launch {
      try console.given.refuse(
        on: .pairedLaunches, "\(files[0]), which has the times of launches only")
    }
    do throws(ComparisonRefusal) {
      return try file.runs.compared(options)
    } catch {
      throw CommandError(error)
    }
  }

  /// Compares each side with the first side.
  static func compare(
    _ sides: [(name: String, files: [String])], _ runs: RunInputs, _ options: ComparisonOptions
  ) throws(CommandError) -> ComparisonOfSides {
    var compared: [ComparedSide] = []
    for side in sides {
      compared.append(ComparedSide(side.name, try runs.all(side.files, options.figures)))
    }
    do throws(ComparisonRefusal) {
      return try ComparisonOfSides(compared, options)
    } catch {
      throw CommandError(error)
    }
  }

  /// Compares two sides.
  static func compare(
    _ sides: (before: [String], after: [String]), _ runs: RunInputs, _ options: ComparisonOptions
  ) throws(CommandError) -> Comparison {
    let before = try runs.all(sides.before, options.figures)
    let after = try runs.all(sides.after, options.figures)
    do throws(ComparisonRefusal) {
      return try Comparison(before, after, options: options)
    } catch {
      throw CommandError(error)
    }
  }
}

import FrameKit

/// What a user chooses of the two sides of a comparison, whatever is made of it.
struct ComparisonChoice: Sendable {
  var before: [String] = []
  var after: [String] = []
  /// Sides with names of their own, each with its files; the first is the baseline.
  var named: [(name: String, files: [String])] = []
  var comparesLatency = false
  var comparesLaunches = false
  var allowsDifferentRefresh = false
  /// The metric or the figures that are compared, as they were named.
  var metrics: [String] = []

  /// The options that set it.
  /// - Parameter prefix: What stands before the help of each, where a command does other things too.
  static func options<Root>(
    _ path: any WritableKeyPath<Root, ComparisonChoice> & Sendable, prefix: String = ""
  ) -> [CommandOption<Root>] {
    let own: [CommandOption<ComparisonChoice>] = [
      .files(
        "--before", to: \.before, metavar: "FILE…",
        help: "\(prefix)runs before a change: traces or summaries"),
      .files("--after", to: \.after, metavar: "FILE…", help: "\(prefix)runs after it"),
      .flag(
        "--latency", \.comparesLatency, help: "\(prefix)touch or click latency, not frame times"),
      .flag("--launch", \.comparesLaunches, help: "\(prefix)launch times, not frame times"),
      .flag(
        "--allow-different-refresh", \.allowsDifferentRefresh,
        help: "\(prefix)displays of different refresh intervals, too"),
    ]
    return own.map { $0.within(path) }
  }

  /// The option that chooses the figures, where a command has no such option of its own.
  static let metricOption: CommandOption<ComparisonChoice> = .list(
    "--metric", to: \.metrics, metavar: "NAME",
    help:
      "compare by this figure, such as p99 or 'p95(gpuTime)', or by all of a metric, such as gpuTime"
  ).suggesting(ComparedFigures.names)

  /// The option that names sides.
  static let sideOption: CommandOption<ComparisonChoice> = {
    var option = CommandOption<ComparisonChoice>(
      names: ["--side"], metavar: "NAME=FILE…",
      help: "runs of a side with a name; give it for each side, the baseline first", choices: []
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

  /// How sides are compared, as far as it is chosen here.
  func options() throws(CommandError) -> ComparisonOptions {
    var options = ComparisonOptions()
    options.allowsDifferentRefresh = allowsDifferentRefresh
    options.kind = comparesLaunches ? .launch : comparesLatency ? .latency : .frames
    if !metrics.isEmpty, options.kind != .frames {
      throw CommandError(
        .usage, "--metric has no effect with --\(options.kind.rawValue), which has its own figures")
    }
    do throws(ComparisonRefusal) {
      options.figures = try ComparedFigures(metrics)
    } catch {
      throw CommandError(.usage, error.message, help: error.help)
    }
    return options
  }

  /// The files of both sides, named or given as two files.
  /// - Parameter usage: How the command is called.
  func sides(
    _ files: [String], usage: String
  ) throws(CommandError) -> (before: [String], after: [String]) {
    let sides = (before: before + files.prefix(1), after: after + files.dropFirst())
    if files.count == 1 || files.count > 2 || sides.before.isEmpty || sides.after.isEmpty {
      throw CommandError(
        .usage, "expected runs before and runs after",
        help: "\(usage), or --before FILE… --after FILE…")
    }
    return sides
  }

  /// The sides by their names, the baseline first.
  /// - Parameters:
  ///   - files: Two files, where no side is named.
  ///   - usage: How the command is called.
  func allSides(
    _ files: [String], usage: String
  ) throws(CommandError) -> [(name: String, files: [String])] {
    guard !named.isEmpty else {
      let (sides, names) = (try sides(files, usage: usage), SideNames())
      return [(names.before, sides.before), (names.after, sides.after)]
    }
    guard files.isEmpty, before.isEmpty, after.isEmpty else {
      throw CommandError(
        .usage, "--side names every side: expected nothing beside it, found other files",
        help: "\(usage), or --side NAME=FILE… for each side")
    }
    guard named.count > 1 else {
      throw CommandError(
        .usage, "--side: expected at least two sides, found \(named[0].name) alone",
        help: "the first is the baseline, with which the others are compared")
    }
    return named
  }

  /// The comparison of sides with the first of them.
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

  /// The comparison of two sides.
  static func compare(
    _ sides: (before: [String], after: [String]), _ runs: RunInputs, _ options: ComparisonOptions
  ) throws(CommandError) -> Comparison {
    let before = try runs.all(sides.before, options.figures)
    let after = try runs.all(sides.after, options.figures)
    do throws(ComparisonRefusal) {
      return try Comparison(before, after, options)
    } catch {
      throw CommandError(error)
    }
  }
}

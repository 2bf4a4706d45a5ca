import FrameKit

/// What a user chooses of the two sides of a comparison, whatever is made of it.
struct ComparisonChoice: Sendable {
  var before: [String] = []
  var after: [String] = []
  var comparesLatency = false
  var comparesLaunches = false
  var allowsDifferentRefresh = false

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

  var isEmpty: Bool { before.isEmpty && after.isEmpty }

  /// How sides are compared, as far as it is chosen here.
  var options: ComparisonOptions {
    var options = ComparisonOptions()
    options.allowsDifferentRefresh = allowsDifferentRefresh
    options.kind = comparesLaunches ? .launch : comparesLatency ? .latency : .frames
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

  /// The comparison of two sides.
  static func compare(
    _ sides: (before: [String], after: [String]), _ runs: RunInputs, _ options: ComparisonOptions
  ) throws(CommandError) -> Comparison {
    let (before, after) = (try runs.all(sides.before), try runs.all(sides.after))
    do throws(ComparisonRefusal) {
      return try Comparison(before, after, options)
    } catch {
      throw CommandError(error)
    }
  }
}

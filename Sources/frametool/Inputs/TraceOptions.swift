import FrameKit

extension CommandOption {
  /// The same option for a type that contains the root as a member.
  func within<Outer>(
    _ path: any WritableKeyPath<Outer, Root> & Sendable
  ) -> CommandOption<Outer> {
    var option = CommandOption<Outer>(
      names: names, metavar: metavar, help: help, choices: choices
    ) { outer, text in apply(&outer[keyPath: path], text) }
    (option.takesAll, option.conditions) = (takesAll, conditions)
    if let applyNext {
      option.applyNext = { outer, text in applyNext(&outer[keyPath: path], text) }
    }
    return option
  }

  /// The option that assigns the columns of a table.
  static func columns(
    to path: any WritableKeyPath<Root, ColumnMap> & Sendable
  ) -> CommandOption {
    CommandOption(
      names: ["--columns"], metavar: "WHAT=COLUMN[:UNIT],…",
      help: "read any table by naming its columns, such as time=Time:s,frameTime=ms",
      choices: []
    ) { root, text in root[keyPath: path].add(text) }
  }

  /// The option that sets the refresh rate of the display.
  static func refreshRate(
    to path: any WritableKeyPath<Root, Nanoseconds?> & Sendable
  ) -> CommandOption {
    interval(
      "--refresh", to: path, metavar: "HZ",
      help: "the display's refresh rate, if the trace lacks it: 60, or 16.667ms",
      expected: "a rate between 1 and 2000 Hz, such as 60, or a time, such as 16.667ms"
    ) { text in
      let isLength = text.hasSuffix("ms")
      return Double(isLength ? text.dropLast(2) : text[...]).map { isLength ? 1000 / $0 : $0 }
        .flatMap { (1...2000).contains($0) ? $0 : nil }
    }
  }

  /// The option that sets the target frame rate of an app.
  static func targetRate(
    to path: any WritableKeyPath<Root, Nanoseconds?> & Sendable
  ) -> CommandOption {
    interval(
      "--target-fps", to: path, metavar: "N",
      help:
        "the app's target frame rate, so that a rate below the refresh rate does not count as drops",
      expected: "a number of frames per second between 0.1 and 10000"
    ) { text in
      Double(text).flatMap { (0.1...10_000).contains($0) ? $0 : nil }
    }
  }

  /// An option that sets an interval by its rate.
  /// - Parameter rate: Parses a rate in Hz; returns `nil` for other strings.
  private static func interval(
    _ name: String, to path: any WritableKeyPath<Root, Nanoseconds?> & Sendable, metavar: String,
    help: String, expected: String, _ rate: @escaping @Sendable (String) -> Double?
  ) -> CommandOption {
    CommandOption(names: [name], metavar: metavar, help: help, choices: []) { root, text in
      guard let rate = rate(text) else { return expected }
      root[keyPath: path] = .milliseconds(1000 / rate)
      return nil
    }
  }

  /// The option that sets the clock offset of a recording of touches.
  static func offset(
    to path: any WritableKeyPath<Root, JoinedTouches.Offset?> & Sendable
  ) -> CommandOption {
    CommandOption(
      names: ["--offset"], metavar: "[CLOCK=]MS",
      help: "time to add to --touches to match the frames' clock; 0 if both use the same clock",
      choices: []
    ) { root, text in
      guard let offset = JoinedTouches.Offset(text) else {
        return "a number of ms, such as -12.5 or camera=-12.5"
      }
      root[keyPath: path] = offset
      return nil
    }
  }

  /// The option that sets the format of traces.
  static func inputFormat(
    to path: any WritableKeyPath<Root, String?> & Sendable
  ) -> CommandOption {
    .text(
      "--input-format", to: path, metavar: "NAME",
      help: "read traces as this format instead of detecting it"
    ).suggesting(Importers.formats.map(\.name))
  }

  /// The option that suppresses progress.
  static func quiet(to path: any WritableKeyPath<Root, Bool> & Sendable) -> CommandOption {
    .flag("--quiet", path, help: "no progress on a terminal")
  }
}

import FrameKit

/// How a user wants traces to be read, whatever is made of them.
struct ReadingChoice: Sendable {
  var importing = ImportChoice()
  var areOneRecording = false
  var quiet = false
  /// A recording of touches, and how its clock is to be joined.
  var touches: String?
  var offset: JoinedTouches.Offset?

  /// The options that set it.
  static func options<Root>(
    _ path: any WritableKeyPath<Root, ReadingChoice> & Sendable
  ) -> [CommandOption<Root>] {
    let own: [CommandOption<ReadingChoice>] = [
      .inputFormat(to: \.importing.format), .columns(to: \.importing.columns),
      .targetRate(to: \.importing.targetInterval),
      .refreshRate(to: \.importing.refreshInterval),
      .flag(
        "--one-recording", \.areOneRecording,
        help: "the files are parts of one recording; a folder stands for the files in it"),
      .text(
        "--touches", to: \.touches, metavar: "FILE",
        help: "touches that were recorded beside the frames; takes --offset"),
      .offset(to: \.offset),
      .quiet(to: \.quiet),
    ]
    return own.map { $0.within(path) }
  }

  /// What reads the traces.
  func inputs(on console: Console, demand: TraceDemand = .everything) -> TraceInputs {
    TraceInputs(
      console: console, importing: importing, demand: demand, quiet: quiet,
      areOneRecording: areOneRecording, touches: touches, offset: offset)
  }
}

extension CommandOption {
  /// The option that names the columns of a table.
  static func columns(
    to path: any WritableKeyPath<Root, ColumnMap> & Sendable
  ) -> CommandOption {
    CommandOption(
      names: ["--columns"], metavar: "WHAT=COLUMN[:UNIT],…",
      help: "read a table of any kind: which column holds what, as time=Time:s,frameTime=ms",
      choices: []
    ) { root, text in root[keyPath: path].add(text) }
  }

  /// The option that states the refresh rate of the display.
  static func refreshRate(
    to path: any WritableKeyPath<Root, Nanoseconds?> & Sendable
  ) -> CommandOption {
    CommandOption(
      names: ["--refresh"], metavar: "HZ",
      help: "the display's refresh rate, where the trace does not tell it: 60, or 16.667ms",
      choices: []
    ) { root, text in
      let isLength = text.hasSuffix("ms")
      guard let number = Double(isLength ? text.dropLast(2) : text[...]), number > 0,
        (1...2000).contains(isLength ? 1000 / number : number)
      else { return "a rate between 1 and 2000 Hz, such as 60, or a time, such as 16.667ms" }
      root[keyPath: path] = .milliseconds(isLength ? number : 1000 / number)
      return nil
    }
  }

  /// The option that states the rate an app aims at.
  static func targetRate(
    to path: any WritableKeyPath<Root, Nanoseconds?> & Sendable
  ) -> CommandOption {
    CommandOption(
      names: ["--target-fps"], metavar: "N",
      help: "the frames a second that the app aims at, so that a lower rate is none of its drops",
      choices: []
    ) { root, text in
      guard let rate = Double(text), (0.1...10_000).contains(rate) else {
        return "a number of frames a second between 0.1 and 10000"
      }
      root[keyPath: path] = .milliseconds(1000 / rate)
      return nil
    }
  }

  /// The option that joins the clock of a recording of touches.
  static func offset(
    to path: any WritableKeyPath<Root, JoinedTouches.Offset?> & Sendable
  ) -> CommandOption {
    CommandOption(
      names: ["--offset"], metavar: "[CLOCK=]MS",
      help: "what to add to times of --touches to get those of the frames", choices: []
    ) { root, text in
      guard let offset = JoinedTouches.Offset(text) else {
        return "a number of ms, such as -12.5 or camera=-12.5"
      }
      root[keyPath: path] = offset
      return nil
    }
  }

  /// The option that names the format of traces.
  static func inputFormat(
    to path: any WritableKeyPath<Root, String?> & Sendable
  ) -> CommandOption {
    .text(
      "--input-format", to: path, metavar: "NAME",
      help: "read traces as this format instead of the one the content shows")
  }

  /// The option that leaves progress out.
  static func quiet(to path: any WritableKeyPath<Root, Bool> & Sendable) -> CommandOption {
    .flag("--quiet", path, help: "no progress on a terminal")
  }
}

import FrameKit

/// How a user wants traces to be read, whatever is made of them.
struct ReadingChoice: Sendable {
  var format: String?
  var areOneRecording = false
  var quiet = false

  /// The options that set it.
  static func options<Root>(
    _ path: any WritableKeyPath<Root, ReadingChoice> & Sendable
  ) -> [CommandOption<Root>] {
    let own: [CommandOption<ReadingChoice>] = [
      .inputFormat(to: \.format),
      .flag(
        "--one-recording", \.areOneRecording,
        help: "the files are parts of one recording; a folder stands for the files in it"),
      .quiet(to: \.quiet),
    ]
    return own.map { $0.within(path) }
  }

  /// What reads the traces.
  func inputs(on console: Console, demand: TraceDemand = .everything) -> TraceInputs {
    TraceInputs(
      console: console, format: format, demand: demand, quiet: quiet,
      areOneRecording: areOneRecording)
  }
}

extension CommandOption {
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

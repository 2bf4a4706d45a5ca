import Fixtures
import FrameKit

/// Writes a synthetic trace with known ground truth.
struct Generate: Command {
  static let name = "generate"
  static let summary = "writes a synthetic trace with known ground truth"
  static let operands = "SCENARIO"
  static let operandCount = 1...1
  static var operandWords: [String] { Scenarios.all.map(\.name) }
  static let examples = [
    (
      command: "frametool generate uncapped-game | frametool analyze -",
      does: "a trace in frametool's own format, analyzed"
    ),
    (
      command: "frametool generate dropped-frames --encode presentmon -o t.csv --truth t.json",
      does: "a trace as PresentMon would write it, with its ground truth"
    ),
  ]
  static let options: [CommandOption<Generate>] = [
    .text(
      "--output", "-o", to: \.output, metavar: "FILE", help: "write here (default: standard output)"
    ),
    .text(
      "--encode", to: \.encoding, metavar: "FORMAT",
      help:
        "one of \(Encoders.all.map(\.name).joined(separator: ", ")) (default: native, or packed if FILE ends in .ftz)"
    ),
    .number(
      "--seed", to: \.seed, metavar: "N", in: 0...Int.max, help: "random seed (default: 1)"),
    .number(
      "--frames", to: \.frames, metavar: "N", in: 1...100_000_000,
      help: "how many frames the app produces"),
    .text("--truth", to: \.truth, metavar: "FILE", help: "write its ground truth here, as JSON"),
  ]

  var output: String?
  var encoding: String?
  var seed: Int?
  var frames: Int?
  var truth: String?

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let scenario = try Self.scenario(named: operands[0])
    let isPacked = output.map { Output.dataSuffix(of: $0) == PackedOutput.suffix } ?? false
    let encoder = try Self.encoder(named: encoding ?? (isPacked ? "packed" : "native"))
    let options = Scenario.Options(
      seed: UInt64(seed ?? 1), frames: frames ?? scenario.frames)
    let outcome = scenario.play(options)
    if let why = encoder.whyNot(outcome.trace) {
      throw CommandError(
        .usage, "\(scenario.name) cannot be written as \(encoder.name): \(why)",
        help: "the native format can hold every scenario")
    }
    try Output.write(to: output ?? "-", on: console) { $0(encoder.encode(outcome.trace)) }
    if let truth {
      let json = outcome.truth(scenario: scenario.name, seed: options.seed)
      try Output.write(to: truth, on: console) { $0(Array(json.utf8)) }
    }
    return .success
  }

  private static func scenario(named name: String) throws(CommandError) -> Scenario {
    if let scenario = Scenarios.all.first(where: { $0.name == name }) { return scenario }
    let known = Scenarios.all.map(\.name)
    throw CommandError(
      .usage, "unknown scenario \(name)",
      help: Spelling.suggestion(for: name, among: known).map { "did you mean '\($0)'?" }
        ?? "'frametool scenarios' lists them")
  }

  private static func encoder(named name: String) throws(CommandError) -> any TraceEncoder {
    if let encoder = Encoders.all.first(where: { $0.name == name }) { return encoder }
    let known = Encoders.all.map { $0.name }
    throw CommandError(
      .usage, "--encode: expected one of \(known.joined(separator: ", ")), found \(name)")
  }
}

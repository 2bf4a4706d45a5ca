import Fixtures
import FrameKit

/// Writes a synthetic trace with known ground truth.
struct Generate: Command {
  static let name = "generate"
  static let summary = "writes synthetic traces with known ground truth"
  static let operands = "[SCENARIO]"
  static let operandCount = 0...1
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
    (
      command: "frametool generate --random 1000 --seed 1 --encode perfetto -o traces",
      does: "a thousand random traces, each with every frame and dropped refresh of its truth"
    ),
  ]
  static let options: [CommandOption<Generate>] = [
    .text(
      "--output", "-o", to: \.output, metavar: "FILE",
      help: "write here (default: standard output); with --random, the folder to make"
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
    .number(
      "--random", to: \.count, metavar: "N", in: 1...1_000_000,
      help: "write this many random traces with their truths, in place of a scenario"),
    .words(
      "--family", to: \.families, among: JankFamily.allCases.map(\.rawValue), metavar: "NAME",
      help:
        "with --random, only these families: \(JankFamily.allCases.map(\.rawValue).joined(separator: ", "))"
    ),
  ]

  var output: String?
  var encoding: String?
  var seed: Int?
  var frames: Int?
  var truth: String?
  var count: Int?
  var families: [String] = []

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    if let count { return try writeSet(of: count, operands, on: console) }
    if !families.isEmpty {
      throw CommandError(.usage, "--family is for --random", help: "add --random N")
    }
    guard let name = operands.first else {
      throw CommandError(
        .usage, "generate: expected SCENARIO, or --random N",
        help: "'frametool list scenarios' lists the scenarios")
    }
    let scenario = try Self.scenario(named: name)
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

  private func writeSet(
    of count: Int, _ operands: [String], on console: Console
  ) throws(CommandError) -> ExitStatus {
    if let name = operands.first {
      throw CommandError(
        .usage, "--random takes no scenario, found \(name)", help: "--family NAME chooses a family")
    }
    if frames != nil || truth != nil {
      throw CommandError(
        .usage, "--random takes no \(frames != nil ? "--frames" : "--truth")",
        help: "each trace has its own length and truth")
    }
    guard let output, output != "-" else {
      throw CommandError(.usage, "--random needs a folder", help: "add -o FOLDER")
    }
    let chosen = JankFamily.allCases.filter {
      families.isEmpty || families.contains($0.rawValue)
    }
    return try GenerateSet(
      count: count, seed: UInt64(seed ?? 1), families: chosen,
      encoder: try Self.encoder(named: encoding ?? "native"), folder: output
    ).write(on: console)
  }

  private static func scenario(named name: String) throws(CommandError) -> Scenario {
    if let scenario = Scenarios.all.first(where: { $0.name == name }) { return scenario }
    let known = Scenarios.all.map(\.name)
    throw CommandError(
      .usage, "unknown scenario \(name)",
      help: Spelling.suggestion(for: name, among: known).map { "did you mean '\($0)'?" }
        ?? "'frametool list scenarios' lists them")
  }

  private static func encoder(named name: String) throws(CommandError) -> any TraceEncoder {
    if let encoder = Encoders.all.first(where: { $0.name == name }) { return encoder }
    let known = Encoders.all.map { $0.name }
    throw CommandError(
      .usage, "--encode: expected one of \(known.joined(separator: ", ")), found \(name)")
  }
}

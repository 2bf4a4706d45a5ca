import Foundation

/// Another program that reads what frametool prints.
enum Checker {
  /// The Python whose libraries `scripts/install checkers` installs: its own environment, else
  /// Debian's.
  static let python = {
    let own = Run.root.appending(path: ".build/checkers/bin/python").path
    return FileManager.default.isExecutableFile(atPath: own) ? own : "/usr/bin/python3"
  }()
  static let promtool = [
    "/usr/bin/promtool", "/usr/local/bin/promtool", "/opt/homebrew/bin/promtool",
  ]
  .first { FileManager.default.isExecutableFile(atPath: $0) }

  static let hasPromtool = promtool != nil
  static let hasYAML = (try? run(python, ["-c", "import yaml"]))?.status == 0
  static let hasJSONSchema = (try? run(python, ["-c", "import jsonschema"]))?.status == 0
  static let hasTelemetry =
    (try? run(python, ["-c", "import opentelemetry.proto"]))?.status == 0

  static let hasDuckDB = (try? run(python, ["-c", "import duckdb"]))?.status == 0

  /// The script of axe-core, which finds what hinders people with assistive technology; `nil` if it is not installed.
  static let axe: String? = {
    let code =
      "import axe_core_python, pathlib; print(pathlib.Path(axe_core_python.__path__[0], 'axe.min.js'))"
    guard let found = try? run(python, ["-c", code]), found.status == 0 else { return nil }
    return found.output.trimmingCharacters(in: .newlines)
  }()

  static let absence = "not installed: scripts/install checkers"

  /// Runs a program.
  /// - Returns: Its exit status, and what it printed, errors included.
  static func run(
    _ program: String, _ arguments: [String], input: String = ""
  ) throws -> (status: Int32, output: String) {
    let process = Process()
    let (standardInput, output) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardInput = standardInput
    process.standardOutput = output
    process.standardError = output
    try process.run()
    try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try standardInput.fileHandleForWriting.close()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
  }
}

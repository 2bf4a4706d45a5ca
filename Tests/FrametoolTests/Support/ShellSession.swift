import Foundation
import Testing

/// Commands as a user types them, one after the other, in a folder of their own.
struct ShellSession {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The program that was built with the tests, beside them.
  static let tool = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "frametool")

  /// Runs a command by the shell.
  /// - Returns: What it printed, errors included.
  func run(_ command: String) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = URL(filePath: folder.path(""))
    let usual = ProcessInfo.processInfo.environment
    // Nothing of the machine's own: no CI system, no settings of colors or languages.
    process.environment = [
      "PATH": Self.tool.deletingLastPathComponent().path + ":" + (usual["PATH"] ?? "/usr/bin:/bin"),
      "HOME": folder.path(""), "LC_ALL": "C",
    ]
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }
}

import Foundation
import Testing

/// Commands as a user types them, one after the other, in one folder.
struct ShellSession {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The program that was built with the tests, in the same folder.
  static let tool = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "frametool")

  /// Runs a command in the shell.
  /// - Returns: What it printed, errors included.
  func run(_ command: String) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = URL(filePath: folder.path(""))
    let usual = ProcessInfo.processInfo.environment
    // Nothing from the machine's environment: no CI system, no settings for colors or languages.
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

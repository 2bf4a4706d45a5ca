import Foundation

/// A browser without a window, if one is installed.
enum Chromium {
  /// The path of the browser; `nil` if none is installed.
  static let path = find(["chromium", "chromium-browser", "google-chrome"])

  /// The first program found among the names.
  static func find(_ names: [String]) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return names.lazy.flatMap { name in folders.lazy.map { "\($0)/\(name)" } }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// The message if no browser is installed.
  static let reason: String = "no chromium in PATH; Debian's package chromium has one"

  /// The elements of a loaded page, and the browser's messages about it.
  struct Visit {
    let page: String
    /// Lines of the page's console: errors, and what the page was not allowed to do.
    let console: [String]
  }

  /// Opens a page and returns its elements once it is loaded.
  static func visit(_ path: String) throws -> Visit {
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(filePath: Self.path ?? "")
    process.arguments = [
      "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
      "--user-data-dir=\(folder.path("profile"))", "--enable-logging=stderr", "--timeout=30000",
      "--dump-dom", "file://\(path)",
    ]
    let (output, errors) = (folder.url.appending(path: "out"), folder.url.appending(path: "err"))
    for file in [output, errors] { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let log = String(decoding: try Data(contentsOf: errors), as: UTF8.self)
    return Visit(
      page: String(decoding: try Data(contentsOf: output), as: UTF8.self),
      console: log.split(separator: "\n").map(String.init).filter { $0.contains("CONSOLE") })
  }
}

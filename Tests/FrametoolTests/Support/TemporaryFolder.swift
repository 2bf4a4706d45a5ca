import Foundation
import Testing

@testable import frametool

/// A folder that is deleted after a test.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a file in it.
  func path(_ name: String) -> String { url.appending(path: name).path }

  /// The names of the files in it, in order.
  var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
  }

  /// Writes a file that a shell can execute.
  func script(_ name: String, _ text: String) throws -> String {
    try Data("#!/bin/sh\n\(text)\n".utf8).write(to: url.appending(path: name))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path(name))
    return path(name)
  }

  /// Generates a scenario in the folder with the command, with its default number of frames unless
  /// given.
  func generate(_ scenario: String, frames: Int? = nil) -> String {
    let path = path("\(scenario)\(frames.map { "-\($0)" } ?? "").jsonl")
    let options = frames.map { ["--frames", "\($0)"] } ?? []
    let run = Run(["generate", scenario] + options + ["-o", path])
    #expect(run.status == .success, "\(run.errors)")
    return path
  }
}

import Foundation
import FrameKit
import Synchronization

@testable import frametool

/// The output and exit status of a run of the tool.
struct Run {
  let output: String
  let errors: String
  let status: ExitStatus

  /// Runs the tool in process.
  /// - Parameters:
  ///   - input: The contents of standard input.
  ///   - folder: The folder for relative names.
  ///   - gnuplot: The program that draws plots.
  ///   - window: The size of the terminal, in characters.
  ///   - hasColor: Whether the terminal shows colors.
  ///   - variables: The environment.
  ///   - git: The output of git for commits, by their names.
  init(
    _ arguments: [String], input: [UInt8] = [], in folder: URL = Run.root,
    gnuplot: GnuplotProgram = GnuplotProgram(), variables: [String: String] = [:],
    window: (width: Int, height: Int)? = nil, hasColor: Bool = false,
    git: [String: String] = [:]
  ) {
    let output = Mutex<[UInt8]>([])
    let errors = Mutex<[UInt8]>([])
    let console = Console(
      output: { bytes throws(ParseError) in
        output.withLock { $0 += bytes }
        return true
      },
      errors: { bytes throws(ParseError) in
        errors.withLock { $0 += bytes }
        return true
      }, gnuplot: gnuplot, window: window, hasColor: hasColor, variable: { variables[$0] },
      gitLog: { git[$0] },
      open: { path throws(ParseError) in
        if path == "-" { return try InputFile(bytes: input, path: "-") }
        return try InputFile(
          path: path.hasPrefix("/") ? path : folder.appending(path: path).path, named: path)
      })
    status = Frametool.run(arguments, on: console)
    self.output = String(decoding: output.withLock { $0 }, as: UTF8.self)
    self.errors = String(decoding: errors.withLock { $0 }, as: UTF8.self)
  }

  /// Runs a line as a shell would: frametool commands connected by pipes.
  init(line: String, in folder: URL = Run.root) {
    var input: [UInt8] = []
    var last: Run?
    for part in line.split(separator: "|") {
      let words = part.split(separator: " ").map(String.init)
      let run = Run(Array(words.dropFirst()), input: input, in: folder)
      input = Array(run.output.utf8)
      last = run
    }
    self = last ?? Run(["help"])
  }

  /// The root of the checkout.
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}

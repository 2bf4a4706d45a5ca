import FrameKit

/// DuckDB, which writes Parquet: the program of that name, or else the library in Python.
struct DuckDB {
  /// The words that run a script.
  private let words: @Sendable (String) -> [String]

  /// The variable that names the program, or a Python that has the library.
  static let variable = "FRAMETOOL_DUCKDB"
  /// The time limit of a script.
  private static let patience: Int64 = 24 * 3600 * 1_000_000_000

  /// - Throws: If DuckDB is not installed.
  init(_ console: Console) throws(CommandError) {
    let named = console.variable(Self.variable).flatMap { $0.isEmpty ? nil : $0 }
    let programs = named.map { [$0] } ?? ["duckdb", "python3"]
    for program in programs where PageCache.file(named: program) != nil {
      let words = Self.words(program)
      if Self.succeeds(words.check) {
        self.words = words.run
        return
      }
    }
    throw CommandError(
      .unavailable, "\(named ?? "DuckDB"): not found; it is needed to write Parquet",
      help:
        "install DuckDB 1.3 or later: 'pip install duckdb', or brew install duckdb; \(Self.variable) names the program, or a Python that has it"
    )
  }

  /// The words that check for DuckDB, and the words that run a script.
  private static func words(
    _ program: String
  ) -> (check: [String], run: @Sendable (String) -> [String]) {
    let name = program.split(separator: "/").last.map(String.init) ?? program
    guard name.hasPrefix("python") else {
      return ([program, "-version"], { [program, "-bail", "-c", ".read \($0)"] })
    }
    let run = "import duckdb, sys; duckdb.execute(open(sys.argv[1], encoding='utf-8').read())"
    return ([program, "-c", "import duckdb"], { [program, "-c", run, $0] })
  }

  private static func succeeds(_ words: [String]) -> Bool {
    guard let process = try? LaunchedProcess(words, output: .everything) else { return false }
    return Self.end(of: process).status == 0
  }

  /// Waits for a process.
  /// - Returns: The process's status, `nil` if the process did not end by itself, and its output.
  private static func end(of process: LaunchedProcess) -> (status: Int32?, text: String) {
    var text: [UInt8] = []
    let limit = LaunchedProcess.now + patience
    while true {
      switch process.next(until: limit) {
      case .printed(let bytes, _): text += bytes
      case .ended(let end): return (end.status, String(decoding: text, as: UTF8.self))
      case .timeOver:
        _ = process.stop()
        return (nil, String(decoding: text, as: UTF8.self))
      }
    }
  }

  /// Runs statements.
  func run(_ statements: String) throws(CommandError) {
    let folder: String
    let script: String
    do throws(ParseError) {
      // The name contains no characters that DuckDB's command line would interpret differently.
      folder = try FileFolder.makePrivate()
      script = "\(folder)/tables.sql"
      let sink = try ByteSink(path: script)
      _ = try sink.write(Array(statements.utf8))
      try sink.finish()
    } catch {
      throw CommandError(error)
    }
    defer { FileFolder.removeAll(folder) }
    let process: LaunchedProcess
    do throws(SystemError) {
      process = try LaunchedProcess(words(script), output: .everything)
    } catch {
      throw CommandError(
        .unavailable, "DuckDB: cannot be started: \(systemError(error.number))")
    }
    let (status, text) = Self.end(of: process)
    guard status != 0 else { return }
    let lines = text.split(separator: "\n").map(String.init)
    // The lines after the error show its position in the statement.
    let message = lines.first { $0.contains("Error") } ?? lines.last ?? "it printed nothing"
    throw CommandError(
      .inputOutput,
      "DuckDB failed \(status.map { "with status \($0)" } ?? "by a signal"): \(PrintableText.line(message))"
    )
  }
}

import CProgram
import FrameKit

/// What the program knows of itself; the only code that calls its C interface.
@safe enum ProgramBuild {
  /// The arguments after the program's name.
  static var arguments: [String] {
    let count = program_argument_count()
    guard count > 0 else { return Array(CommandLine.arguments.dropFirst()) }
    return (1..<count).compactMap { position in
      unsafe program_argument(position).map { unsafe String(cString: $0) }
    }
  }

  /// Has crashes reported in one line.
  static func reportCrashes() { program_report_crashes() }

  /// Has an overflow of this thread's stack reported, too.
  static func beginWork() { program_begins_work() }

  /// The file that this thread reads; empty for none.
  static var file: String { unsafe String(cString: program_file()) }

  /// Names a file in the line of a crash that happens while it is read.
  static func reading<Value, Failure: Error>(
    _ path: String, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let before = file
    unsafe program_reads_file(PrintableText.line(path))
    defer { unsafe program_reads_file(before) }
    return try body()
  }

  /// The version, with the commit of a release.
  static var version: String {
    let commit = unsafe program_commit().map { unsafe " (\(String(cString: $0)))" }
    return "frametool \(Frametool.version)\(commit ?? "")"
  }

  /// The version and all that a report on a bug needs to know of the machine, a line for each.
  static func description(_ console: Console) -> String {
    """
    \(version)
    system: \(unsafe text(program_system()))
    libraries: \(unsafe text(program_libraries()))
    gnuplot: \(gnuplot(console))
    Vulkan layer: \((try? LayerFolder.layer(console)) ?? "not installed")

    """
  }

  private static func text(_ words: UnsafePointer<CChar>?) -> String {
    unsafe words.map { unsafe String(cString: $0) } ?? "unknown"
  }

  private static func gnuplot(_ console: Console) -> String {
    do throws(CommandError) {
      try console.gnuplot.check()
      return "found"
    } catch {
      return error.message
    }
  }
}

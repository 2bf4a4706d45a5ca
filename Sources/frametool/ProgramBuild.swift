import CProgram
import FrameKit

/// Information about the program itself. This is the only code that calls its C interface.
@safe enum ProgramBuild {
  /// The arguments after the program's name.
  static var arguments: [String] {
    let count = program_argument_count()
    guard count > 0 else { return Array(CommandLine.arguments.dropFirst()) }
    return (1..<count).compactMap { position in
      unsafe program_argument(position).map { unsafe String(cString: $0) }
    }
  }

  /// Enables the report of crashes in one line.
  static func reportCrashes() { program_report_crashes() }

  /// Enables the report of stack overflows of this thread as well.
  static func beginWork() { program_begins_work() }

  /// The file that this thread is reading; empty for none.
  static var file: String { unsafe String(cString: program_file()) }

  /// Names a file in the crash report while the file is read.
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

  /// The version and all information about the machine that a bug report needs, one line each.
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

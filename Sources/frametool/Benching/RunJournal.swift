import FrameKit

/// The file to which runs are written as they are made, so that an interrupted measurement can be resumed.
final class RunJournal {
  let path: String
  private let sink: ByteSink

  /// Creates a file.
  /// - Parameters:
  ///   - header: The first line of the file.
  ///   - name: The value for --resume; `nil` for the file itself.
  init(_ path: String, header: String, resumedBy name: String? = nil) throws(CommandError) {
    self.path = path
    guard !ByteSink.exists(path) else {
      throw CommandError(
        .usage, "\(path): expected a name that is free, found a file",
        help: "continue it with --resume \(name ?? path), or give another name")
    }
    do throws(ParseError) {
      sink = try ByteSink(alone: path) { 0 }
    } catch {
      throw CommandError(error)
    }
    try append(header)
  }

  /// Continues with a file after its first bytes.
  init(_ path: String, keeping bytes: Int) throws(CommandError) {
    self.path = path
    do throws(ParseError) {
      sink = try ByteSink(alone: path) { bytes }
    } catch {
      throw CommandError(error)
    }
  }

  /// Removes the file if nothing was measured.
  func discard() { FileDescriptor.remove(path) }

  /// Writes a line that ends with a line feed.
  func append(_ line: String) throws(CommandError) {
    do throws(ParseError) {
      _ = try sink.write(Array(line.utf8))
    } catch {
      throw CommandError(error)
    }
  }
}

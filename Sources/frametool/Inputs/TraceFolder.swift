import FrameKit

/// Folders that a user names instead of traces. Each folder represents the traces in it, but not those in its
/// subfolders, and not files that frametool wrote about the traces. An archive of several files represents all traces
/// in it.
enum TraceFolder {
  /// What to look for in a folder.
  enum Kind {
    case traces
    /// Traces, or if there are none, summaries of traces.
    case runs

    fileprivate var tests: [(InputFile) -> Bool] {
      let traces = { (input: InputFile) in Importers.recognizes(input) }
      let summaries = { (input: InputFile) in RunSummaryReader.recognizes(input) }
      return self == .traces ? [traces] : [traces, summaries]
    }
  }

  /// The paths, with each folder replaced by its traces in order.
  /// - Throws: If a folder cannot be read, or contains no traces.
  static func expand(
    _ paths: [String], _ kind: Kind, on console: Console
  ) throws(CommandError) -> [String] {
    var all: [String] = []
    for path in paths {
      if path != "-", let entries = try entries(of: path) {
        all += try files(kind, among: entries, in: path, on: console)
      } else if path != "-", let entries = ZipPath.files(in: path, atMost: mostInArchive) {
        guard entries.count <= mostInArchive else {
          throw CommandError(
            .badData, "\(path): expected at most \(mostInArchive) files in the archive, found more",
            help: "name the traces: \(path)/NAME")
        }
        all += try archived(kind, among: entries, in: path, on: console)
      } else {
        all.append(path)
      }
    }
    return all
  }

  /// The entries of a folder; `nil` if the path is not a folder.
  private static func entries(of path: String) throws(CommandError) -> [String]? {
    do throws(ParseError) {
      return try FileFolder.files(in: path)
    } catch {
      throw CommandError(error)
    }
  }

  /// The maximum number of files to examine in an archive: the search for each file begins at the archive's start.
  private static let mostInArchive = 2000

  /// The traces in an archive, regardless of their folders in the archive.
  private static func archived(
    _ kind: Kind, among entries: [String], in archive: String, on console: Console
  ) throws(CommandError) -> [String] {
    // If two files have the same name, only the first can be read.
    if let twice = Dictionary(grouping: entries, by: \.self).filter({ $1.count > 1 }).keys.min() {
      throw CommandError(
        .badData, "\(twice): expected one file of this name in the archive, found several",
        help: "unpack it with 'unzip', which renames them, and pass the traces")
    }
    for test in kind.tests {
      // A file that cannot be opened is reported when it is read.
      let traces = entries.filter { entry in
        guard let input = try? console.open(entry), input.startFailure == nil else { return true }
        return test(input)
      }
      guard !traces.isEmpty else { continue }
      if traces.count < entries.count {
        console.note(
          "note: \(archive): \(traces.count) of \(entries.count) files are traces; others left out")
      }
      return traces
    }
    throw CommandError(
      .badData, "\(archive): expected traces in the archive, found \(entries.count) other files",
      help: "'frametool list formats' lists the readable formats")
  }

  private static func files(
    _ kind: Kind, among entries: [String], in folder: String, on console: Console
  ) throws(CommandError) -> [String] {
    var (files, others, folders): ([String], [String], Int) = ([], [], 0)
    for entry in entries {
      if FileDescriptor.isRegular(entry) {
        files.append(entry)
      } else if try self.entries(of: entry) == nil {
        others.append(entry)
      } else {
        folders += 1
      }
    }
    // A file that cannot be opened is reported when it is read.
    let inputs = files.map { try? console.open($0) }
    var traces: [String] = []
    for test in kind.tests where traces.isEmpty {
      traces = zip(files, inputs).filter { $1.map(test) ?? true }.map(\.0)
    }
    let taken = Set(traces)
    others = (others + files.filter { !taken.contains($0) }).sorted()
    guard !traces.isEmpty else {
      throw CommandError(
        .badData, "\(folder): expected traces in the folder, found \(words(others, folders))",
        help: folders > 0
          ? "subfolders are not searched; name them instead"
          : "'frametool list formats' lists the readable formats")
    }
    if !others.isEmpty || folders > 0 {
      console.note("note: \(folder): left out \(words(others, folders))")
    }
    return traces
  }

  /// The maximum number of files to name.
  private static let mostNames = 3

  /// The contents of a folder other than traces.
  private static func words(_ others: [String], _ folders: Int) -> String {
    var parts: [String] = []
    if !others.isEmpty {
      let names = others.prefix(mostNames).map {
        $0.split(separator: "/").last.map(String.init) ?? $0
      }
      let more = others.count > mostNames ? ", …" : ""
      let files = others.count == 1 ? "1 other file" : "\(others.count) other files"
      parts.append("\(files) (\(names.joined(separator: ", "))\(more))")
    }
    if folders > 0 { parts.append(folders == 1 ? "1 folder" : "\(folders) folders") }
    return parts.isEmpty ? "nothing" : parts.joined(separator: " and ")
  }
}

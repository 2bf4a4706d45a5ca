import FrameKit

/// The traces that folders and lists represent.
enum TraceLists {
  /// A trace with its tags from a list.
  struct File: Sendable {
    let path: String
    /// The path relative to the given folder; without a folder, the path itself.
    var position: String
    var tags: [String: String] = [:]

    init(_ path: String, in folder: String? = nil, tags: [String: String] = [:]) {
      self.path = path
      self.tags = tags
      let start = folder.map { $0.hasSuffix("/") ? $0 : "\($0)/" } ?? ""
      position = path.hasPrefix(start) ? String(path.dropFirst(start.count)) : path
    }
  }

  /// The traces that operands represent; `nil` if every operand is a trace.
  ///
  /// A folder represents the files in it and in its subfolders. A list contains one path per line, optionally followed
  /// by tab-separated tags of the form `NAME=VALUE`, or paths separated by NUL. A file is a list if it is not a trace
  /// and its first path exists.
  static func files(_ operands: [String], on console: Console) throws(CommandError) -> [File]? {
    var files: [File] = []
    var isMany = false
    do throws(ParseError) {
      for operand in operands {
        if let found = try operand == "-" ? nil : inFolder(operand) {
          isMany = true
          files += found.map { File($0, in: operand) }
        } else if let listed = try list(operand, console) {
          isMany = true
          files += listed
        } else {
          files.append(File(operand))
        }
      }
    } catch {
      throw CommandError(error)
    }
    guard isMany else { return nil }
    guard !files.isEmpty else {
      throw CommandError(.badData, "\(operands.joined(separator: ", ")): no files found")
    }
    return files
  }

  /// The files in a folder and its subfolders, in order; `nil` if the path is not a folder.
  private static func inFolder(_ path: String) throws(ParseError) -> [String]? {
    guard let found = try FileFolder.files(in: path) else { return nil }
    var files: [String] = []
    for file in found { files += try inFolder(file) ?? [file] }
    return files
  }

  /// The files of a list; `nil` if the file is not a list.
  private static func list(_ path: String, _ console: Console) throws(ParseError) -> [File]? {
    guard let input = try? console.peek(path) else { return nil }
    // Paths that are separated by NUL, as from 'find -print0', may contain line feeds and tabs.
    let hasNull = input.head.contains(0)
    let start = String(decoding: input.head.prefix { $0 != (hasNull ? 0 : 0x0a) }, as: UTF8.self)
    let first = hasNull ? start : start.split(separator: "\t").first.map(String.init) ?? ""
    guard !Importers.recognizes(input), !first.isEmpty,
      ByteSink.exists(hasNull ? first : first.trimmingReturns)
    else { return nil }
    let bytes = try console.open(path).readAll(atMost: 256 << 20, of: "paths")
    var files: [File] = []
    if hasNull {
      for path in bytes.split(separator: 0) {
        files += try Self.files(of: String(decoding: path, as: UTF8.self), tags: [:])
      }
      return files
    }
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: "\t").map(String.init)
      guard let path = parts.first, !path.allSatisfy(\.isWhitespace) else { continue }
      var tags: [String: String] = [:]
      for part in parts.dropFirst() {
        guard let (name, value) = RunTags.tag(part) else {
          throw ParseError(
            path: input.path,
            problem: "expected NAME=VALUE after the path, found \(PrintableText.line(part))",
            help: "each line of a list is a path and optional tags, separated by tabs")
        }
        tags[name] = value
      }
      files += try Self.files(of: path, tags: tags)
    }
    return files
  }

  /// A file of a list, or the files in a folder of a list.
  private static func files(
    of path: String, tags: [String: String]
  ) throws(ParseError) -> [File] {
    try inFolder(path)?.map { File($0, in: path, tags: tags) } ?? [File(path, tags: tags)]
  }
}

extension String {
  /// The string without a trailing carriage return, which lists from Windows contain.
  fileprivate var trimmingReturns: String { hasSuffix("\r") ? String(dropLast()) : self }
}

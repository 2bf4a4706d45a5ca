import FrameKit

/// The truths that a user names, and the outputs to compare with them.
struct ScoredTruths {
  /// A file with a truth.
  struct File: Sendable {
    let path: String
    /// The folder of the file, which also contains its trace.
    let folder: String

    init(_ path: String) {
      self.path = path
      let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      folder = parts.isEmpty ? "" : parts.joined(separator: "/") + "/"
    }

    func read() throws(ParseError) -> JankTruth {
      let input = try InputFile(path: path)
      return try JankTruth(input.readAll(atMost: 1 << 30, of: "truth"), path: path)
    }

    /// The trace to which the truth belongs.
    /// - Throws: If the trace does not exist, or is not the file that was written with the truth.
    func trace(of truth: JankTruth) throws(ParseError) -> Trace {
      guard let file = truth.file else {
        throw ParseError(
          path: path, problem: "expected the name of its trace, found none",
          help: "write the truths again with 'frametool generate --random'")
      }
      let bytes = try InputFile(path: folder + file.name).readAll(atMost: 1 << 30, of: "trace")
      guard Checksum.of(bytes) == file.checksum else {
        throw ParseError(
          path: folder + file.name,
          problem: "expected the bytes that its truth was written with, found others",
          help: "write both again with 'frametool generate --random'")
      }
      return try Importers.read(InputFile(bytes: bytes, path: folder + file.name))
    }
  }

  private(set) var truths: [File] = []
  /// The other files.
  private(set) var outputs: [String] = []

  init(_ operands: [String], on console: Console) throws(CommandError) {
    do throws(ParseError) {
      for operand in operands {
        guard operand != "-" else {
          throw ParseError(
            path: operand, problem: "expected files, found standard input",
            help: "write it to a file first: outputs are compared with truths by their names")
        }
        if let files = try FileFolder.files(in: operand) {
          let own = files.filter { $0.hasSuffix(JankTruth.suffix) }.sorted()
          guard !own.isEmpty else {
            throw ParseError(
              path: operand, problem: "expected files that end in \(JankTruth.suffix), found none",
              help: "'frametool generate --random N -o FOLDER' writes traces with their truths")
          }
          truths += own.map { File($0) }
        } else if JankTruth.recognizes(try console.open(operand).head) {
          truths.append(File(operand))
        } else {
          outputs.append(operand)
        }
      }
    } catch {
      throw CommandError(error)
    }
    guard !truths.isEmpty else {
      throw CommandError(
        .usage, "score: expected truths, found only outputs",
        help: "name the files that end in \(JankTruth.suffix), or the folder they are in")
    }
  }

  /// Two truths of one trace, which would be counted twice.
  static func isTwice(_ name: String, _ path: String, _ other: String) -> ParseError {
    ParseError(
      path: path, problem: "expected one truth of \(name), found another in \(other)",
      help: "score the formats of a set one after the other")
  }

  /// All truths by the names of their traces.
  func byName() throws(CommandError) -> [String: (truth: JankTruth, file: File)] {
    let files = truths
    let read = Concurrently.map(files.count) { position throws(ParseError) in
      try files[position].read()
    }
    var byName: [String: (truth: JankTruth, file: File)] = [:]
    for (result, file) in zip(read, files) {
      do throws(ParseError) {
        let truth = try result.get()
        if let other = byName[truth.name] {
          throw Self.isTwice(truth.name, file.path, other.file.path)
        }
        byName[truth.name] = (truth, file)
      } catch {
        throw CommandError(error)
      }
    }
    return byName
  }
}

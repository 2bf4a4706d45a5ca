import FrameKit

/// The folder of a search for a commit: the request, the result of each run, and the checked-out commits.
struct BisectFolder {
  /// A line of the journal.
  enum Entry: Equatable {
    case run(position: Int, value: Double)
    /// A run of each end, in one line, so that a pair is either complete or absent.
    case pair(good: Double, bad: Double, goodFirst: Bool)
    case built(position: Int, seconds: Double)
    case skipped(position: Int, reason: String)
  }

  /// The subject of a search.
  struct Header: Equatable {
    /// The words of the command.
    let arguments: [String]
    /// The repository's folder, as an absolute path.
    let repository: String
    /// The full names of the commits, from the good one to the bad one.
    let commits: [String]
    /// The seed of the order of the ends.
    let seed: UInt64
  }

  /// The absolute path of the folder.
  let path: String
  let header: Header
  /// The lines written so far.
  let entries: [Entry]
  private let journal: RunJournal

  private static let schema = "frametool.bisect-state/1"
  private static func file(_ folder: String) -> String { "\(folder)/state.jsonl" }

  /// Creates a folder.
  init(_ folder: String, _ header: Header) throws(CommandError) {
    do throws(ParseError) {
      if try FileFolder.files(in: folder) == nil { try FileFolder.make(folder) }
    } catch {
      throw CommandError(error)
    }
    path = PageCache.file(named: folder.hasPrefix("/") ? folder : "./\(folder)") ?? folder
    self.header = header
    entries = []
    var json = JSONWriter(indented: false)
    json.object { json in
      json.key("schema")
      json.value(Self.schema)
      json.key("repository")
      json.value(header.repository)
      json.key("seed")
      json.value(Int64(clamping: header.seed))
      for (key, words) in [("arguments", header.arguments), ("commits", header.commits)] {
        json.key(key)
        json.array { json in for word in words { json.value(word) } }
      }
    }
    json.endLine()
    journal = try RunJournal(
      Self.file(folder), header: String(decoding: json.bytes, as: UTF8.self), resumedBy: folder)
  }

  /// Continues with an existing folder.
  init(resuming folder: String) throws(CommandError) {
    let file = Self.file(folder)
    var header: Header?
    var entries: [Entry] = []
    var kept = 0
    do throws(ParseError) {
      let broken = try TextLines.read(InputFile(path: file)) { line throws(ParseError) in
        // The last line may be truncated.
        guard !line.isUnterminated else { return }
        let node = JSONNode(reading: Array(line.bytes))
        if line.number == 1 {
          header = node.flatMap(Self.header)
        } else if let entry = node.flatMap({ Self.entry($0, below: header?.commits.count ?? 0) }) {
          entries.append(entry)
        } else {
          throw ParseError(
            path: file, position: .line(line.number),
            problem: "expected a run, a build or a skipped commit",
            help: "the file was changed: begin again in another folder")
        }
        kept += line.bytes.count + 1
      }
      if let broken { throw broken }
    } catch {
      throw CommandError(error)
    }
    guard let header else {
      throw CommandError(
        .badData, "\(file):1: expected the state of a search with the schema \(Self.schema)",
        help: "'frametool bisect' makes such folders")
    }
    path = PageCache.file(named: folder.hasPrefix("/") ? folder : "./\(folder)") ?? folder
    (self.header, self.entries) = (header, entries)
    journal = try RunJournal(file, keeping: kept)
  }

  private static func header(_ node: JSONNode) -> Header? {
    guard node["schema"]?.text == schema, let repository = node["repository"]?.text,
      let arguments = node["arguments"]?.array?.compactMap(\.text),
      let commits = node["commits"]?.array?.compactMap(\.text), commits.count > 1,
      let seed = node["seed"]?.integer.flatMap({ UInt64(exactly: $0) })
    else { return nil }
    return Header(arguments: arguments, repository: repository, commits: commits, seed: seed)
  }

  private static func entry(_ node: JSONNode, below count: Int) -> Entry? {
    if let good = node["good"]?.number, let bad = node["bad"]?.number, good.isFinite, bad.isFinite {
      return .pair(good: good, bad: bad, goodFirst: node["good_first"]?.isTrue == true)
    }
    guard let position = node["place"]?.integer.flatMap({ Int(exactly: $0) }),
      (0..<count).contains(position)
    else { return nil }
    if let value = node["value"]?.number, value.isFinite {
      return .run(position: position, value: value)
    }
    if let seconds = node["built_s"]?.number { return .built(position: position, seconds: seconds) }
    return node["skipped"]?.text.map { .skipped(position: position, reason: $0) }
  }

  /// Writes a line.
  func append(_ entry: Entry) throws(CommandError) {
    var json = JSONWriter(indented: false)
    json.object { json in
      switch entry {
      case .run(let position, let value):
        name(position, &json)
        json.key("value")
        json.value(value)
      case .pair(let good, let bad, let goodFirst):
        json.key("good")
        json.value(good)
        json.key("bad")
        json.value(bad)
        json.key("good_first")
        json.value(goodFirst)
      case .built(let position, let seconds):
        name(position, &json)
        json.key("built_s")
        json.value(seconds)
      case .skipped(let position, let reason):
        name(position, &json)
        json.key("skipped")
        json.value(reason)
      }
    }
    json.endLine()
    try journal.append(String(decoding: json.bytes, as: UTF8.self))
  }

  private func name(_ position: Int, _ json: inout JSONWriter) {
    json.key("place")
    json.value(position)
    json.key("commit")
    json.value(header.commits[position])
  }

  /// The folder in which a commit is checked out.
  func checkout(_ commit: String) -> String { "\(path)/\(commit.prefix(16))" }
}

import FrameKit

/// A folder with the runs of many days, partitioned by tags. Each partition has a summary, which frametool reads, and a
/// Parquet file made from the summary, which other tools read. Other tools ignore files whose names begin with `_`.
///
/// Merging runs again changes nothing, and late runs are added to their partitions.
struct SummaryStore {
  let path: String
  private(set) var layout: StoreLayout
  private var partitions: [String: Counts]

  /// The runs of a partition, and the traces that failed.
  struct Counts: Equatable {
    var runs = 0
    var failed = 0
    /// Whether the partition's new files may still have to replace the old files.
    var isPending = false
  }

  static let schema = "frametool.store/1"
  /// The tags of the folders if none are specified.
  static let usualTags = ["date", "device", "version"]
  private static let manifest = "_manifest.json"
  private static let summary = "_summary.jsonl.zst"
  private static let newSummary = "_new.jsonl.zst"
  /// The maximum length of a folder's name, in bytes.
  private static let longestName = 255

  /// Whether a folder is a store.
  static func isStore(_ path: String) -> Bool { ByteSink.isFile("\(path)/\(manifest)") }

  /// Opens a store.
  /// - Parameter tags: The tags of the store's folders; empty for the existing tags, or for the default tags of a new
  ///   store.
  init(_ path: String, by tags: [String] = []) throws(CommandError) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    if let taken = tags.first(where: StoreTable.columns.contains) {
      throw CommandError(
        .usage, "--by: a store cannot be divided by \(taken), a column of its tables",
        help: "give the tag another name")
    }
    guard Self.isStore(path) else {
      (layout, partitions) = (StoreLayout(by: tags.isEmpty ? Self.usualTags : tags), [:])
      return
    }
    (layout, partitions) = try Self.read("\(path)/\(Self.manifest)")
    guard tags.isEmpty || tags == layout.tags else {
      throw CommandError(
        .usage,
        "\(path): expected a store by \(tags.joined(separator: ", ")), found one by \(layout.tags.joined(separator: ", "))",
        help: "omit --by, or give another folder")
    }
  }

  private static func read(
    _ path: String
  ) throws(CommandError) -> (StoreLayout, [String: Counts]) {
    let bytes: [UInt8]
    do throws(ParseError) {
      bytes = try InputFile(path: path).readAll(atMost: 1 << 30, of: "a list of partitions")
    } catch {
      throw CommandError(error)
    }
    guard let node = JSONNode(reading: bytes), node["schema"]?.text == schema,
      let tags = node["by"]?.array?.map(\.text), let list = node["partitions"]?.array
    else {
      throw CommandError(
        .badData, "\(path): expected the schema \(schema), with by and partitions",
        help: "a newer frametool may have written it; else remove it and merge all summaries again")
    }
    var partitions: [String: Counts] = [:]
    for node in list {
      guard let folder = node["path"]?.text else { continue }
      partitions[folder] = Counts(
        runs: Int(node["runs"]?.integer ?? 0), failed: Int(node["failed"]?.integer ?? 0),
        isPending: node["pending"]?.isTrue ?? false)
    }
    return (StoreLayout(by: tags.compactMap(\.self)), partitions)
  }

  /// Whether the store has no partition yet, so that any tags may divide it.
  var isNew: Bool { partitions.isEmpty }

  /// The number of the store's partitions.
  var count: Int { partitions.count }

  /// The summaries of all partitions, in order.
  var summaries: [String] {
    partitions.keys.sorted().map { partition in
      let new = file(Self.newSummary, in: partition)
      return partitions[partition]?.isPending == true && ByteSink.isFile(new)
        ? new : file(Self.summary, in: partition)
    }
  }

  /// The summary in a folder that is a partition of a store; `nil` for other folders.
  static func summary(in folder: String) -> String? {
    let path = "\(folder)/\(summary)"
    return ByteSink.isFile(path) ? path : nil
  }

  /// The partition of a run.
  /// - Throws: If a value is too long for the name of a folder.
  func partition(of run: [String: String]) throws(CommandError) -> String {
    let partition = layout.folder(of: run)
    for (tag, name) in zip(layout.tags, partition.split(separator: "/"))
    where name.utf8.count > Self.longestName {
      throw CommandError(
        .badData,
        "a run's \(tag) takes \(name.utf8.count) bytes in the name of a folder, which may have \(Self.longestName)",
        help: "shorten the tag, or choose others with --by")
    }
    return partition
  }

  private func file(_ name: String, in partition: String) -> String {
    "\(path)/\(partition)/\(name)"
  }
}

extension SummaryStore {
  /// Locks a store for this process until the result is released; the store's folder is created if missing.
  static func lock(_ path: String) throws(CommandError) -> ByteSink {
    do throws(ParseError) {
      try FileFolder.make(path)
      return try ByteSink(alone: "\(path)/_lock") { () throws(ParseError) in 0 }
    } catch {
      throw CommandError(error)
    }
  }

  /// The result of a merge.
  struct Added: Equatable {
    var runs = 0
    var partitions = 0
    var repeated = 0
  }

  /// Adds runs to their partitions.
  /// - Parameter lines: The lines of runs by partition.
  mutating func merge(
    _ lines: [String: [SpooledLines.Position]], of spool: SpooledLines, _ duckDB: DuckDB
  ) throws(CommandError) -> Added {
    var added = Added()
    var changed: [String] = []
    for partition in lines.keys.sorted() {
      let before = partitions[partition] ?? Counts()
      let (counts, isChanged, repeated) = try prepare(partition, lines[partition] ?? [], of: spool)
      partitions[partition] = counts
      added.runs += counts.runs + counts.failed - before.runs - before.failed
      added.repeated += repeated
      if isChanged { changed.append(partition) }
    }
    added.partitions = changed.count
    if !changed.isEmpty {
      try duckDB.run(
        changed.map {
          StoreTable.statement(
            from: file(Self.newSummary, in: $0), to: file(StoreTable.unfinished, in: $0))
        }.joined())
    }
    do throws(ParseError) {
      // From this point, an interrupted merge is completed by the next merge.
      for partition in changed { partitions[partition]?.isPending = true }
      if !changed.isEmpty { try writeManifest() }
      try complete()
    } catch {
      throw CommandError(error)
    }
    return added
  }

  /// Completes a merge whose new files all exist.
  mutating func complete() throws(ParseError) {
    for (partition, counts) in partitions where counts.isPending {
      for (new, name) in [
        (StoreTable.unfinished, StoreTable.name), (Self.newSummary, Self.summary),
      ] where ByteSink.isFile(file(new, in: partition)) {
        try ByteSink.move(file(new, in: partition), to: file(name, in: partition))
      }
      partitions[partition]?.isPending = false
    }
    try writeManifest()
  }

  /// Writes the summary of a partition with additional runs, next to the existing summary.
  private func prepare(
    _ partition: String, _ positions: [SpooledLines.Position], of spool: SpooledLines
  ) throws(CommandError) -> (counts: Counts, isChanged: Bool, repeated: Int) {
    do throws(ParseError) {
      var merge = try SummaryMerge()
      var (old, new) = (StableHash(), StableHash())
      let known = file(Self.summary, in: partition)
      if ByteSink.isFile(known) {
        try SummaryReader.read(try InputFile(path: known)) { run, _, line throws(ParseError) in
          old.add(line + [0x0a])
          try Self.add(run, SummaryReader.current(line), to: &merge)
        }
      }
      let before = merge.runs + merge.failures
      for position in positions {
        let line = try spool.line(position)
        if let run = try SummaryReader.run(in: line) { try Self.add(run, line, to: &merge) }
      }
      let output = file(Self.newSummary, in: partition)
      try makeFolders(of: partition)
      let sink = try ByteSink(path: output)
      _ = try sink.write(Array(Writers.summaryHeader.utf8))
      let write = { (line: String) throws(ParseError) in
        new.add(line.utf8)
        _ = try sink.write(Array(line.utf8))
      }
      try merge.forEachLine(write)
      for run in merge.added { try write(Writers.line(run)) }
      try sink.finish()
      let isChanged =
        old.value != new.value || !ByteSink.isFile(file(StoreTable.name, in: partition))
      if !isChanged { ByteSink.remove(unfinished: output) }
      let counts = Counts(runs: merge.runs, failed: merge.failures)
      return (counts, isChanged, positions.count - (merge.runs + merge.failures - before))
    } catch {
      throw CommandError(error)
    }
  }

  private static func add(
    _ run: SummarizedRun, _ line: String, to merge: inout SummaryMerge
  ) throws(ParseError) {
    do throws(RunsCountedTwice) {
      try merge.add(run, line: line)
    } catch {
      throw ParseError(path: "the summaries", problem: error.message, help: error.help)
    }
  }

  private func makeFolders(of partition: String) throws(ParseError) {
    var folder = path
    try FileFolder.make(folder)
    for part in partition.split(separator: "/") {
      folder += "/\(part)"
      try FileFolder.make(folder)
    }
  }

  private func writeManifest() throws(ParseError) {
    var json = JSONWriter(indented: true)
    json.object { json in
      json.key("schema")
      json.value(Self.schema)
      json.key("by")
      json.array { json in for tag in layout.tags { json.value(tag) } }
      json.key("partitions")
      json.array { json in
        for (partition, counts) in partitions.sorted(by: { $0.key < $1.key }) {
          json.object { json in
            json.key("path")
            json.value(partition)
            json.key("runs")
            json.value(counts.runs)
            json.key("failed")
            json.value(counts.failed)
            if counts.isPending {
              json.key("pending")
              json.value(true)
            }
          }
        }
      }
    }
    json.endLine()
    let sink = try ByteSink(path: "\(path)/\(Self.manifest)")
    _ = try sink.write(json.bytes)
    try sink.finish()
  }
}

extension SummaryStore {
  /// The schema of the list of partitions.
  static let document = DocumentSchema(
    "store", schema, "written by 'merge --into STORE' as _manifest.json",
    .object([
      .schema(schema), .list("by", .text, "the tags of the folders, the outermost first"),
      .rows(
        "partitions",
        [
          .text("path", "the folder"), .integer("runs", "the number of runs"),
          .integer("failed", "the number of traces that could not be read"),
          .flag("pending", "whether new files may still have to take the place of old ones").ifAny,
        ], "each partition, in order"),
    ]))
}

/// The table of a partition: a row for each run, made from the partition's summary by DuckDB.
enum StoreTable {
  static let name = "part.parquet"
  /// The name of the table until it is complete.
  static let unfinished = "_new.parquet"

  /// The columns of the table.
  static let columns: Set = [
    "id", "file", "bytes", "process", "surface", "tags", "failed", "runs", "frames", "displayed",
    "never_shown", "dropped_refreshes", "active_refreshes", "hitch_ms", "observed_ms", "figures",
  ]

  /// The statement that writes a table.
  /// - Parameter summary: The summary's compressed lines.
  static func statement(from summary: String, to table: String) -> String {
    """
    COPY (
      SELECT id, file, size AS bytes, process, surface, tags, failed, runs,
        frames.n AS frames, frames.displayed AS displayed,
        frames.replaced + frames.discarded AS never_shown,
        CASE WHEN dropped IS NOT NULL
          THEN coalesce(list_sum(map_values(dropped.by_stage)), 0)::BIGINT END AS dropped_refreshes,
        dropped.active AS active_refreshes, hitches.total_ns / 1000000 AS hitch_ms,
        hitches.span_ns / 1000000 AS observed_ms,
        CASE WHEN figures IS NOT NULL THEN map_from_entries(list_transform(list_sort(list_concat(
            list_transform(map_entries(figures), lambda f: {'key': f.key, 'value': f.value}),
            flatten(list_transform(map_entries(statistics), lambda m: list_transform(map_entries(m.value),
              lambda s: {'key': s.key || '(' || m.key || ')', 'value': s.value}))))),
          lambda f: {'key': f.key, 'value': f.value / 1000000})) END AS figures
      FROM read_json(\(quoted(summary)), format = 'newline_delimited', compression = 'zstd', hive_partitioning = false,
        maximum_object_size = 268435456, columns = {
          schema: 'VARCHAR', id: 'VARCHAR', file: 'VARCHAR', size: 'BIGINT',
          process: 'VARCHAR', surface: 'VARCHAR', tags: 'MAP(VARCHAR, VARCHAR)', failed: 'VARCHAR',
          runs: 'BIGINT', frames: 'STRUCT(n BIGINT, displayed BIGINT, replaced BIGINT, discarded BIGINT)',
          dropped: 'STRUCT(active BIGINT, by_stage MAP(VARCHAR, BIGINT))',
          hitches: 'STRUCT(total_ns BIGINT, span_ns BIGINT)',
          statistics: 'MAP(VARCHAR, MAP(VARCHAR, DOUBLE))', figures: 'MAP(VARCHAR, DOUBLE)'})
      WHERE schema IS NULL
      ORDER BY id NULLS LAST, file
    ) TO \(quoted(table)) (FORMAT parquet, COMPRESSION zstd);

    """
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }
}

import FrameKit

/// The user's choice of a store, and of the jobs and series in it.
struct HistoryChoice: Sendable {
  var store: String?
  var scene: String?
  var device: String?
  var version: String?
  var source: String?
  var metrics: [String] = []
  var tags: [String] = []

  /// The store used when no other is named.
  static let defaultStore = "frametool-history.sqlite"

  /// The option that names the store.
  static func storeOption<Root>(
    _ path: any WritableKeyPath<Root, String?> & Sendable
  ) -> CommandOption<Root> {
    .text("--store", to: path, metavar: "FILE", help: "the history (default: \(defaultStore))")
  }

  /// The options for this choice.
  static func options<Root>(
    _ path: any WritableKeyPath<Root, HistoryChoice> & Sendable
  ) -> [CommandOption<Root>] {
    let own: [CommandOption<HistoryChoice>] = [
      storeOption(\.store),
      .text("--scene", to: \.scene, metavar: "NAME", help: "only this scene"),
      .text("--device", to: \.device, metavar: "NAME", help: "only this device"),
      .text("--app-version", to: \.version, metavar: "V", help: "only this version of the app"),
      .text(
        "--source", to: \.source, metavar: "measured|field",
        help: "only measurements, or only data that devices in the field sent"),
      .list(
        "--metric", to: \.metrics, metavar: "NAME",
        help: "only this figure, such as 'p95(frameTime)'"
      )
      .suggesting(HistoryMetric.gating.sorted()),
      .list("--tag", to: \.tags, metavar: "NAME=VALUE", help: "only jobs with this tag"),
    ]
    return own.map { $0.within(path) }
  }

  var path: String { store ?? Self.defaultStore }

  func filter() throws(CommandError) -> HistoryFilter {
    var filter = HistoryFilter()
    (filter.scene, filter.device, filter.version) = (scene, device, version)
    filter.metrics = metrics
    filter.tags = try RunTags.tags(tags)
    if let source {
      guard let known = HistoryJob.Source(rawValue: source) else {
        throw CommandError(.usage, "--source: expected measured or field, found \(source)")
      }
      filter.source = known
    }
    return filter
  }

  /// Opens the store and runs a query.
  func ask<Value>(
    _ question: (HistoryStore) throws(ParseError) -> Value
  ) throws(CommandError) -> Value {
    do throws(ParseError) {
      return try question(HistoryStore(path: path, isMade: false))
    } catch {
      throw CommandError(error)
    }
  }

  /// The error for an empty result.
  func nothing(_ what: String) -> CommandError {
    CommandError(
      .badData, "\(path): there is no \(what)",
      help: "'frametool history list --series' lists all series")
  }
}

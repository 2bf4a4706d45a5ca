import FrameTrace

/// A run of a test on a device, with what it measured.
struct XCTestRun {
  /// One metric of a test, measured once per iteration.
  struct Measured {
    let identifier: String
    let unit: String
    let measurements: [Double]
    /// The number of measurements that are not numbers.
    let broken: Int
  }

  let test: String
  /// The project of the test: `Maps` in `test://com.apple.xcode/Maps/…`.
  let project: String?
  let device: String?
  /// The configuration of the test plan.
  let configuration: String?
  let metrics: [Measured]
}

extension XCTestRun {
  /// The runs of a test in the list that Xcode 16 and later print.
  static func runs(of node: JSONNode) -> [XCTestRun] {
    let test = node["testIdentifier"]?.text ?? "test"
    let parts = (node["testIdentifierURL"]?.text ?? "").split(separator: "/")
    return (node["testRuns"]?.array ?? []).map { run in
      XCTestRun(
        test: test, project: parts.count > 3 ? String(parts[2]) : nil,
        device: run["device"]?["deviceName"]?.text,
        configuration: run["testPlanConfiguration"]?["configurationName"]?.text,
        metrics: (run["metrics"]?.array ?? []).compactMap { metric in
          let values = metric["measurements"]?.array ?? []
          return Measured(
            metric["identifier"]?.text ?? metric["displayName"]?.text,
            metric["unitOfMeasurement"]?.text, values.map(\.number))
        })
    }
  }

  /// The runs in an object with boxed values: `{"_type": {"_name": "Double"}, "_value": "1.9"}`.
  static func boxed(_ root: JSONNode) -> [XCTestRun] {
    var runs: [XCTestRun] = []
    collect(root, in: nil, into: &runs)
    return runs
  }

  /// The deepest level searched; results have a dozen levels.
  private static let deepest = 64

  private static func collect(
    _ node: JSONNode, in test: String?, into runs: inout [XCTestRun], depth: Int = 0
  ) {
    guard depth < deepest else { return }
    if let array = node.array {
      for item in array { collect(item, in: test, into: &runs, depth: depth + 1) }
      return
    }
    let members = node.members
    let named = { (key: String) in members.last { $0.key == key }?.value }
    let own = unboxed(named("identifier")) ?? unboxed(named("name")) ?? test
    let metrics = (named("performanceMetrics")?["_values"]?.array ?? []).compactMap(measured)
    if !metrics.isEmpty {
      runs.append(
        XCTestRun(
          test: own ?? "test", project: nil, device: nil, configuration: nil, metrics: metrics))
    }
    for (key, value) in members where key != "performanceMetrics" && !key.hasPrefix("_type") {
      collect(value, in: own, into: &runs, depth: depth + 1)
    }
  }

  private static func measured(_ metric: JSONNode) -> Measured? {
    let values = metric["measurements"]?["_values"]?.array ?? []
    return Measured(
      unboxed(metric["identifier"]) ?? unboxed(metric["displayName"]),
      unboxed(metric["unitOfMeasurement"]),
      values.map { $0["_value"]?.text.flatMap(Double.init) ?? $0["_value"]?.number })
  }

  private static func unboxed(_ node: JSONNode?) -> String? { node?["_value"]?.text }
}

extension XCTestRun.Measured {
  fileprivate init?(_ identifier: String?, _ unit: String?, _ values: [Double?]) {
    guard let identifier else { return nil }
    self.identifier = identifier
    self.unit = unit ?? ""
    let known = values.compactMap { $0.flatMap { $0.isFinite ? $0 : nil } }
    (measurements, broken) = (known, values.count - known.count)
  }
}

import FrameTrace

/// Results of Flashlight, which measures Android apps twice a second.
///
/// Documentation: github.com/bamlab/flashlight. Example:
///
///     {"name": "list", "iterations": [{"time": 20276.7, "measures": [
///       {"time": 500, "fps": 59.8, "ram": 312.5, "cpu": {"perName": {"mqt_js": 41.2}, "perCore": {…}}}, …]}]}
///
/// In the first half second, the rate was 59.8 frames per second. These values are means over half a second, not
/// frames.
struct FlashlightResults: TraceImporter {
  let name = "flashlight"
  let title = "Flashlight results"
  let versions = "with iterations and measures"
  let documentation = "https://github.com/bamlab/flashlight"
  let platform: Platform? = .android

  /// The largest file that is read.
  private static let mostBytes = 512 << 20

  func recognize(_ head: FileHead) -> Recognition? {
    guard head.isJSON, head.contains("\"iterations\""), head.contains("\"measures\"") else {
      return nil
    }
    return Recognition(format: "Flashlight results", reason: "the members iterations, measures")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    let root = try JSONNode(
      input, atMost: Self.mostBytes, of: "results", help: "'flashlight test' writes such files")
    var builder = TraceBuilder(provenance)
    var (run, failed) = (0, 0)
    for result in root.array ?? [root] {
      let scene = result["name"]?.text
      for iteration in result["iterations"]?.array ?? [] {
        guard iteration["status"]?.text != "FAILURE" else {
          failed += 1
          continue
        }
        for measure in iteration["measures"]?.array ?? [] {
          add(measure, scene, run, to: &builder)
        }
        run += 1
      }
    }
    builder.log.note(.conditions, .dataLoss, "iterations that failed, left out", count: failed)
    return builder
  }

  private func add(
    _ measure: JSONNode, _ scene: String?, _ run: Int, to builder: inout TraceBuilder
  ) {
    let threads = measure["cpu"]?["perName"]?.members.compactMap(\.value.number)
    let readings: [(StatedMetric, Double?, String)] = [
      (.sampledFrameRate, measure["fps"]?.number, "fps of half a second"),
      (.sampledMemory, measure["ram"]?.number, "ram"),
      (
        .sampledCPU, threads.flatMap { $0.isEmpty ? nil : $0.reduce(0, +) },
        "cpu of all threads; 100 % is a core"
      ),
    ]
    for (metric, value, label) in readings {
      guard let value, value.isFinite, value >= 0 else { continue }
      builder.add(
        StatedFigure(
          scene: scene, run: run, metric: metric.rawValue, value: value, unit: metric.unit,
          label: label))
    }
  }
}

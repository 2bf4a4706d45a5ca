import FrameKit

/// The ratios of an earlier measurement, stored with the sources: workload, peer, ratio and noise
/// on each line.
struct KnownRatios {
  private var lines: [String: (peer: String, ratio: Double, noise: Double)] = [:]

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  init(path: String) throws {
    let input = try InputFile(path: path)
    let bytes = try input.readAll(atMost: 1 << 20, of: "ratios")
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst() {
      let cells = line.split(separator: ",").map(String.init)
      guard cells.count == 4, let ratio = Double(cells[2]), let noise = Double(cells[3]) else {
        throw Failure(description: "\(path): expected workload,peer,ratio,noise, found \(line)")
      }
      lines[cells[0]] = (cells[1], ratio, noise)
    }
  }

  /// The text of a file of ratios.
  static func text(_ rounds: [Rounds]) -> String {
    let fixed = { (value: Double) in FixedNumber.text(value, decimals: 3) }
    return "workload,peer,ratio,noise\n"
      + rounds.map {
        "\($0.workload.name),\($0.workload.peer.name),\(fixed($0.ratio)),\(fixed($0.noise))\n"
      }.joined()
  }

  /// What got worse by more than the noise of both measurements, in words.
  func worse(_ rounds: [Rounds]) -> [String] {
    rounds.compactMap { now in
      guard let known = lines[now.workload.name], known.peer == now.workload.peer.name else {
        return
          "\(now.workload.name): no ratio to \(now.workload.peer.name) is known; 'scripts/bench --save' keeps one"
      }
      let limit = known.ratio * (1 + known.noise + now.noise)
      guard now.ratio > limit else { return nil }
      let fixed = { (value: Double) in FixedNumber.text(value, decimals: 2) }
      return
        "\(now.workload.name): \(fixed(now.ratio)) of \(known.peer), \(fixed(known.ratio)) before, \(fixed(limit)) with the noise"
    }
  }
}

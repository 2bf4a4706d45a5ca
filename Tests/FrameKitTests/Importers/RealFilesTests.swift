import Dispatch
import Foundation
import Synchronization
import Testing

@testable import FrameAnalysis
@testable import FrameReport
@testable import FrameTrace

/// Every available real file is either read, and agrees with a plain count of its lines, or refused
/// with a sentence that names it.
@Suite struct RealFilesTests {
  private struct Outcome: Sendable {
    let path: String
    var trace: Trace?
    /// The properties that its pipeline violates.
    var violations: [String] = []
    var refusal: String?
  }

  private static var paths: [String] {
    let files = FileManager.default.enumerator(atPath: TestData.folder.path)
    return ((files?.allObjects as? [String]) ?? []).filter { name in
      let path = TestData.folder.appending(path: name).path
      let type =
        try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
      return type == .typeRegular
    }.sorted()
  }

  private static func outcome(_ name: String) -> Outcome {
    do {
      let trace = try TestData.read(TestData.folder.appending(path: name).path)
      return Outcome(
        path: name, trace: trace, violations: Pipeline(reconstructing: trace).violations)
    } catch {
      return Outcome(path: name, refusal: (error as? ParseError)?.problem ?? "\(error)")
    }
  }

  /// Descriptions of the data: not traces, and not to be reported.
  private static let notes: Set<String> = ["truth.json", "README.md", "captured/INDEX.md"]

  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func everyFileIsReadOrRefusedByName() throws {
    let paths = Self.paths
    let found = Mutex<[Int: Outcome]>([:])
    DispatchQueue.concurrentPerform(iterations: paths.count) { index in
      let outcome = Self.outcome(paths[index])
      found.withLock { $0[index] = outcome }
    }
    let outcomes = found.withLock { found in paths.indices.compactMap { found[$0] } }
    #expect(outcomes.count == paths.count && paths.count > 200)
    for outcome in outcomes {
      print("\(outcome.path) | \(Self.described(outcome))")
      if let refusal = outcome.refusal, !Self.notes.contains(outcome.path) {
        #expect(!refusal.contains("unknown kind"), "\(outcome.path)")
      }
      #expect(outcome.violations == [], "\(outcome.path)")
      if let trace = outcome.trace { try check(trace, outcome.path) }
    }
    #expect(outcomes.count { $0.trace != nil } > 100)
  }

  private static func described(_ outcome: Outcome) -> String {
    guard let trace = outcome.trace else { return "refused: \(outcome.refusal ?? "")" }
    let counts = TraceInfo.counts(trace).filter { $0.count > 0 }.map { "\($0.count) \($0.what)" }
    return "\(trace.provenance.importer): \(counts.joined(separator: ", "))"
  }

  /// Compares with a count of the file's lines.
  private func check(_ trace: Trace, _ name: String) throws {
    let lines = { (has: (Substring) -> Bool) throws -> Int in
      let data = try Data(contentsOf: TestData.folder.appending(path: name))
      return String(decoding: data, as: UTF8.self).split(
        whereSeparator: { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
      ).count(where: has)
    }
    switch trace.provenance.importer {
    case "wayland-debug" where !name.hasSuffix(".gz"):
      // In one file, color codes separate the words.
      guard !name.contains("color") else { return }
      let attached = try lines { line in
        line.contains("> wl_surface") && line.contains(".attach(wl_buffer")
      }
      #expect(trace.frameCount == attached, "\(name)")
    case "wayland-proxy":
      let attached = try lines { $0.contains("\"attach\",[") && !$0.contains("\"attach\",[0]") }
      #expect(trace.frameCount == attached, "\(name)")
    case "weston-timeline":
      #expect(try trace.frameCount == lines { $0.contains("core_commit_damage") }, "\(name)")
    case "mangohud" where trace.frameCount > 0:
      #expect(try trace.frameCount == lines { _ in true } - 3, "\(name)")
    case "evemu":
      let began = try lines { line in
        line.hasPrefix("E: ") && line.contains(" 0003 0039 ") && !line.contains(" 0003 0039 -")
      }
      let rows = 0..<trace.touches.count
      let contacts = rows.count {
        trace.touches[$0, .phase] == TouchColumn.Phase.began.rawValue
      }
      if began > 0 { #expect(contacts == began, "\(name)") }
    default: break
    }
  }
}

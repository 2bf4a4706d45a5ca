import Foundation
import Testing

@testable import FrameTrace

/// The same recordings in the three sets of columns that PresentMon has written, and from
/// its releases of five years.
@Suite(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
struct PresentMonDialectTests {
  /// A frame's surface and present call, which identify it in every dialect.
  struct Key: Hashable {
    let surface: String
    let commit: Int64
  }

  static func gold(_ name: String) throws -> [Key: [FrameColumn: Int64]] {
    let trace = try TestData.read(
      TestData.folder.appending(path: "presentmon/GameTechDev_PresentMon__\(name).csv").path)
    var frames: [Key: [FrameColumn: Int64]] = [:]
    for surface in trace.surfaces {
      for row in 0..<surface.frames.count {
        let commit = try #require(surface.frames[row, .commit])
        var facts: [FrameColumn: Int64] = [:]
        for column in FrameColumn.allCases { facts[column] = surface.frames[row, column] }
        frames[Key(surface: surface.id, commit: commit)] = facts
      }
    }
    return frames
  }

  @Test(arguments: [0, 1, 3, 5])
  func theThreeDialectsImportToTheSameFrames(_ number: Int) throws {
    let both = try Self.gold("HEAD_test_case_\(number)")
    let presents = try Self.gold("HEAD_test_case_\(number)_v1")
    let frames = try Self.gold("HEAD_test_case_\(number)_v2")
    #expect(Set(both.keys) == Set(frames.keys))
    #expect(Set(both.keys).isSubset(of: Set(presents.keys)))
    let shared: [FrameColumn] = [.appEnd, .displayed, .gpuBusy, .fate]
    for (key, facts) in both {
      let first = try #require(presents[key])
      let second = try #require(frames[key])
      for column in shared {
        #expect(facts[column] == first[column], "\(column) of \(key)")
        #expect(facts[column] == second[column], "\(column) of \(key)")
      }
      #expect(facts[.appStart] == second[.appStart], "app start of \(key)")
      // 1.x columns do not state when the first frame of a chain started.
      if let start = first[.appStart] { #expect(facts[.appStart] == start, "app start of \(key)") }
      for column in [FrameColumn.gpuStart, .gpuEnd] {
        #expect(facts[column] == first[column], "\(column) of \(key)")
        // 2.x columns do not state the time of GPU work that began before its frame.
        if let time = second[column] { #expect(facts[column] == time, "\(column) of \(key)") }
      }
      #expect(facts[.gpuTime] == second[.gpuTime], "GPU time of \(key)")
    }
  }

  @Test(arguments: [0, 1, 3, 5])
  func onlyTheLastPresentsOfAChainAreIn1xColumnsAlone(_ number: Int) throws {
    let both = try Self.gold("HEAD_test_case_\(number)")
    let presents = try Self.gold("HEAD_test_case_\(number)_v1")
    for key in presents.keys where both[key] == nil {
      let listed = both.keys.filter { $0.surface == key.surface }
      #expect(listed.allSatisfy { $0.commit < key.commit }, "\(key)")
    }
  }

  @Test(arguments: [
    ("v1.9.2_test_case_0", "HEAD_test_case_0_v1"), ("v1.9.2_test_case_1", "HEAD_test_case_1_v1"),
    ("v2.0.1_test_case_0_v1", "HEAD_test_case_0_v1"), ("v2.0.1_test_case_0", "HEAD_test_case_0_v2"),
    ("v2.0.1_test_case_1", "HEAD_test_case_1_v2"), ("v2.1.1_test_case_0", "HEAD_test_case_0_v2"),
    ("v2.1.1_test_case_1", "HEAD_test_case_1_v2"), ("v2.3.1_test_case_1", "HEAD_test_case_1"),
  ])
  func releasesOfFiveYearsImportToTheSameFrames(_ older: String, _ newer: String) throws {
    let old = try Self.gold(older)
    let new = try Self.gold(newer)
    let columns: [FrameColumn] = [.appStart, .appEnd, .displayed, .gpuStart, .gpuBusy, .fate]
    var compared = 0
    for (key, facts) in old {
      guard let other = new[key] else { continue }
      for column in columns { #expect(facts[column] == other[column], "\(column) of \(key)") }
      compared += 1
    }
    #expect(compared > new.count * 9 / 10)
  }
}

import Fixtures
import FrameKit
import Testing

/// The logs that scenarios are written as.
@Suite struct WaylandLogEncoderTests {
  private static let carried = Scenarios.all.map(\.name).filter { name in
    Scenarios.all.first { $0.name == name }.map {
      WaylandLogEncoder().whyNot($0.play(.init(frames: 60)).trace) == nil
    } ?? false
  }

  /// An object's number is given again only after the compositor has deleted the object, and nothing names an object
  /// that does not exist: as in logs of libwayland.
  @Test(arguments: carried)
  func numbersAreGivenAgainOnceDeleted(_ name: String) throws {
    let scenario = try #require(Scenarios.all.first { $0.name == name })
    let log = WaylandLogEncoder().encode(scenario.play(.init(frames: 600)).trace)
    var alive: Set<UInt32> = [1]
    var (highest, made): (UInt32, Int) = (1, 0)
    for line in log.split(separator: UInt8(ascii: "\n")) {
      let message = try #require(WaylandMessage(in: line))
      #expect(alive.contains(message.object), "\(String(decoding: line, as: UTF8.self))")
      if let object = message.newObject {
        #expect(alive.insert(object).inserted, "\(String(decoding: line, as: UTF8.self))")
        highest = max(highest, object)
        made += 1
      }
      if message.name == "delete_id" {
        let object = try #require(message.arguments.first.flatMap { UInt32($0) })
        #expect(alive.remove(object) != nil)
      }
    }
    #expect(made > 1200)
    #expect(highest < made)
  }
}

import Fixtures
import Testing

@testable import FrameImporters
@testable import FrameTrace

/// The logs that scenarios are written as.
@Suite struct WaylandLogEncoderTests {
  private static let carried = Scenarios.all.map(\.name).filter { name in
    Scenarios.all.first { $0.name == name }.map {
      WaylandLogEncoder().whyNot($0.play(.init(frames: 60)).trace) == nil
    } ?? false
  }

  /// An object's number is given again only after the compositor has deleted the object, and only the event that deleted
  /// an object names it after that: as in logs of libwayland.
  @Test(arguments: carried)
  func numbersAreGivenAgainOnceDeleted(_ name: String) throws {
    let scenario = try #require(Scenarios.all.first { $0.name == name })
    let log = WaylandLogEncoder().encode(scenario.play(.init(frames: 600)).trace)
    var alive: Set<UInt32> = [1]
    var deleted: Set<UInt32> = []
    var (highest, made): (UInt32, Int) = (1, 0)
    for line in log.split(separator: UInt8(ascii: "\n")) {
      let message = try #require(WaylandMessage(in: line))
      let isLast = !message.isRequest && deleted.remove(message.object) != nil
      #expect(alive.contains(message.object) || isLast, "\(String(decoding: line, as: UTF8.self))")
      if let object = message.newObject {
        deleted.remove(object)
        #expect(alive.insert(object).inserted, "\(String(decoding: line, as: UTF8.self))")
        highest = max(highest, object)
        made += 1
      }
      if message.name == "delete_id" {
        let object = try #require(message.arguments.first.flatMap { UInt32($0) })
        #expect(alive.remove(object) != nil)
        deleted.insert(object)
      }
    }
    #expect(made > 1200)
    #expect(highest < made)
  }

  /// A frame's callback is asked for by the commit before it, and a frame is shown after its own.
  @Test func framesThatOverlapAreRefused() throws {
    let scenario = try #require(Scenarios.all.first { $0.name == "steady-60" })
    var trace = scenario.play(.init(frames: 60)).trace
    let whyNot = { (start: Int64, displayed: Int64) in
      trace.surfaces[0].frames = Table()
      var row = Table<FrameColumn>.Row()
      (row[.appStart], row[.commit], row[.displayed]) = (0, 10_000_000, 33_000_000)
      trace.surfaces[0].frames.append(row)
      (row[.appStart], row[.commit], row[.displayed]) = (start, 15_000_000, displayed)
      trace.surfaces[0].frames.append(row)
      return WaylandLogEncoder().whyNot(trace)
    }
    #expect(whyNot(10_000_000, 50_000_000) == nil)
    #expect(whyNot(9_999_999, 50_000_000) != nil)
    #expect(whyNot(10_000_000, 15_000_000) == nil)
    #expect(whyNot(10_000_000, 14_999_999) != nil)
  }
}

import Testing

@testable import FrameImporters

@Suite struct WaylandMessageTests {
  private static func message(_ line: String) -> WaylandMessage? {
    WaylandMessage(in: Array(line.utf8))
  }

  /// Lines of libwayland 1.21, 1.23 and 1.26, and one after a program's own output.
  @Test(arguments: [
    "[2615439.875]  -> wl_surface@17.frame(new id wl_callback@23)",
    "[2615439.875] {Default Queue}  -> wl_surface#17.frame(new id wl_callback#23)",
    "[12:00:01.000001] TID#7 {Default Queue}  -> wl_surface#17.frame(new id wl_callback#23)",
    "[2615439.875]  -> wl_surface@0000000000000000000017.frame(new id wl_callback@000000000000000000023)",
    "AV: 00:00:01 (4%)\r[2615439.875]  -> wl_surface@17.frame(new id wl_callback@23)",
  ])
  func everyGrammarIsRead(_ line: String) throws {
    let message = try #require(Self.message(line))
    #expect(message.isRequest && message.interface == "wl_surface" && message.object == 17)
    #expect(message.name == "frame" && message.newObject == 23)
  }

  @Test func eventsAndTheirArgumentsAreRead() throws {
    let event = try #require(
      Self.message("[1.5] wl_touch@9.down(3, 77, wl_surface@4, 0, 1.50, 2.25)"))
    #expect(!event.isRequest && event.newObject == nil)
    #expect(event.arguments == ["3", "77", "wl_surface@4", "0", "1.50", "2.25"])
    let text = try #require(Self.message(#"[1.5]  -> xdg_toplevel@8.set_title("a, b@1.c(")"#))
    #expect(text.interface == "xdg_toplevel" && text.arguments == [#""a, b@1.c(""#])
    #expect(Self.message("[1.5] wl_buffer@3.release()")?.arguments == [])
  }

  @Test(arguments: [
    "", "hello", "me@example.com", "[1] wl_surface@.x()", "[1] wl_surface@17.frame", "@@@@",
    "a@1.b(", "a@1.b)(", ")a@1.b(", String(repeating: "a@1.b(", count: 170_000),
    String(repeating: "a", count: 1 << 20),
  ])
  func whatIsNoMessageIsNone(_ line: String) {
    #expect(Self.message(line) == nil)
  }

  private static let lines = [
    "[2615439.875]  -> wl_surface@17.frame(new id wl_callback@23)",
    "[2615439,875] wp_presentation_feedback@74.presented(0, 3178, 729036700, 16666666, 0, 0, 7)",
    "[12:00:01.000001] TID#7 {Default Queue} discarded  -> xdg_toplevel#8.set_title(\"a, b@1.c(\")",
    "output [1]\r[5.125] wl_touch@9.down(3, 77, wl_surface@4, 0, 1.50, 2.25)",
    "\u{1b}[32m[7.250] \u{1b}[0mwl_registry@2.bind(1, \"wl_shm\", 1, new id [unknown]@5)",
  ]

  /// What follows a line in memory, such as the next one, is no part of it.
  @Test(arguments: lines)
  func aLineIsReadInPositionAsAlone(_ line: String) throws {
    let bytes = Array(line.utf8)
    var (read, found) = (0, Set<Int>())
    for cut in 0...bytes.count {
      var (alone, within) = (WaylandLines(), WaylandLines())
      let own = alone.read(bytes[..<cut])
      // As if the line continued, and as if another one followed.
      for rest in [bytes[cut...] + Array("12)]}\",".utf8), Array(")\n[1.000] a@1.b()".utf8)[...]] {
        let buffer = Array("x)\n".utf8) + bytes[..<cut] + rest + [UInt8](repeating: 0, count: 8)
        let placed = within.read(buffer, 3..<3 + cut)
        #expect("\(own as Any)" == "\(placed as Any)", "\(line.prefix(cut))")
        read += 1
      }
      if own != nil { found.insert(cut) }
    }
    #expect(read == 2 * (bytes.count + 1))
    // Only a whole message is one.
    #expect(found == [bytes.count])
  }
}

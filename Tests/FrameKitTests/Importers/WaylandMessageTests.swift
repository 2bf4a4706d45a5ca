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
    "a@1.b(",
  ])
  func whatIsNoMessageIsNone(_ line: String) {
    #expect(Self.message(line) == nil)
  }
}

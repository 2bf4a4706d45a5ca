import Testing

@testable import FrameAnalysis

@Suite("Timelines drawn by hand")
struct TimelineTests {
  @Test("there are at least a dozen")
  func count() { #expect(TimelineDrawing.all.count >= 12) }

  @Test("each frame is due where the drawing says", arguments: TimelineDrawing.all)
  func due(_ drawing: TimelineDrawing) throws {
    let pipeline = Pipeline(reconstructing: try drawing.trace())
    #expect(drawing.due(pipeline) == drawing.expected("due"))
  }

  @Test("each dropped refresh is charged as the drawing says", arguments: TimelineDrawing.all)
  func drops(_ drawing: TimelineDrawing) throws {
    let pipeline = Pipeline(reconstructing: try drawing.trace())
    #expect(drawing.drops(pipeline) == drawing.expected("dropped"))
  }

  @Test("buffers are as deep as the drawing says", arguments: TimelineDrawing.all)
  func depth(_ drawing: TimelineDrawing) throws {
    guard let expected = drawing.expected("depth") else { return }
    let pipeline = Pipeline(reconstructing: try drawing.trace())
    #expect(drawing.depths(pipeline) == expected)
  }
}

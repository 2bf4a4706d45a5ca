import FrameImporters
import Testing

@testable import FrameTrace

/// Columns of a source that only some surfaces have values of. Found by the fuzzer.
@Suite struct EmptyColumnTests {
  private static func native(_ trace: Trace) -> [UInt8] {
    var bytes: [UInt8] = []
    var writer = NativeWriter(trace) { bytes += $0 }
    writer.write()
    return bytes
  }

  /// A stated interval that no display has is left out, as a time beyond 73 years is.
  @Test func anIntervalHasABound() throws {
    var builder = TraceBuilder(
      Provenance(file: "t", importer: "t", format: "test", reason: "a test"))
    builder.trace.displays = [
      Display(id: "a", interval: Nanoseconds(5_267_000_660_065_000_002)),
      Display(id: "b", interval: Nanoseconds(16_666_667)),
    ]
    let trace = builder.finish()
    #expect(trace.displays.map(\.interval) == [nil, Nanoseconds(16_666_667)])
    #expect(trace.issues.map(\.kind) == [.absurdValue] && trace.issues[0].count == 1)
  }

  @Test func aProcessIDMayBeAnyNumber() throws {
    for number in [Int.max, 3_492_382_513_188_927_238, 1] {
      let text =
        #"{"schema":"frametool.trace/1","unit":"ns"}"# + "\n"
        + #"{"type":"surface","id":"w","pid":\#(number)}"# + "\n"
        + #"{"type":"frame","surface":"w","commit":1}"# + "\n"
      let trace = try TestData.read(text: text, path: "t.jsonl")
      #expect(trace.surfaces[0].processID == number)
    }
  }

  @Test func whatIsReadFromTheNativeFormatIsWrittenTheSame() throws {
    let header =
      "Application,ProcessID,SwapChainAddress,TimeInSeconds,msBetweenPresents,msUntilRenderComplete,msUntilDisplayed,Dropped,Comment"
    let rows = (0..<6).map { index in
      "\(index % 2 == 0 ? "a.exe,1,0xA" : "b.exe,2,0xB"),\(Double(index) / 60),16.667,5,10,0,\(index % 2 == 0 ? "first try" : "")"
    }
    let trace = try TestData.read(
      text: ([header] + rows).joined(separator: "\n") + "\n", path: "game.csv")
    #expect(trace.surfaces.count == 2)
    let first = Self.native(trace)
    let again = try Importers.read(InputFile(bytes: first, path: "game.jsonl"))
    #expect(Self.native(again) == first)
    #expect(again.surfaces.map { $0.frames.extras.count } == [1, 0])
  }
}

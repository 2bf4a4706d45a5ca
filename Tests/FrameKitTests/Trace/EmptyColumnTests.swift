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

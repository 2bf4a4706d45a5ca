import FrameTrace

/// Files of Unreal Engine's CSV profiler, with a row per frame and a column per counter.
///
/// Documentation: Epic Games, "CSV Profiler", and the engine's `CsvProfiler.cpp`; files of 5.5 and 5.7 were examined.
/// Example:
///
///     EVENTS,FrameTime,GameThreadTime,GPUTime
///     ,12.1114,10.4138,10.8373
///     Region: Level/Boss - Begin,13.0091,6.7010,11.0622,4.2000
///     EVENTS,FrameTime,GameThreadTime,GPUTime,RHIThreadTime
///     [HasHeaderRowAtEnd],1,[platform],Windows,[targetframerate],144,…
///
/// Counters appear while the game runs: rows become longer, and all names are known only at the end. A cell that is
/// missing, or 0, was not measured.
struct UnrealProfile: TraceImporter {
  let name = "unreal"
  let title = "Unreal CSV profile"
  let versions = "Unreal Engine 4 and 5, text and .csv.bin 2 and 3"
  let documentation =
    "https://dev.epicgames.com/documentation/en-us/unreal-engine/csv-profiler-in-unreal-engine"

  /// The engine's threads are at most two frames apart, and each writes its counter into the row of the newest frame.
  let counterLag = 2

  func advice(_ fact: RecordedFact) -> String? {
    switch fact {
    case .displayTimes:
      "an Unreal CSV profile has none; PresentMon (Windows) or 'frametool capture vulkan -- PROGRAM' (Linux) records them"
    case .gpuTimes, .touches: nil
    }
  }

  /// The largest binary file that is read.
  private static let mostBytes = 1 << 30

  func recognize(_ head: FileHead) -> Recognition? {
    if head.bytes.starts(with: UnrealBinary.mark) {
      return Recognition(format: "binary Unreal CSV profile", reason: "the word CSVBIN")
    }
    let names = head.columnNames
    guard names.first == "events" || names.last == "events", names.contains("frametime") else {
      return nil
    }
    return Recognition(
      format: "Unreal CSV profile", reason: "the columns EVENTS and FrameTime")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    var builder = TraceBuilder(provenance)
    if input.head.starts(with: UnrealBinary.mark) {
      let bytes = try input.readAll(atMost: Self.mostBytes, of: "a binary profile")
      UnrealJoin(UnrealRows(try UnrealBinary(bytes, path: input.path)), .everything)
        .add(to: &builder)
      return builder
    }
    var rows = UnrealRows(FileHead.cells(FileHead(input.head).firstLine), demand)
    var reader = CSVReader(input)
    do throws(ParseError) {
      while try reader.nextBlock() { rows.read(reader.block, &builder.log) }
    } catch {
      guard rows.count > 0, error.kind == .badData else { throw error }
      builder.log.note(break: error)
    }
    UnrealJoin(rows, demand).add(to: &builder)
    return builder
  }
}

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
  let versions = "Unreal Engine 4 and 5, as text"
  let documentation =
    "https://dev.epicgames.com/documentation/en-us/unreal-engine/csv-profiler-in-unreal-engine"

  func advice(_ fact: RecordedFact) -> String? {
    switch fact {
    case .displayTimes:
      "an Unreal CSV profile has none; PresentMon (Windows) or 'frametool capture vulkan -- PROGRAM' (Linux) records them"
    case .gpuTimes, .touches: nil
    }
  }

  func recognize(_ head: FileHead) -> Recognition? {
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
    var rows = UnrealRows(FileHead.cells(FileHead(input.head).firstLine), demand)
    var reader = CSVReader(input)
    var builder = TraceBuilder(provenance)
    do throws(ParseError) {
      while try reader.nextBlock() { rows.read(reader, &builder.log) }
    } catch {
      guard rows.count > 0, error.kind == .badData else { throw error }
      builder.log.note(break: error)
    }
    UnrealJoin(rows, demand).add(to: &builder)
    return builder
  }
}

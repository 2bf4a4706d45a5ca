import FrameTrace

/// CSV files of PresentMon, Intel's tool that lists presented frames on Windows.
///
/// Documentation: `README-ConsoleApplication.md` in github.com/GameTechDev/PresentMon, and
/// its `CsvOutput.cpp` for what each version writes. Versions 1.6 to 2.5 were seen. A row is
/// a present call or a frame of one swap chain:
///
///     Application,ProcessID,SwapChainAddress,…,CPUStartTime,FrameTime,CPUBusy,…,DisplayLatency
///     game.exe,4312,0x224B280A1C0,…,1000.0000,16.6000,14.1000,…,31.2000
///
/// becomes a frame of the surface `4312:0x224B280A1C0` whose app started at 1000 ms, which
/// was committed 14.1 ms and displayed 31.2 ms later.
struct PresentMon: PresentMonImporter {
  let tool = PresentMonHeader.Tool.presentMon
  let name = "presentmon"
  let title = "PresentMon CSV"
  let versions = "1.x, 2.0, 2.1 to 2.3.0, 2.3.1 and later"
  let documentation = "https://github.com/GameTechDev/PresentMon"

  func advice(_ fact: RecordedFact) -> String? {
    switch fact {
    case .displayTimes:
      "record without --no_track_display"
    case .gpuTimes:
      "PresentMon 2 records them, unless --no_track_gpu is given"
    case .touches:
      "PresentMon 2 records them, unless --no_track_input is given"
    }
  }

  /// Recognizes a file from one of the tools that write these columns.
  static func recognize(_ head: FileHead, as tool: PresentMonHeader.Tool) -> Recognition? {
    guard let header = PresentMonHeader(head), header.tool == tool else { return nil }
    let columns: [PresentMonField] = [.swapChain, .betweenPresents, .cpuBusy, .displayLatency]
    let seen = columns.compactMap { header.position($0) }.map { header.names[$0] }
    return Recognition(
      format: header.format, reason: "the header has \(seen.joined(separator: ", "))")
  }

  /// Reads a file of any of the tools that write these columns.
  static func readRows(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    guard let header = PresentMonHeader(FileHead(input.head)) else {
      throw ParseError(
        path: input.path, position: .line(1), problem: "expected a PresentMon header")
    }
    let pieces = PresentMonPieces(
      PresentMonRows(header, provenance, demand), input.parallelism)
    var reader = CSVReader(input)
    var failure: ParseError?
    do throws(ParseError) { try pieces.read(&reader) } catch { failure = error }
    var rows = pieces.finish()
    if let failure {
      guard rows.hasFrames, failure.kind == .badData else { throw failure }
      rows.noteBreak(failure)
    }
    var (builder, untimed) = rows.finish()
    let clock = PresentMonClock(header, rows.timeUnit)
    clock.time(&untimed, in: &builder)
    // Sums of frame times contradict no frame time.
    let impossible =
      rows.timeUnit == nil
      ? ImpossibleFrames() : rows.longFrames.leaveOutImpossible(from: &builder)
    // Generated frames have no work to sort by.
    let frames = PresentMonFrames(header)
    frames.clearGenerated(&builder)
    let positions = builder.sortFrames()
    clock.refine(&builder)
    for input in rows.inputs {
      guard let frame = impossible.rowAfterRemoval(of: input.frame, in: input.surface) else {
        continue
      }
      let position = positions.row(frame, of: input.surface)
      builder.trace.touches.append(input.row(in: builder.trace, frame: position))
    }
    frames.complete(&builder)
    builder.trace.setting = rows.setting
    return builder
  }
}

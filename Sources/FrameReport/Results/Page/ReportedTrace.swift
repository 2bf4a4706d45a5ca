public import FrameAnalysis
public import FrameReplay
public import FrameTrace

/// The parts of a report on a trace: its figures and its plots.
public struct ReportedTrace: Sendable {
  /// The analysis of the trace.
  public let analysis: TraceAnalysis
  /// The plots of each surface, in the order of the analysis; `nil` for surfaces that are not among
  /// the largest.
  public let surfaces: [DrawnSurface?]
  /// The plots of the trace's launches and of the hitches that its source states; `nil` if none can be drawn.
  public let launches, hitches: Plot?

  /// What a replay recommends for the primary surface; `nil` if the trace cannot be replayed.
  public let advice: ReplayAdvice?
  /// The launches that can be explored, in the order of the trace.
  public let exploredLaunches: [ExploredLaunch]
  /// The surfaces that can be explored, in the order of the analysis.
  public let explored: [ExploredSurface]

  /// The maximum number of frames of a surface to replay: each change tried takes an analysis.
  package static let mostReplayed = 50_000

  /// The maximum number of surfaces of a trace with plots.
  static let mostDrawn = 20

  /// Measures and draws a trace.
  /// - Parameters:
  ///   - isExplored: Whether the trace's surfaces can be explored.
  ///   - reading: The arguments that analyze the trace on the command line; `nil` if there are none.
  ///   - parallelism: How the changes that a replay recommends are run in parallel.
  public init(
    _ study: Study, isExplored: Bool, by reading: [String]? = nil,
    _ parallelism: Parallelism = .none
  ) {
    let drawn = Set(study.ordered.prefix(Self.mostDrawn))
    let rooms = isExplored ? ExploredSurface.rooms(drawn, of: study) : [:]
    let (analysis, visited) = TraceAnalysis.visit(study) { surface in
      (
        drawn: drawn.contains(surface) ? DrawnSurface(study, surface: surface) : nil,
        explored: rooms[surface].flatMap { room in
          ExploredSurface(study, surface: surface, by: reading, room: room, oneOf: drawn.count)
        }
      )
    }
    self.analysis = analysis
    surfaces = visited.map(\.drawn)
    explored = visited.compactMap(\.explored)
    exploredLaunches = isExplored ? ExploredLaunch.all(study) : []
    let isShort = study.meant.map { study.trace.surfaces[$0].frames.count <= Self.mostReplayed }
    let replayer = isShort == true ? try? Replayer(study) : nil
    advice = replayer.flatMap { try? ReplayAdvice($0, parallelism) }
    launches = study.launches.isEmpty ? nil : try? TracePlot.launch.draw([study])
    hitches =
      study.trace.statedHitches.count == 0 ? nil : try? TracePlot.hitches.draw([study])
  }
}

/// The plots of a surface, and why the others cannot be drawn.
public struct DrawnSurface: Sendable {
  /// The plots of the trace, in the order of the page.
  public let plots: [Plot]
  /// The kinds that were not drawn, each with the reason.
  package let refused: [(kind: String, why: String)]

  /// The kinds of plots that a report shows for a surface, the most important first.
  static let kinds: [TracePlot] = [
    .frameTimes, .pipeline, .occupancy, .drops, .frameTimeHistogram, .frameTimeDistribution,
    .latency, .latencyWaterfall, .jitter,
  ]

  /// - Parameter surface: The surface's index in the trace's list.
  init(_ study: Study, surface: Int) {
    var plots: [Plot] = []
    var refused: [(kind: String, why: String)] = []
    let plotted = PlottedSurface(study, surface: surface)
    for kind in Self.kinds {
      do throws(PlotRefusal) {
        guard let plotted else {
          throw PlotRefusal("\(study.trace.provenance.file): there are no frames to draw")
        }
        plots.append(try kind.draw([plotted], PlotOptions()))
      } catch {
        refused.append((kind.name, error.message))
      }
    }
    self.plots = plots
    self.refused = refused
  }
}

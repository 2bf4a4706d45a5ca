public import FrameAnalysis
public import FrameReplay
import FrameTrace

/// What a report shows of a trace: its figures and its plots.
public struct ReportedTrace: Sendable {
  /// What was measured.
  public let analysis: TraceAnalysis
  /// The plots of each surface, in the order of the analysis; `nil` for those that are not among
  /// the largest.
  public let surfaces: [DrawnSurface?]
  /// The plot of its launches, and that of the hitches which its source states; `nil` when it has none that
  /// can be drawn.
  public let launches, hitches: Plot?

  /// What would help the surface that is meant most, by a replay; `nil` where the trace cannot be replayed.
  public let advice: ReplayAdvice?
  /// The surfaces that can be explored, in the order of the analysis.
  public let explored: [ExploredSurface]

  /// Of how many frames a surface is replayed: each change that is tried takes an analysis.
  private static let mostReplayed = 50_000

  /// How many surfaces of a trace have pictures.
  static let mostDrawn = 20

  /// Measures and draws a trace.
  /// - Parameters:
  ///   - isExplored: Whether its surfaces can be explored.
  ///   - reading: The words that analyze it on the command line; `nil` where there are none.
  public init(_ study: Study, isExplored: Bool, by reading: [String]? = nil) {
    let analysis = TraceAnalysis(of: study)
    self.analysis = analysis
    let drawn = Set(study.largest.prefix(Self.mostDrawn))
    surfaces = study.surfaces.map { drawn.contains($0) ? DrawnSurface(study, surface: $0) : nil }
    var room = ExploredSurface.mostKept
    let wanted = study.surfaces.filter { isExplored && drawn.contains($0) }
    explored = wanted.compactMap { surface in
      let explored = ExploredSurface(
        study, surface: surface, analysis, by: reading, room: room, oneOf: wanted.count)
      room -= explored?.keptCount ?? 0
      return explored
    }
    let isShort = study.meant.map { study.trace.surfaces[$0].frames.count <= Self.mostReplayed }
    let replayer = isShort == true ? try? Replayer(study) : nil
    advice = replayer.flatMap { try? ReplayAdvice($0) }
    launches = study.launches.isEmpty ? nil : try? TracePlot.launch.draw([study])
    hitches =
      study.trace.statedHitches.count == 0 ? nil : try? TracePlot.hitches.draw([study])
  }
}

/// The plots of a surface, and why others cannot be drawn of it.
public struct DrawnSurface: Sendable {
  /// The plots of the trace, in the order of the page.
  public let plots: [Plot]
  /// The kinds that were not drawn, each with the reason.
  public let refused: [(kind: String, why: String)]

  /// The kinds that a report shows of a surface, the most telling first.
  static let kinds: [TracePlot] = [
    .frameTimes, .pipeline, .occupancy, .drops, .frameTimeHistogram, .frameTimeDistribution,
    .latency, .latencyWaterfall, .jitter,
  ]

  /// - Parameter surface: Its place in the trace's list.
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

import FrameAnalysis
import FrameStatistics
import FrameTrace

extension FieldRecord {
  /// The stutters of a surface.
  static func stutters(_ surface: SurfaceAnalysis, from origin: Timestamp) -> FieldRecord {
    guard let found = surface.stutters else {
      return FieldRecord(missing: ["count", "per_minute", "share", "list"], "fewer than 60 frames")
    }
    return FieldRecord { record in
      record.add("count", found.stutters.count, Figure(unit: "stutters", n: found.n))
      record.add("per_minute", found.perMinute)
      record.add("lost_ms", found.lost.milliseconds)
      record.add("share", found.share)
      record.add("longest_ms", found.worst?.longest.milliseconds, else: "there is no stutter")
      record.add("bursts", found.bursts)
      record.add("n", found.n)
      record.add("measured", found.basis)
      record.add(
        "run_in", found.runIn.map(runIn),
        else: "the first 30 s do not differ, or the run is shorter than 90 s")
      record.add("rhythms", rows: found.rhythms) { rhythm, record in
        record.add("period_s", rhythm.period)
        record.add("uncertainty_s", rhythm.uncertainty, else: "the period drifts")
        record.add("on_beat", rhythm.onBeat)
        record.add("n", rhythm.count)
        record.add("p", rhythm.probability)
      }
      if let differences = surface.stutterDifferences {
        record.add("series_compared", differences.series)
        record.add("differences", rows: differences.findings) { $1.add($0) }
      }
      record.add("list", events: found.stutters) { stutter, record in
        record.add("t_ms", (stutter.time - origin).milliseconds)
        record.add("ms", stutter.length.milliseconds)
        record.add("longest_ms", stutter.longest.milliseconds)
        record.add("usual_ms", stutter.usual.milliseconds)
        record.add("lost_ms", stutter.lost.milliseconds)
        record.add("frame", stutter.row)
        record.add("frames", stutter.frames)
      }
      record.add("slow_stretches", events: found.slowStretches) { stretch, record in
        record.add("t_ms", (stretch.time - origin).milliseconds)
        record.add("ms", stretch.length.milliseconds)
        record.add("frames", stretch.frames)
        record.add("median_ms", stretch.median.milliseconds)
      }
    }
  }

  private mutating func add(_ finding: StutterDifferences.Finding) {
    add("series", finding.name)
    add("unit", finding.unit, else: "the source states none")
    add("side", finding.difference.side.rawValue)
    add("near", finding.difference.near)
    add("usual", finding.difference.usual)
    add("distinct", finding.difference.distinct)
    add("n", finding.difference.count)
    add("p", finding.difference.probability)
    add("adjusted_p", finding.difference.adjusted)
  }

  private static func runIn(_ runIn: StutterFindings.RunIn) -> FieldRecord {
    FieldRecord { record in
      record.add("early", runIn.early)
      record.add("later", runIn.later)
      record.add("later_per_minute", runIn.laterPerMinute)
    }
  }
}

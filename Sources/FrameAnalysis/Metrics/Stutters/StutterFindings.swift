public import FrameStatistics
public import FrameTrace

/// The stutters of a surface: new frames that took much longer to arrive than the surrounding frames.
///
/// Finding stutters requires neither refreshes nor due times, so every source has them. A stop is a stutter, too,
/// unless all frames around it are as slow.
public struct StutterFindings: Sendable {
  /// One stutter.
  public struct Stutter: Hashable, Sendable {
    /// When the stutter's first long frame began.
    public let time: Timestamp
    /// The time from then to the end of the stutter's last long frame.
    public let length: Nanoseconds
    /// How long the longest frame took, and how long surrounding frames usually take.
    public let longest, usual: Nanoseconds
    /// How much longer the stutter's frames took than usual, each by at most 10 s.
    public let lost: Nanoseconds
    /// The row of its longest frame.
    public let row: Int
    /// The number of its long frames.
    public let frames: Int
  }

  /// Frames that were slow for the run, but not compared with the surrounding frames.
  public struct SlowStretch: Hashable, Sendable {
    /// When the stretch began and how long it lasted.
    public let time: Timestamp, length: Nanoseconds
    /// The number of its slow frames, and their median length.
    public let frames: Int, median: Nanoseconds
  }

  /// How the first 30 s differ from the remaining run.
  public struct RunIn: Hashable, Sendable {
    /// The number of stutters in the first 30 s, and of later stutters.
    public let early, later: Int
    /// Stutters per minute after the first 30 s.
    public let laterPerMinute: Double
  }

  /// The stutters in order of time.
  public let stutters: [Stutter]
  /// What was compared, in words: from display to display, or from frame to frame.
  public let basis: String
  /// How many times were compared.
  public let n: Int
  /// The time of all frames, with the usual time in place of each stutter's.
  public let usualTime: Nanoseconds
  /// How much longer all stutters took than usual.
  public let lost: Nanoseconds
  /// The number of bursts: stutters less than 1 s apart count once.
  public let bursts: Int
  /// How the first 30 s differ; `nil` if they do not, or if the run is shorter than 90 s.
  public let runIn: RunIn?
  /// The slow stretches in order of time.
  public let slowStretches: [SlowStretch]
  /// The usual time between frames of the run, which slow stretches exceed.
  public let usual: Nanoseconds
  /// When the first frame began and the last one ended; `nil` without frames.
  public let start, end: Timestamp?
  /// Rhythms in which stutters recur, the clearest first. Their times are relative to ``start``, in seconds.
  public let rhythms: [Rhythm]

  /// Stutters per minute of ``usualTime``, so that a longer stutter never lowers the figure.
  public var perMinute: Double { Double(stutters.count) * 60 / max(usualTime.seconds, 1e-9) }
  /// The share of the time that stutters cost, from 0 to 1.
  public var share: Double {
    let all = usualTime + lost
    return all > .zero ? lost.seconds / all.seconds : 0
  }
  /// The stutter with the longest frame; `nil` without any.
  public var worst: Stutter? { stutters.max { ($0.longest, $1.time) < ($1.longest, $0.time) } }
}

extension StutterFindings {
  /// The reason given for fewer than 60 frames.
  static let tooFew = "fewer than \(StutterScan.fewestFrames) frames"

  /// - Returns: `nil` for fewer than 60 frames.
  init?(_ surface: MeasuredSurface) {
    guard let frames = NewFrames(surface),
      let scan = StutterScan(lengths: frames.lengths, ends: frames.ends)
    else { return nil }
    basis = frames.basis.rawValue
    n = scan.frames
    stutters = scan.stutters.map { stutter in
      Stutter(
        time: Timestamp(nanoseconds: stutter.start),
        length: Nanoseconds(stutter.end - stutter.start), longest: Nanoseconds(stutter.longest),
        usual: Nanoseconds(stutter.usual), lost: Nanoseconds(stutter.lost),
        row: Int(frames.rows[stutter.index]), frames: stutter.frames)
    }
    (usualTime, lost) = (Nanoseconds(scan.netTime), Nanoseconds(scan.lost))
    bursts = scan.bursts
    runIn = scan.runIn.map { found in
      let minutes = Nanoseconds(found.laterTime).seconds / 60
      return RunIn(
        early: found.early, later: found.later, laterPerMinute: Double(found.later) / minutes)
    }
    slowStretches = scan.slowStretches.all.map { stretch in
      SlowStretch(
        time: Timestamp(nanoseconds: stretch.start),
        length: Nanoseconds(stretch.end - stretch.start),
        frames: stretch.frames, median: Nanoseconds(rounding: stretch.median))
    }
    usual = Nanoseconds(scan.slowStretches.usual)
    start = frames.ends.first.map { Timestamp(nanoseconds: $0 - frames.lengths[0]) }
    end = frames.ends.last.map { Timestamp(nanoseconds: $0) }
    rhythms = Self.rhythms(scan, frames)
  }

  private static func rhythms(_ scan: StutterScan, _ frames: NewFrames) -> [Rhythm] {
    guard let end = frames.ends.last, let first = frames.ends.first else { return [] }
    let start = first - frames.lengths[0]
    return Rhythm.find(
      in: scan.stutters.map { Nanoseconds($0.start - start).seconds },
      span: Nanoseconds(end - start).seconds)
  }
}

package import FrameAnalysis
package import FrameTrace

/// What a tool reports about the dropped refreshes of one trace.
package struct DetectorOutput: Sendable {
  /// The name of the trace, without folders and extension.
  package var trace: String
  package var findings: [Finding] = []
  /// Why the tool does not judge the trace; `nil` if it does.
  package var whyUnjudged: String?
  /// The number of late frames that the tool counts, if it reports nothing more.
  package var count: Int?

  package init(trace: String, findings: [Finding] = [], whyUnjudged: String? = nil) {
    (self.trace, self.findings, self.whyUnjudged) = (trace, findings, whyUnjudged)
  }

  /// One problem, identified by the dropped refresh or by the late frame.
  package struct Finding: Sendable {
    /// The surface, by its position in the truth; `nil` where the tool does not say.
    package var surface: Int?
    /// The refresh, by number or by time on the trace's clock; both `nil` where only the frame is known.
    package var refresh: Int64?
    package var time: Int64?
    /// The number of refreshes, starting with that one.
    package var count: Int64 = 1
    /// The length of the delay, if it determines the number of refreshes.
    package var length: Nanoseconds?
    /// The row of the late frame in the file; only if there is no refresh.
    package var frame: Int?
    /// The stage; `nil` where the tool names none.
    package var stage: PipelineStage?
    /// The row, in the file, of the frame that caused the delay.
    package var culprit: Blamed?

    /// A refresh.
    package init(
      surface: Int?, refresh: Int64?, time: Int64?, count: Int64 = 1, stage: PipelineStage?,
      culprit: Blamed? = nil
    ) {
      (self.surface, self.refresh, self.time, self.count) = (surface, refresh, time, count)
      (self.stage, self.culprit) = (stage, culprit)
    }

    /// A late frame.
    package init(surface: Int?, frame: Int, stage: PipelineStage?) {
      (self.surface, self.frame, self.stage) = (surface, frame, stage)
    }
  }

  /// A frame that a tool blames, identified by its row in the file.
  package struct Blamed: Hashable, Sendable {
    /// The surface, by its position in the truth; `nil` where the tool does not say.
    package var surface: Int?
    package var row: Int

    package init(surface: Int?, row: Int) { (self.surface, self.row) = (surface, row) }
  }

  /// The name of a trace, from the path of its file.
  package static func name(ofFile path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return file.firstIndex(of: ".").map { String(file[..<$0]) } ?? file
  }
}

import FrameAnalysis
import FrameTrace

extension Coverage {
  /// How much of the recording the frames cover, if less than half; `nil` otherwise.
  var shortWords: String? {
    // A single instant covers nothing, and the remainder of a shorter recording is negligible.
    guard isShort, frames > .zero, recording >= .milliseconds(1) else { return nil }
    let rest = isPartial ? ", the rest cannot be judged" : ""
    return covered + rest
  }

  /// How much of the recording the frames cover, and how many frames have a due time, unless the headline says so;
  /// `nil` if it says both.
  var words: String? {
    var parts = shortWords == nil ? [covered] : []
    if let shown, let judged, shown > 0, judged * 2 >= shown {
      parts.append("due times are known for \(judged) of \(shown.frames) that follow another one")
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  private var covered: String {
    "frames cover \(Self.seconds(frames)) of \(Self.seconds(recording)) s"
  }

  /// Whether the result may be graded.
  var allowsGrade: Bool { !isPartial }

  /// Why there is no grade.
  static let whyNoGrade = "frames cover less than half of the recording"

  /// Seconds with one decimal, or with three below a tenth of a second.
  private static func seconds(_ length: Nanoseconds) -> String {
    FixedNumber.text(length.seconds, decimals: length.seconds < 0.1 ? 3 : 1)
  }
}

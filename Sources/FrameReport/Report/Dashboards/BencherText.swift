import FrameAnalysis
import FrameTrace

/// Figures in Bencher Metric Format: measures by benchmark, each with a value and, for several runs, the lowest and the
/// highest value; schema <https://bencher.dev/bmf.json>.
enum BencherText {
  static func write(_ figures: [DashboardFigure]) -> String {
    var programs: [String] = []
    for figure in figures where !programs.contains(figure.program) {
      programs.append(figure.program)
    }
    var json = JSONWriter(indented: true)
    json.object { json in
      for program in programs {
        json.key(program)
        json.object { json in
          for figure in figures where figure.program == program {
            json.key("\(figure.name) in \(figure.unit.rawValue)")
            json.object { json in
              json.member("value", RoundedNumber.of(figure.value))
              guard let range = figure.range else { return }
              json.member("lower_value", RoundedNumber.of(range.lowerBound))
              json.member("upper_value", RoundedNumber.of(range.upperBound))
            }
          }
        }
      }
    }
    json.endLine()
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

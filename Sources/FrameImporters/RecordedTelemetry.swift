import FrameTrace

/// Sensor and counter readings that a recorder wrote among the messages:
///
///     [4287341953346,0,"!","telemetry",0,"reading",["GPU power","W",45.25,"/sys/class/drm/card0/…"]]
package struct RecordedTelemetry {
  package static let interface = "telemetry"

  private struct Sensor: Hashable {
    let name: String
    let unit: String?
    let source: String?
  }

  private var positions: [Sensor: Int] = [:]
  private(set) var series: [TelemetrySeries] = []

  mutating func consume(_ message: RecordedMessage) {
    guard let name = message.text(0), let value = message.number(2), value.isFinite else { return }
    let sensor = Sensor(name: name, unit: message.text(1), source: message.text(3))
    let position = positions[sensor] ?? series.count
    if position == series.count {
      positions[sensor] = position
      series.append(TelemetrySeries(name: name, unit: sensor.unit, source: sensor.source))
    }
    series[position].times.append(Timestamp(nanoseconds: message.time))
    series[position].values.append(value)
  }

  /// A reading as a line of the native format, for captures that write it.
  package static func native(
    _ name: String, _ unit: String, _ value: Double, _ source: String, at time: Int64
  ) -> [UInt8] {
    var json = JSONWriter(indented: false)
    json.record(
      TelemetrySeries(name: name, unit: unit, source: source), Timestamp(nanoseconds: time), value)
    return json.takeBytes()
  }
}

/// The work of a surface's app, as a simulation plays it.
package struct SurfaceWork: Sendable {
  package var id: String
  package var process: String
  /// Whether the app draws into the buffers; else the compositor does.
  package var isFilledByApp = false
  /// The most buffers the surface may have.
  package var buffers = 3
  package var units: [AppWork]
  /// The surface whose frame of the same unit is shown at the same refresh; `nil` when each
  /// is shown as soon as it can.
  package var shownWith: Int?
  /// Whether an app that was still busy at a refresh starts as soon as it is free; else at the
  /// next one.
  package var startsWhenFree = false
  /// The scans of a finger that the app is given; `nil` for none.
  package var scans: SimulatedScans?

  package init(id: String = "window", process: String = "App", _ units: [AppWork]) {
    self.id = id
    self.process = process
    self.units = units
  }
}

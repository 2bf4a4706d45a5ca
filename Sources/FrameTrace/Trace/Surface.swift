/// One chain of frames with separate buffers: a window, a layer, a swap chain.
public struct Surface: Sendable {
  /// Who draws into the buffers.
  public enum BufferOwner: String, Sendable, CaseIterable {
    /// The app, with its GPU work: Android, Wayland, games.
    case app
    /// The compositor: iOS.
    case compositor
  }

  /// The unique name by which other records in the trace refer to it.
  public var id: String
  /// The source's name for the surface; `nil` if it has none.
  public var name: String?
  /// The process that owns the surface; `nil` if unknown.
  public var process: String?
  /// The number of that process; `nil` if unknown.
  public var processID: Int?
  /// The display that shows the surface, by its index in the trace's list; `nil` if unknown.
  public var display: Int?
  /// Who draws into the surface's buffers; `nil` if unknown.
  public var bufferOwner: BufferOwner?
  /// Whether a compositor takes the surface's frames before the display does; `nil` if unknown.
  public var isComposited: Bool?
  /// The number of buffers allocated for the surface; `nil` if unknown.
  public var allocatedBuffers: Int?
  /// The interval between frames that the app aims at, as the source or the user states it; `nil` if neither states it.
  public var targetInterval: Nanoseconds?
  /// Whether frame identifiers are consecutive, so that a gap means frames that were not recorded; `nil` if the source
  /// does not say.
  public var numbersCountFrames: Bool?
  /// Whether the source reports the end of the previous frame as the start of each frame, as in PresentMon, or reports
  /// no start, so that idle time looks like work. `nil` if the source does not say; then only the times can show it.
  public var derivesStarts: Bool?
  /// The frames that the source calls dropped and that have no row because no part was shown; `nil` if the source does
  /// not say.
  public var statedDrops: StatedDrops?
  /// The surface's frames in time order.
  public package(set) var frames = Table<FrameColumn>()

  package init(
    id: String, name: String? = nil, process: String? = nil, processID: Int? = nil,
    display: Int? = nil, bufferOwner: BufferOwner? = nil, isComposited: Bool? = nil,
    allocatedBuffers: Int? = nil, targetInterval: Nanoseconds? = nil,
    numbersCountFrames: Bool? = nil, derivesStarts: Bool? = nil,
    frames: Table<FrameColumn> = Table<FrameColumn>()
  ) {
    self.id = id
    self.name = name
    self.process = process
    self.processID = processID
    self.display = display
    self.bufferOwner = bufferOwner
    self.isComposited = isComposited
    self.allocatedBuffers = allocatedBuffers
    self.targetInterval = targetInterval
    self.numbersCountFrames = numbersCountFrames
    self.derivesStarts = derivesStarts
    self.frames = frames
  }
}

extension Surface {
  /// The process and the surface that the frames belong to, in words.
  package var title: String {
    Self.title(name: name, id: id, process: process, processID: processID)
  }

  package static func title(name: String?, id: String, process: String?, processID: Int?) -> String
  {
    let process = [process, processID.map { "(\($0))" }].compactMap { $0 }
    let name = [name, id].compactMap { $0 }.first { !$0.isEmpty } ?? "unnamed"
    return (process + [name]).joined(separator: " ")
  }
}

/// A display and its refreshes.
public struct Display: Sendable {
  /// The name by which other records refer to it.
  public var id: String
  /// The time between refreshes as the source states it; `nil` if it does not.
  public var interval: Nanoseconds?
  /// The shortest possible time between refreshes, if refreshes vary; `nil` if unknown.
  public var shortestInterval: Nanoseconds?
  /// Whether the display waits for frames; `nil` if the source does not say.
  public var isVariable: Bool?
  /// Whether the user stated the interval, which then overrides the trace.
  public var isIntervalOfUser = false
  /// Whether `refreshes` has only refreshes that frames name, such as those at which apps were to be woken, and others
  /// lie between them; `nil` if it has all or none.
  public var hasSampledRefreshes: Bool?
  /// The refreshes that were recorded, in time order.
  public package(set) var refreshes = Table<RefreshColumn>()

  package init(
    id: String, interval: Nanoseconds? = nil, shortestInterval: Nanoseconds? = nil,
    isVariable: Bool? = nil, isIntervalOfUser: Bool = false, hasSampledRefreshes: Bool? = nil,
    refreshes: Table<RefreshColumn> = Table<RefreshColumn>()
  ) {
    self.id = id
    self.interval = interval
    self.shortestInterval = shortestInterval
    self.isVariable = isVariable
    self.isIntervalOfUser = isIntervalOfUser
    self.hasSampledRefreshes = hasSampledRefreshes
    self.refreshes = refreshes
  }
}

/// Readings of a sensor or counter over time, such as power, clock rates or heat.
public struct TelemetrySeries: Sendable {
  /// The name as the source spells it.
  public let name: String
  /// The unit as the source states it; `nil` if it states none.
  public let unit: String?
  /// The path from which the recorder read the series; `nil` if the source does not say.
  public let source: String?
  /// When the readings were taken.
  public package(set) var times: [Timestamp] = []
  /// The value at each of the times.
  public package(set) var values: [Double] = []

  package init(
    name: String, unit: String?, source: String? = nil, times: [Timestamp] = [],
    values: [Double] = []
  ) {
    self.name = name
    self.unit = unit
    self.source = source
    self.times = times
    self.values = values
  }
}

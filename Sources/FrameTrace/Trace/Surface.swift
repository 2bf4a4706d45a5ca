/// One chain of frames with separate buffers: a window, a layer, a swap chain.
public struct Surface: Sendable {
  /// Who draws into the buffers.
  public enum BufferOwner: String, Sendable, CaseIterable {
    /// The app does, with its GPU work: Android, Wayland, games.
    case app
    /// The compositor does: iOS.
    case compositor
  }

  /// The unique name by which other records in the trace refer to it.
  public var id: String
  /// The source's name for it; `nil` when it has none.
  public var name: String?
  /// The process it belongs to; `nil` when not known.
  public var process: String?
  /// That process's number; `nil` when not known.
  public var processID: Int?
  /// The display that shows it, by its index in the trace's list; `nil` when not known.
  public var display: Int?
  /// Who draws into its buffers; `nil` when not known.
  public var bufferOwner: BufferOwner?
  /// Whether a compositor takes its frames before the display does; `nil` when not known.
  public var isComposited: Bool?
  /// How many buffers it has been given; `nil` when not known.
  public var allocatedBuffers: Int?
  /// The interval between frames that it aims at, as the source or the user states it; `nil` when
  /// neither does.
  public var targetInterval: Nanoseconds?
  /// Whether the identifiers of its frames count them, so that a gap means frames that were not
  /// recorded; `nil` when the source does not say.
  public var numbersCountFrames: Bool?
  /// Whether each frame is said to start where the previous one ended, as in PresentMon, or when it started is not told
  /// at all, so that idle time looks like work; `nil` when the source does not say, and only the times can show it.
  public var derivesStarts: Bool?
  /// The frames that the source calls dropped and that have no row, because nothing of them was shown; `nil` when
  /// it does not say.
  public var statedDrops: StatedDrops?
  /// Its frames in order of time.
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
  /// The time between refreshes as the source states it; `nil` when it does not.
  public var interval: Nanoseconds?
  /// The shortest time between refreshes it can do, where refreshes vary; `nil` when not
  /// known.
  public var shortestInterval: Nanoseconds?
  /// Whether it waits for frames; `nil` when the source does not say.
  public var isVariable: Bool?
  /// Whether the user stated the interval, which then overrides the trace.
  public var isIntervalOfUser = false
  /// Whether `refreshes` has only those that frames name, such as the ones at which apps were to be
  /// woken, so that others lie between them; `nil` where it has all or none.
  public var hasSampledRefreshes: Bool?
  /// The refreshes that were recorded, in order of time.
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
  /// The unit as the source states it; `nil` when it states none.
  public let unit: String?
  /// Where the recorder read it, as a path; `nil` when the source does not say.
  public let source: String?
  /// When the readings were taken.
  public package(set) var times: [Timestamp] = []
  /// A value for each of the times.
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

/// The fields of Perfetto's messages that are read, with the names and numbers of the public schema.
///
/// https://github.com/google/perfetto/tree/main/protos/perfetto/trace: `trace_packet.proto`,
/// `android/frame_timeline_event.proto`, `android/android_input_event.proto`, `evdev.proto`,
/// `ftrace/ftrace_event_bundle.proto`, `ftrace/drm.proto`, `ftrace/gpu_scheduler.proto`,
/// `track_event/track_event.proto`, `gpu/gpu_render_stage_event.proto`, and the other files, found by the names of
/// their messages. Reading and writing use the same table, so it is checked against the schema and not against itself.
package enum PerfettoSchema {
  package enum Trace {
    package static let packet = 1
  }

  package enum TracePacket {
    package static let ftraceEvents = 1
    package static let processTree = 2
    package static let clockSnapshot = 6
    package static let timestamp = 8
    package static let trustedPacketSequenceID = 10
    package static let trackEvent = 11
    package static let internedData = 12
    package static let sequenceFlags = 13
    package static let incrementalStateCleared = 41
    package static let previousPacketDropped = 42
    package static let compressedPackets = 50
    package static let gpuCounterEvent = 52
    package static let gpuRenderStageEvent = 53
    package static let graphicsFrameEvent = 57
    package static let timestampClockID = 58
    package static let tracePacketDefaults = 59
    package static let trackDescriptor = 60
    package static let frameTimelineEvent = 76
    package static let trustedPID = 79
    package static let winscopeExtensions = 112
    package static let evdevEvent = 121
  }

  package enum TracePacketDefaults {
    package static let trackEventDefaults = 11
    package static let timestampClockID = 58
  }

  package enum TrackEventDefaults {
    package static let trackUUID = 11
  }

  /// Kinds of interned data.
  package enum InternedData {
    package static let eventCategories = 1
    package static let eventNames = 2
    package static let debugAnnotationNames = 3
    package static let gpuSpecifications = 24
    package static let kernelSymbols = 26
  }

  /// The fields of interned entries, which are the same for all kinds.
  package enum InternedEntry {
    package static let iid = 1
    package static let name = 2
  }

  package enum ClockSnapshot {
    package static let clocks = 1
    package static let primaryTraceClock = 2

    package enum Clock {
      package static let clockID = 1
      package static let timestamp = 2
      package static let isIncremental = 3
      package static let unitMultiplierNS = 4
    }
  }

  package enum ProcessTree {
    package static let processes = 1
    package static let threads = 2

    package enum Process {
      package static let pid = 1
      package static let cmdline = 3
    }

    package enum Thread {
      package static let tid = 1
      package static let name = 2
      package static let tgid = 3
    }
  }
}

// Events of programs.
extension PerfettoSchema {
  package enum TrackDescriptor {
    package static let uuid = 1
    package static let name = 2
    package static let process = 3
    package static let thread = 4
    package static let parentUUID = 5
    package static let counter = 8
    package static let childOrdering = 11
    package static let siblingOrderRank = 12
  }

  package enum ProcessDescriptor {
    package static let pid = 1
    package static let processName = 6
  }

  package enum ThreadDescriptor {
    package static let pid = 1
    package static let tid = 2
    package static let threadName = 5
  }

  package enum TrackEvent {
    package static let debugAnnotations = 4
    package static let legacyEvent = 6
    package static let type = 9
    package static let nameIID = 10
    package static let trackUUID = 11
    package static let categories = 22
    package static let name = 23
    package static let counterValue = 30
    package static let chromeFrameReporter = 32
    package static let flowIDs = 47
    /// From Chromium's extensions, `chrome_track_event.proto`.
    package static let eventLatency = 1032
    package static let frameReporter = 1075
    package static let scrollJankV4 = 1078

    package enum LegacyEvent {
      package static let nameIID = 1
      package static let phase = 2
      package static let durationUS = 3
      package static let unscopedID = 6
      package static let localID = 10
      package static let globalID = 11
    }
  }

  package enum DebugAnnotation {
    package static let nameIID = 1
    package static let boolValue = 2
    package static let uintValue = 3
    package static let intValue = 4
    package static let stringValue = 6
    package static let name = 10
  }

  package enum ChromeFrameReporter {
    package static let state = 1
    package static let frameSource = 3
    package static let frameSequence = 4
    package static let affectsSmoothness = 5
    package static let layerTreeHostID = 11
    package static let frameType = 13
    package static let surfaceFrameTraceID = 17
  }

  package enum ScrollJankV4Result {
    package static let isJanky = 1
    package static let missedVsyncsPerJankReason = 2
    package static let resultID = 13

    package enum MissedVsyncs {
      package static let jankReason = 1
      package static let missedVsyncs = 2
    }
  }

  package enum EventLatency {
    package static let eventType = 1
    package static let isJankyScrolledFrame = 5
    package static let surfaceFrameTraceID = 7
  }
}

// Frames and inputs of Android.
extension PerfettoSchema {
  package enum FrameTimelineEvent {
    package static let expectedDisplayFrameStart = 1
    package static let actualDisplayFrameStart = 2
    package static let expectedSurfaceFrameStart = 3
    package static let actualSurfaceFrameStart = 4
    package static let frameEnd = 5

    /// The fields at the beginning of all frame messages.
    package enum Frame {
      package static let cookie = 1
      package static let token = 2
    }

    package enum DisplayFrame {
      package static let pid = 3
      package static let presentType = 4
      package static let onTimeFinish = 5
      package static let gpuComposition = 6
      package static let jankType = 7
      package static let predictionType = 8
      package static let jankSeverityType = 9
    }

    package enum SurfaceFrame {
      package static let displayFrameToken = 3
      package static let pid = 4
      package static let layerName = 5
      package static let presentType = 6
      package static let onTimeFinish = 7
      package static let gpuComposition = 8
      package static let jankType = 9
      package static let predictionType = 10
      package static let jankSeverityType = 12
    }
  }

  package enum GraphicsFrameEvent {
    package static let bufferEvent = 1

    package enum BufferEvent {
      package static let frameNumber = 1
      package static let type = 2
      package static let layerName = 3
      package static let durationNS = 4
      package static let bufferID = 5
    }
  }

  package enum WinscopeExtensions {
    package static let androidInputEvent = 5
  }

  package enum AndroidInputEvent {
    package static let dispatcherMotionEvent = 1
    package static let dispatcherMotionEventRedacted = 2
    package static let dispatcherKeyEvent = 3
    package static let dispatcherKeyEventRedacted = 4
    package static let dispatcherWindowDispatchEvent = 5
    package static let dispatcherWindowDispatchEventRedacted = 6
  }

  /// Motion and key events, which share their first fields.
  package enum AndroidMotionEvent {
    package static let eventID = 1
    package static let eventTimeNanos = 2
    package static let source = 3
    package static let action = 4
  }

  package enum AndroidWindowInputDispatchEvent {
    package static let eventID = 1
    package static let vsyncID = 2
  }

  package enum EvdevEvent {
    package static let deviceID = 1
    package static let inputEvent = 2

    package enum InputEvent {
      package static let kernelTimestamp = 1
      package static let type = 2
      package static let code = 3
      package static let value = 4
    }
  }
}

// The GPU.
extension PerfettoSchema {
  package enum GpuCounterEvent {
    package static let counterDescriptor = 1
    package static let counters = 2

    package enum GpuCounter {
      package static let counterID = 1
      package static let intValue = 2
      package static let doubleValue = 3
    }
  }

  package enum GpuCounterDescriptor {
    package static let specs = 1

    package enum GpuCounterSpec {
      package static let counterID = 1
      package static let name = 2
    }
  }

  package enum GpuRenderStageEvent {
    package static let eventID = 1
    package static let duration = 2
    package static let hwQueueID = 3
    package static let stageID = 4
    package static let specifications = 7
    package static let hwQueueIID = 13
    package static let stageIID = 14

    package enum Specifications {
      package static let hwQueue = 2
      package static let stage = 3

      package enum Description {
        package static let name = 1
      }
    }
  }
}

// The kernel.
extension PerfettoSchema {
  package enum FtraceEventBundle {
    package static let cpu = 1
    package static let event = 2
    package static let lostEvents = 3
    package static let compactSched = 4
    package static let ftraceClock = 5
    package static let ftraceTimestamp = 6
    package static let bootTimestamp = 7
    package static let lastReadEventTimestamp = 9
    package static let previousBundleEndTimestamp = 10

    package enum CompactSched {
      package static let switchTimestamp = 1
      package static let switchPrevState = 2
      package static let switchNextPID = 3
      package static let switchNextPrio = 4
      package static let internTable = 5
      package static let switchNextCommIndex = 6
      package static let wakingTimestamp = 7
      package static let wakingPID = 8
      package static let wakingPrio = 10
    }
  }

  package enum FtraceEvent {
    package static let timestamp = 1
    package static let pid = 2
    package static let print = 3
    package static let schedSwitch = 4
    package static let cpuFrequency = 11
    package static let schedBlockedReason = 18
    package static let schedWaking = 20
    package static let binderTransaction = 50
    package static let binderTransactionReceived = 51
    package static let drmVblankEvent = 409
    package static let drmRunJob = 412
    package static let drmSchedProcessJob = 413
    package static let dmaFenceInit = 414
    package static let dmaFenceEmit = 415
    package static let dmaFenceSignaled = 416
    package static let dmaFenceWaitStart = 417
    package static let dmaFenceWaitEnd = 418
    package static let drmSchedJobDone = 592
    package static let drmSchedJobRun = 594
  }

  package enum PrintFtraceEvent {
    package static let buf = 2
  }

  package enum SchedSwitchFtraceEvent {
    package static let prevPID = 2
    package static let prevState = 4
    package static let nextComm = 5
    package static let nextPID = 6
    package static let nextPrio = 7
  }

  package enum SchedWakingFtraceEvent {
    package static let pid = 2
    package static let prio = 3
  }

  package enum CpuFrequencyFtraceEvent {
    package static let state = 1
    package static let cpuID = 2
  }

  package enum SchedBlockedReasonFtraceEvent {
    package static let pid = 1
    package static let caller = 2
    package static let ioWait = 3
  }

  package enum BinderTransactionFtraceEvent {
    package static let debugID = 1
    package static let toThread = 4
    package static let reply = 5
    package static let flags = 7
  }

  package enum BinderTransactionReceivedFtraceEvent {
    package static let debugID = 1
  }

  package enum DrmVblankEventFtraceEvent {
    package static let crtc = 1
    package static let seq = 3
    package static let time = 4
  }

  package enum DrmRunJobFtraceEvent {
    package static let fence = 2
    package static let id = 4
    package static let name = 6
  }

  package enum DrmSchedProcessJobFtraceEvent {
    package static let fence = 1
  }

  package enum DrmSchedJobDoneFtraceEvent {
    package static let fenceContext = 1
    package static let fenceSeqno = 2
  }

  package enum DrmSchedJobRunFtraceEvent {
    package static let name = 1
    package static let fenceContext = 5
    package static let fenceSeqno = 6
  }

  package enum DmaFenceFtraceEvent {
    package static let context = 1
    package static let driver = 2
    package static let seqno = 3
    package static let timeline = 4
  }
}

import FrameTrace

/// GPU activity, from the kernel's events of jobs and of the fences signaled after them.
///
/// Linux, `include/trace/events/dma_fence.h` and `drivers/gpu/drm/scheduler/gpu_scheduler_trace.h`: `drm_run_job` marks
/// that a job was given to the hardware, and `drm_sched_process_job` that it is done. Linux 6.17 calls these events
/// `drm_sched_job_run` and `drm_sched_job_done`. A fence is a number on a timeline. A thread that needs a fence waits
/// from `dma_fence_wait_start` to `dma_fence_wait_end`.
struct FenceEvents {
  struct Slice {
    let name: String
    let start: Int64
    let end: Int64
    /// The thread that waited; `nil` for GPU activity.
    let thread: Int64?
  }

  /// A fence: a number on a timeline.
  struct Fence: Hashable {
    let context, number: Int64
    let timeline: String
  }

  /// The identifier of a job's fence.
  enum JobFence: Hashable {
    /// The fence's address in memory, before Linux 6.17.
    case address(UInt64)
    /// The fence's number on a timeline, since Linux 6.17.
    case number(context: UInt64, UInt64)
  }

  private struct Job {
    let ring: String
    let identifier: Int64
    let start: Int64
  }

  private struct Wait: Hashable {
    let thread: Int64
    let fence: Fence
  }

  private(set) var slices: [Slice] = []
  /// The number of ends without a recorded start.
  private(set) var unmatchedEnds = 0
  /// Jobs by their fences.
  private var jobs: [JobFence: Job] = [:]
  /// When each ring finished its last job.
  private var free: [String: Int64] = [:]
  private var fences: [Fence: Int64] = [:]
  private var waits: [Wait: Int64] = [:]

  /// The number of jobs, fences and waits that had not ended.
  var openCount: Int { jobs.count + fences.count + waits.count }

  /// Records the start of a job on the hardware.
  mutating func runJob(_ identifier: Int64, ring: String, fence: JobFence, at time: Int64) {
    jobs[fence] = Job(ring: ring, identifier: identifier, start: time)
  }

  /// Records the end of a fence's job. A ring runs one job at a time, so a job submitted while another was running
  /// began when the other job finished.
  mutating func finishJob(fence: JobFence, at time: Int64) {
    guard let job = jobs.removeValue(forKey: fence) else { return unmatched() }
    let start = min(time, max(job.start, free[job.ring] ?? job.start))
    free[job.ring] = time
    add("\(job.ring): job \(job.identifier)", start, time, nil)
  }

  mutating func begin(_ fence: Fence, at time: Int64) { fences[fence] = time }

  mutating func signal(_ fence: Fence, at time: Int64) {
    guard let start = fences.removeValue(forKey: fence) else { return unmatched() }
    add("fence of \(fence.timeline)", start, time, nil)
  }

  mutating func beginWait(for fence: Fence, by thread: Int64, at time: Int64) {
    waits[Wait(thread: thread, fence: fence)] = time
  }

  mutating func endWait(for fence: Fence, by thread: Int64, at time: Int64) {
    guard let start = waits.removeValue(forKey: Wait(thread: thread, fence: fence)) else {
      return unmatched()
    }
    add("waits for a fence of \(fence.timeline)", start, time, thread)
  }

  private mutating func add(_ name: String, _ start: Int64, _ end: Int64, _ thread: Int64?) {
    slices.append(Slice(name: name, start: start, end: max(start, end), thread: thread))
  }

  private mutating func unmatched() { unmatchedEnds += 1 }
}

extension TraceBuilder {
  /// Adds GPU jobs, fences and waits for them as markers.
  mutating func addFences(_ fences: FenceEvents) {
    for slice in fences.slices {
      addMark(slice.name, slice.start, slice.end, process: nil, thread: slice.thread)
    }
    log.note(
      .brokenReference, .info, "ends of GPU jobs, fences and waits whose start was not recorded",
      count: fences.unmatchedEnds)
    log.note(
      .cutOff, .info, "GPU jobs, fences and waits that had not ended at the end of the recording",
      count: fences.openCount)
  }
}

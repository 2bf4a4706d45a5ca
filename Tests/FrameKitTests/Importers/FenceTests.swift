import Testing

@testable import Fixtures
@testable import FrameImporters
@testable import FrameTrace

/// What the GPU did, by the kernel's events.
@Suite struct FenceTests {
  /// A ring does one job after another: the second was submitted while the first was running. One
  /// finished job has no recorded start, and one is unfinished.
  @Test func jobsOfARingFollowEachOther() {
    var events = FenceEvents()
    events.runJob(1, ring: "gfx", fence: .address(0xa), at: 100)
    events.runJob(2, ring: "gfx", fence: .address(0xb), at: 110)
    events.runJob(3, ring: "compute", fence: .address(0xc), at: 120)
    events.finishJob(fence: .address(0xa), at: 200)
    events.finishJob(fence: .address(0xb), at: 260)
    events.finishJob(fence: .address(0xd), at: 300)
    #expect(
      events.slices.map { "\($0.name) \($0.start) \($0.end)" } == [
        "gfx: job 1 100 200", "gfx: job 2 200 260",
      ])
    #expect(events.unmatchedEnds == 1 && events.openCount == 1)
  }

  /// The same events from a Perfetto bundle.
  @Test func bundlesOfPerfettoAreRead() throws {
    var file = ProtobufText()
    file.add(1) { packet in
      packet.add(1) { bundle in
        let add = {
          (
            bundle: inout ProtobufText, time: Int64, field: Int,
            body: (inout ProtobufText) -> Void
          ) in
          bundle.add(2) { event in
            event.add(1, time)
            event.add(2, 9)
            event.add(field, body)
          }
        }
        add(&bundle, 1_000_000, 412) { job in
          job.add(2, 0xa)
          job.add(4, 71)
          job.add(6, "gfx")
        }
        add(&bundle, 3_000_000, 413) { $0.add(1, 0xa) }
        for (time, field) in [(1_500_000, 417), (3_100_000, 418)] as [(Int64, Int)] {
          add(&bundle, time, field) { fence in
            fence.add(1, 11)
            fence.add(3, 4)
            fence.add(4, "gfx")
          }
        }
      }
    }
    let trace = try Importers.read(InputFile(bytes: file.bytes))
    #expect(
      SystraceTests.markers(trace) == [
        "gfx: job 71 1000 3000 nil", "waits for a fence of gfx 1500 3100 9",
      ])
  }

  /// Since Linux 6.17, jobs name the number of their fence, both in Perfetto and as text.
  @Test func jobsOfNewerKernelsAreRead() throws {
    typealias Event = PerfettoSchema.FtraceEvent
    var file = ProtobufText()
    file.add(PerfettoSchema.Trace.packet) { packet in
      packet.add(PerfettoSchema.TracePacket.ftraceEvents) { bundle in
        bundle.add(PerfettoSchema.FtraceEventBundle.event) { event in
          event.add(Event.timestamp, 1_000_000)
          event.add(Event.drmSchedJobRun) { job in
            // gpu_scheduler.proto: name, job_count, hw_job_count, dev, fence_context, fence_seqno.
            job.add(1, "gfx_0.0.0")
            job.add(2, 0)
            job.add(3, 1)
            job.add(4, "0000:03:00.0")
            job.add(5, 312)
            job.add(6, 135)
          }
        }
        bundle.add(PerfettoSchema.FtraceEventBundle.event) { event in
          event.add(Event.timestamp, 3_000_000)
          event.add(Event.drmSchedJobDone) { job in
            job.add(1, 312)
            job.add(2, 135)
          }
        }
      }
    }
    let jobs = ["gfx_0.0.0: job 135 1000 3000 nil"]
    #expect(SystraceTests.markers(try Importers.read(InputFile(bytes: file.bytes))) == jobs)
    let text = """
      # tracer: nop
      kworker/u32:0-11 [001] ..... 0.001000: drm_sched_job_run: dev=0000:03:00.0, fence=312:135, ring=gfx_0.0.0, job count:0, hw job count:1, client_id:9
      <idle>-0 [009] d.h1. 0.003000: drm_sched_job_done: fence=312:135 signaled
      """
    #expect(SystraceTests.markers(try Importers.read(InputFile(bytes: Array(text.utf8)))) == jobs)
    let older = """
      # tracer: nop
      kworker/u32:0-11 [001] ..... 0.001000: drm_run_job: entity=0xffffa00d52574810, id=135, fence=0xffffa00d9baf9c40, ring=gfx_0.0.0, job count:0, hw job count:1
      <idle>-0 [009] d.h1. 0.003000: drm_sched_process_job: fence=0xffffa00d9baf9c40 signaled
      """
    #expect(SystraceTests.markers(try Importers.read(InputFile(bytes: Array(older.utf8)))) == jobs)
  }
}

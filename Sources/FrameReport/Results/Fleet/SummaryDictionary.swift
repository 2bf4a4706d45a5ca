/// A string that packed counts of `frametool.runs/3` are likely to repeat. Zstd refers to the string instead of
/// repeating it, which makes the line of a short run a quarter shorter.
///
/// Lines cannot be read with another string. Therefore any change, even of a space, needs another version of the
/// schema. Names of later metrics are written in full in each line.
enum SummaryDictionary {
  static let bytes = Array(text.utf8)

  private static let text = """
    "setup":{"present mode":"Hardware: Independent Flip","runtime":"DXGI","sync interval":"1","tearing allowed":"0"}
    "present mode":"Composed: Flip","clock":"trace clock of Chromium","clock":"QPC","jank_share":,"process":"
    "launches_ns":[],"launch_metrics":["coldLaunchTime","launchTime"],"latency":"touchToPhoton","latencies_ns":[
    {"metric":"coldLaunchTime","unit":"ms","n":
    {"metric":"launchTime","unit":"ms","n":
    {"metric":"touchToPhotonFrames","unit":"frames","n":
    {"metric":"inputAgeFrames","unit":"frames","n":
    {"metric":"effectiveLatencyFrames","unit":"frames","n":
    {"metric":"clickToPhoton","unit":"ms","n":
    {"metric":"inputToPhoton","unit":"ms","n":
    {"metric":"inputAge","unit":"ms","n":
    {"metric":"effectiveLatency","unit":"ms","n":
    {"metric":"scanDelivery","unit":"ms","n":
    {"metric":"scanInterval","unit":"ms","n":
    {"metric":"scanJitter","unit":"ms","n":
    {"metric":"touchToPhoton","unit":"ms","n":
    {"metric":"generatedPacing","unit":"ms","n":
    {"metric":"uiThreadBlocked","unit":"ms","n":
    {"metric":"frameOverrun","unit":"ms","n":
    {"metric":"videoBusy","unit":"ms","n":
    {"metric":"animationError","definition":"from the starts of the app's frames, by which it need not animate","unit":"ms","n":
    {"metric":"animationError","definition":"as the source states it","unit":"ms","n":
    {"metric":"appTime","unit":"ms","n":
    {"metric":"compositorTime","unit":"ms","n":
    {"metric":"cpuBusy","unit":"ms","n":
    {"metric":"cpuWait","unit":"ms","n":
    {"metric":"displayChange","definition":"display to display","unit":"ms","n":
    {"metric":"displayChange","definition":"as the source states it","unit":"ms","n":
    {"metric":"displayLatency","unit":"ms","n":
    {"metric":"displayedTime","definition":"from its display to its replacement","unit":"ms","n":
    {"metric":"displayedTime","definition":"from display to display","unit":"ms","n":
    {"metric":"frameTime","definition":"queued to queued","unit":"ms","n":
    {"metric":"frameTime","definition":"start to start","unit":"ms","n":
    {"metric":"frameTime","definition":"present to present","unit":"ms","n":
    {"metric":"frameTime","definition":"commit to commit","unit":"ms","n":
    {"metric":"gpuBusy","unit":"ms","n":
    {"metric":"gpuLatency","unit":"ms","n":
    {"metric":"gpuTime","definition":"as the source states it","unit":"ms","n":
    {"metric":"gpuTime","definition":"GPU start to GPU end","unit":"ms","n":
    {"metric":"gpuWait","definition":"as the source states it","unit":"ms","n":
    {"metric":"hitchTime","unit":"ms","n":
    {"metric":"presentInterval","definition":"as the source states it","unit":"ms","n":
    {"metric":"presentInterval","definition":"commit to commit","unit":"ms","n":
    {"metric":"presentLatency","unit":"ms","n":
    {"metric":"queueWait","unit":"ms","n":
    {"metric":"renderLatency","unit":"ms","n":
    {"metric":"startInterval","definition":"as the source states it","unit":"ms","n":
    {"metric":"startInterval","definition":"app start to app start","unit":"ms","n":
    "missing":1,"inferred":1,"n":,"sum":,"min":0,"max":,"zeros":,"above":0,"below":1},
    ],"definitions":{"averageFrameRate":"commit to commit",
    "onePercentLowAverage":"commit to commit",
    "onePercentLowIntegral":"commit to commit",
    "onePercentLowPercentile":"commit to commit",
    "pointOnePercentLowAverage":"present to present",
    "pointOnePercentLowIntegral":"present to present",
    "pointOnePercentLowPercentile":"present to present",
    },"run":{"surface":"wl_surface ","definition":"commit to commit",
    "refresh_ns":16666667,"refresh_source":"recorded","refreshes_kept":1,"start_ns":,"clock":"CLOCK_MONOTONIC",
    "on_grid":,"on_kept":,"exact_ms":{"p50":16.6,"p90":,"p95":,"p99":},"dropped_share":,"hitch_ratio":,
    "rates_fps":{"averageFrameRate":,"onePercentLowAverage":},
    "limits":{"gpu":0,"cpu":0,"limited":0,"display":0,"unknown":0},"setup":{"device":"","system":""},
    "blocks":[{"n":,"sum_ns":,"missed":0,"late_ns":0,"bins":1},
    {"n":,"sum_ns":,"missed":1,"late_ns":,"missed_locally":,"late_locally_ns":,"bins":
    """
}

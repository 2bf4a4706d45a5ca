/// Everything that programs use of frametool: `import FrameKit` gives all of it.
@_exported public import FrameAnalysis
@_exported public import FrameImporters
@_exported public import FrameReplay
@_exported public import FrameReport
@_exported public import FrameStatistics
@_exported public import FrameTrace
@_exported public import FrameVerdicts

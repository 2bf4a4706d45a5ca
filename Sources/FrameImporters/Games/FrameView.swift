/// CSV files of FrameView, NVIDIA's capture tool: PresentMon's columns among a hundred columns of FrameView.
///
/// Documentation: NVIDIA, "FrameView". Some of the columns in files from 2024 and 2025:
///
///     Application,GPU,CPU,…,TimeInSeconds,MsBetweenPresents,…,Render Queue Depth,MsPCLatency,GPU0Clk(MHz)
///
/// Times count from the start of FrameView, not of the capture; `MsPCLatency` is NA if the game has
/// no latency markers.
struct FrameView: PresentMonImporter {
  let tool = PresentMonHeader.Tool.frameView
  let name = "frameview"
  let title = "FrameView CSV"
  let versions = "1.3 to 1.6"
  let documentation = "https://www.nvidia.com/en-us/geforce/technologies/frameview/"
}

/// CSV files of OCAT, AMD's capture tool: PresentMon's columns of 1.x, and what the recording was made on in
/// the first row only.
///
/// Documentation: github.com/GPUOpen-Tools/ocat. Files of 1.3 and 1.4 were seen. Of
///
///     Application,…,MsUntilDisplayed,Motherboard,OS,…
///     game.exe,…,13.518,"MPG Z390",Windows 10 Pro,…
///     game.exe,…,20.021
///
/// both rows are frames, of a machine with that board.
struct OCAT: PresentMonImporter {
  let tool = PresentMonHeader.Tool.ocat
  let name = "ocat"
  let title = "OCAT CSV"
  let versions = "1.x"
  let documentation = "https://github.com/GPUOpen-Tools/ocat"
}

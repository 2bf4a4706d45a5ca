// swift-tools-version: 6.2
import PackageDescription

/// The one list of settings that every Swift target of this package is built with.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The modules of the library, each of which uses those before it; `FrameKit` gives them all.
let modules = [
  "FrameStatistics", "FrameTrace", "FrameImporters", "FrameAnalysis", "FrameVerdicts",
  "FrameReplay", "FrameReport",
]

/// The modules as dependencies.
///
/// A target that imports only `FrameKit` lists them all as dependencies. Otherwise, the package manager does not rebuild
/// it when one of them changes, and the two disagree on the layout of types.
let frameKit = modules.map(Target.Dependency.init)

/// The style and the script of pages; `PageScript` names the latter's modules in their order.
let page = [
  "page.css", "words.js", "server.js", "columns.js", "figures.js", "surface.js", "tracks.js",
  "overview.js", "picture.js", "inspector.js", "finder.js", "notes.js", "pair.js", "launches.js",
  "explorer.js", "comparison.js", "main.js",
]

let package = Package(
  name: "frametool",
  // The first system whose arrays have spans.
  platforms: [.macOS(.v26)],
  products: [
    .library(name: "FrameKit", targets: modules + ["FrameKit"]),
    .library(name: "FrameRecorder", targets: ["FrameRecorder"]),
    .executable(name: "frametool", targets: ["frametool"]),
  ],
  targets: [
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .systemLibrary(
      name: "CMinizip", pkgConfig: "minizip",
      providers: [.apt(["libminizip-dev"]), .brew(["minizip"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CXML", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
    // What is on Linux only is empty elsewhere.
    .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    .target(name: "CByteScan"),
    .target(name: "CDistributions"),
    .target(name: "CLaunch"),
    .target(name: "CProgram", dependencies: ["CSQLite", "CXML", "CZlib", "CZstd"]),
    .target(name: "CRelay"),
    .target(
      name: "CRemoteDesktop",
      dependencies: [.target(name: "CDBus", condition: .when(platforms: [.linux]))]),
    .target(
      name: "CX11Present",
      linkerSettings: ["xcb", "xcb-present", "xcb-record", "xcb-res"].map {
        .linkedLibrary($0, .when(platforms: [.linux]))
      }),
    .target(name: "FrameRecorder"),
    .target(
      name: "CGnuplot",
      linkerSettings: ["iostreams", "filesystem"].map {
        .linkedLibrary("boost_\($0)")
      }),
    .target(
      name: "FrameStatistics", dependencies: ["CDistributions"], swiftSettings: settings),
    .target(
      name: "FrameTrace",
      dependencies: [
        "CByteScan", "CMinizip", "CSQLite", "CXML", "CZlib", "CZstd", "FrameStatistics",
      ],
      swiftSettings: settings),
    .target(
      name: "FrameImporters", dependencies: ["FrameStatistics", "FrameTrace"],
      swiftSettings: settings),
    .target(
      name: "FrameAnalysis", dependencies: ["FrameStatistics", "FrameTrace"],
      swiftSettings: settings),
    .target(
      name: "FrameVerdicts", dependencies: ["FrameAnalysis", "FrameStatistics", "FrameTrace"],
      swiftSettings: settings),
    .target(
      name: "FrameReplay",
      dependencies: ["FrameAnalysis", "FrameStatistics", "FrameTrace", "FrameVerdicts"],
      swiftSettings: settings),
    .target(
      name: "FrameReport",
      dependencies: [
        "FrameAnalysis", "FrameImporters", "FrameReplay", "FrameStatistics", "FrameTrace",
        "FrameVerdicts",
      ],
      // What a page is made of is compiled in, so that the program is one file.
      resources: page.map { .embedInCode("Report/Page/\($0)") },
      swiftSettings: settings),
    // What people import: all of the above under one name, with the documentation.
    .target(
      name: "FrameKit",
      dependencies: frameKit,
      swiftSettings: settings),
    .target(name: "Fixtures", dependencies: frameKit + ["FrameKit"], swiftSettings: settings),
    .executableTarget(
      name: "frametool",
      dependencies: frameKit + [
        "CGnuplot", "CLaunch", "CProgram", "CRelay", "CRemoteDesktop", "CX11Present", "FrameKit",
        "Fixtures",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "benchmarks", dependencies: frameKit + ["FrameKit"], path: "Benchmarks",
      exclude: ["Speed/peers.py", "Speed/ratios.csv", "Speed/runs.py"], swiftSettings: settings),
    .testTarget(
      name: "FrameKitTests",
      dependencies: frameKit + [
        "FrameKit", "Fixtures", "FrameRecorder", "CSQLite", "CZlib", "CZstd",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "FrametoolTests", dependencies: frameKit + ["frametool", "FrameKit", "Fixtures"],
      swiftSettings: settings),
  ],
  cxxLanguageStandard: .cxx17
)

// What scripts/fuzz builds, with instruments that no other build has.
if Context.environment["FRAMETOOL_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "fuzz",
      dependencies: ["FrameAnalysis", "FrameImporters", "FrameReport", "FrameTrace"],
      path: "Fuzzing",
      swiftSettings: [.swiftLanguageMode(.v6), .unsafeFlags(["-parse-as-library"])]))
}

# Never tried: no macOS was at hand. Builds from source; place the sum of the archive before publishing.
class Frametool < Formula
  desc "Frame-timing analysis and benchmarking"
  homepage "https://example.org/frametool"
  url "https://example.org/frametool/archive/v0.2.0.tar.gz"
  sha256 "0" * 64
  license "MIT"

  depends_on "pkg-config" => :build
  depends_on xcode: ["26.0", :build]
  depends_on "boost"
  depends_on "gnuplot"
  depends_on "libxml2"
  depends_on "minizip"
  depends_on "sqlite"
  depends_on "zstd"

  resource "gnuplot-iostream" do
    url "https://raw.githubusercontent.com/dstahlke/gnuplot-iostream/master/gnuplot-iostream.h"
    sha256 "0" * 64
  end

  def install
    resource("gnuplot-iostream").stage { (buildpath/"include").install "gnuplot-iostream.h" }
    ENV.append_path "CPATH", buildpath/"include"
    ENV.append_path "LIBRARY_PATH", formula_opt_lib("boost")
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "frametool"
    bin.install ".build/release/frametool"
    generate_completions_from_executable(bin/"frametool", "completions")
    (man1/"frametool.1").write Utils.safe_popen_read(bin/"frametool", "help", "--man")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/frametool --version")
    system bin/"frametool", "generate", "steady-60", "-o", "a.jsonl"
    assert_match "none of 301 refreshes was dropped", shell_output("#{bin}/frametool analyze a.jsonl")
  end

  private

  def formula_opt_lib(name) = Formula[name].opt_lib
end

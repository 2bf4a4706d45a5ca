import CGnuplot

/// One run of gnuplot: the only place that calls into its C interface.
@safe struct GnuplotProcess: ~Copyable {
  /// How a run ended.
  struct End {
    /// The system's number of why it could not be started; 0 when it could.
    let failure: Int32
    let isStopped: Bool
    let signal: Int32
    let status: Int32
  }

  private let run: OpaquePointer

  /// - Returns: `nil` when there is no memory or no file for it.
  init?() {
    guard let run = unsafe gnuplot_begin() else { return nil }
    unsafe self.run = run
  }

  deinit { unsafe gnuplot_free(run) }

  /// The path that gnuplot has to write the picture to.
  var picturePath: String { unsafe String(cString: gnuplot_picture_path(run)) }

  /// Writes numbers for gnuplot to read.
  /// - Returns: The path under which gnuplot finds them; `nil` when they cannot be written.
  func add(_ numbers: [Double]) -> String? {
    unsafe numbers.withUnsafeBufferPointer { numbers in
      unsafe gnuplot_add_numbers(run, numbers.baseAddress, numbers.count)
        .map { unsafe String(cString: $0) }
    }
  }

  /// Runs the program with a script as its input, at most so long.
  /// - Parameter script: `nil` to ask for its version, which becomes the picture.
  func finish(_ program: String, _ script: String?, milliseconds: Int32) -> End {
    let end =
      if let script {
        unsafe gnuplot_finish(run, program, script, script.utf8.count, milliseconds)
      } else {
        unsafe gnuplot_finish(run, program, nil, 0, milliseconds)
      }
    return End(
      failure: end.failure, isStopped: end.timed_out != 0, signal: end.signal, status: end.status)
  }

  /// The bytes of the picture.
  var picture: [UInt8] {
    unsafe Array(unsafeUninitializedCapacity: gnuplot_picture_size(run)) { bytes, count in
      count = unsafe gnuplot_copy_picture(run, bytes.baseAddress, bytes.count)
    }
  }

  /// What gnuplot said.
  var messages: String {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: gnuplot_messages_size(run)) {
      bytes, count in
      count = unsafe gnuplot_copy_messages(run, bytes.baseAddress, bytes.count)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

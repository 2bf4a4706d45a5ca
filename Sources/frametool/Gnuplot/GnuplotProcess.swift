import CGnuplot

/// One run of gnuplot. This is the only code that calls its C interface.
@safe struct GnuplotProcess: ~Copyable {
  /// The result of a run.
  struct End {
    /// The error number if gnuplot could not be started; otherwise 0.
    let failure: Int32
    let isStopped: Bool
    let signal: Int32
    let status: Int32
  }

  private let run: OpaquePointer

  /// - Returns: `nil` if memory or a temporary file cannot be allocated.
  init?() {
    guard let run = unsafe gnuplot_begin() else { return nil }
    unsafe self.run = run
  }

  deinit { unsafe gnuplot_free(run) }

  /// The path to which gnuplot must write the picture.
  var picturePath: String { unsafe String(cString: gnuplot_picture_path(run)) }

  /// Writes numbers to a file for gnuplot.
  /// - Returns: The path of the file; `nil` if it cannot be written.
  func add(_ numbers: [Double]) -> String? {
    unsafe numbers.withUnsafeBufferPointer { numbers in
      unsafe gnuplot_add_numbers(run, numbers.baseAddress, numbers.count)
        .map { unsafe String(cString: $0) }
    }
  }

  /// Runs the program with a script as its input, with a time limit.
  /// - Parameter script: `nil` to query the version, which is then returned as the picture.
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

  /// The messages of gnuplot.
  var messages: String {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: gnuplot_messages_size(run)) {
      bytes, count in
      count = unsafe gnuplot_copy_messages(run, bytes.baseAddress, bytes.count)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The stream for what goes wrong.
enum StandardError {
    /// Writes a text at once, so that lines of several threads do not mix.
    static func print(_ text: String) {
        var text = text
        // Where nobody listens there is nobody to tell.
        text.withUTF8 { bytes in _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
    }
}

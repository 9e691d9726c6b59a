#if canImport(Darwin)
import Foundation

/// The deflate format (RFC 1951), by Foundation, which calls it zlib.
enum Deflate {
    /// The bytes compressed, without a header.
    static func data(of content: Data) throws(TransportError) -> Data {
        // The one block without anything in it; Foundation refuses to compress nothing.
        guard !content.isEmpty else { return Data([3, 0]) }
        do {
            return try (content as NSData).compressed(using: .zlib) as Data
        } catch {
            throw TransportError(.other, "The content of a request could not be compressed.")
        }
    }
}
#endif

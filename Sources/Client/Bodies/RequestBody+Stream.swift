public import Foundation
import LarderPromises

extension RequestBody {
    /// Sends what a sequence brings, such as bytes that another process writes or a video as it is encoded.
    ///
    /// ```swift
    /// .stream(exporter.parts, contentType: "text/csv")
    /// ```
    ///
    /// It is gathered first, up to 1 MiB in memory and what is longer in a temporary file without a name, and sent
    /// once it has ended: servers are told its length, and it can be sent again, to where a redirect leads
    /// or with another credential. What the sequence throws is the cause of
    /// ``ClientError/Reason/invalidRequest``. Cancelling ends the sequence; a timeout does not, as it begins with
    /// what is sent.
    ///
    /// A sequence that can be walked only once, such as an `AsyncStream`, is good for one request: where it is enqueued
    /// again, by then or at the same time, and brings nothing any more, or goes on where it has thrown, that is
    /// ``ClientError/Reason/invalidRequest``, and nothing is sent; so it is where it brings other bytes behind a walk that
    /// ended early, which can't be told from that. `AsyncStream`, `AsyncThrowingStream`, and what is mapped, filtered
    /// or dropped of them, are known again whatever body is made of them; others by the body, which is to be kept rather
    /// than made anew.
    public static func stream<Source: AsyncSequence & Sendable>(
        _ source: Source, contentType: String? = "application/octet-stream"
    ) -> RequestBody where Source.Element: DataProtocol {
        gathering(contentType, of: source) { buffer in
            for try await part in source {
                // Before anything else: what has left the sequence is in no other walk.
                for region in part.regions {
                    try region.withUnsafeBytes { bytes in try buffer.append(bytes) }
                }
                try Task.checkCancellation()
            }
        }
    }

    /// Sends what a sequence of single bytes brings, such as `URL.resourceBytes`; the rest is as with parts.
    public static func stream<Source: AsyncSequence & Sendable>(
        _ source: Source, contentType: String? = "application/octet-stream"
    ) -> RequestBody where Source.Element == UInt8 {
        gathering(contentType, of: source) { buffer in
            var part: [UInt8] = []
            part.reserveCapacity(partSize)
            var failure: (any Error)?
            do {
                for try await byte in source {
                    part.append(byte)
                    guard part.count == partSize else { continue }
                    try Task.checkCancellation()
                    try part.withUnsafeBytes { bytes in try buffer.append(bytes) }
                    part.removeAll(keepingCapacity: true)
                }
            } catch {
                failure = error
            }
            // What came before an error counts, too.
            try part.withUnsafeBytes { bytes in try buffer.append(bytes) }
            if let failure { throw failure }
        }
    }

    /// The number of single bytes that are gathered at once.
    private static let partSize = 16 << 10

    private static func gathering(
        _ contentType: String?, of source: some AsyncSequence,
        _ fill: @escaping @Sendable (inout BodyBuffer) async throws -> Void
    ) -> RequestBody {
        let sequence = WalkedSequence.of(source)
        return RequestBody(gather: {
            let whole = try await sequence.walking {
                var buffer = BodyBuffer(limit: .max, memoryLimit: FileContent.memoryLimit)
                var failure: (any Error)?
                do {
                    try await fill(&buffer)
                    // One that ends where it is cancelled has not come to its end.
                    try Task.checkCancellation()
                } catch {
                    failure = error
                }
                return (Result { try buffer.takeContent().data }, failure)
            }
            return .data(whole, contentType: contentType)
        })
    }
}

#if !canImport(Darwin)
import CLarderCurl
import Foundation

/// Decodes content in the `gzip` coding (RFC 1952) piece by piece.
///
/// libcurl would decode it too, but takes content that ends early for complete; here the end, the
/// CRC and the length in the trailer are checked, and the output is bounded as it grows.
final class GzipDecoder {
    // zlib keeps the address of its stream, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let limits: TransportLimits
    private var received = 0
    private var isAtEnd = true
    /// Whether a member has been decoded, behind which padding may follow.
    private var isPastMember = false

    init(limits: TransportLimits) throws(TransportError) {
        self.limits = limits
        stream = .allocate(capacity: 1)
        guard larder_gzip_open(stream) == Z_OK else {
            stream.deallocate()
            throw TransportError(.other, "zlib could not be started.")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Decodes `bytes` and appends what comes out to `body`.
    func decode(
        _ bytes: UnsafeRawBufferPointer, into body: inout BodyBuffer
    ) throws(TransportError) {
        received += bytes.count
        // What is decoded is counted by the buffer; an endless row of empty members, only here.
        guard received <= max(limits.maximumBodySize, 0) else {
            throw .limitExceeded("The content exceeds \(limits.maximumBodySize) bytes.")
        }
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: start.assumingMemoryBound(to: Bytef.self))
        stream.pointee.avail_in = uInt(bytes.count)
        // Output may still wait inside zlib when the space given was filled to its end.
        var isFull = false
        while stream.pointee.avail_in > 0 || isFull {
            if isAtEnd {
                // A file may hold several members one after the other.
                skipPadding()
                guard stream.pointee.avail_in > 0 else { return }
                inflateReset(stream)
                isAtEnd = false
            }
            try inflateOnce(into: &body)
            try checkRatio(of: body.count)
            isFull = stream.pointee.avail_out == 0 && !isAtEnd
        }
    }

    /// Passes over zeros and line breaks behind a member, which others ignore too.
    private func skipPadding() {
        guard isPastMember else { return }
        while stream.pointee.avail_in > 0, let byte = stream.pointee.next_in?.pointee,
            byte == 0 || byte == 10 || byte == 13
        {
            stream.pointee.next_in += 1
            stream.pointee.avail_in -= 1
        }
    }

    /// Refuses content that stopped in the middle.
    func finish() throws(TransportError) {
        guard isAtEnd else {
            throw TransportError(.truncatedBody, "The gzip content ended before its trailer.")
        }
    }

    private func inflateOnce(into body: inout BodyBuffer) throws(TransportError) {
        let stream = stream
        var status = Z_OK
        let room = min(max(Int(stream.pointee.avail_in) * 4, 4096), 1 << 20)
        try body.appendUninitialized(atLeast: room) { (space) throws(TransportError) -> Int in
            let space = UnsafeMutableRawBufferPointer(rebasing: space.prefix(Int(Int32.max)))
            stream.pointee.next_out = space.baseAddress?.assumingMemoryBound(to: Bytef.self)
            stream.pointee.avail_out = uInt(space.count)
            status = inflate(stream, Z_NO_FLUSH)
            return space.count - Int(stream.pointee.avail_out)
        }
        switch status {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END:
            isAtEnd = true
            isPastMember = true
        default:
            throw .malformedResponse("The gzip content is damaged.")
        }
    }

    private func checkRatio(of decoded: Int) throws(TransportError) {
        let ratio = max(limits.maximumCompressionRatio, 1)
        guard decoded > 1 << 20, decoded / ratio > received else { return }
        throw .limitExceeded("The content decodes to more than \(ratio) times its size.")
    }
}
#endif

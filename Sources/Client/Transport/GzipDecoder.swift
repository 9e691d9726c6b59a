#if !canImport(Darwin)
import CLarderCurl
import Foundation

/// Decodes the `gzip` coding (RFC 1952), and checks the CRC and the length in the trailer of each member.
final class GzipDecoder: ContentDecoder {
    // zlib keeps the address of its stream, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var isBehindMember = true
    /// Whether a member has been decoded, behind which padding may follow.
    private var isPastMember = false

    override var isAtEnd: Bool { isBehindMember }

    init(limits: TransportLimits, next: ContentDecoder? = nil) throws(TransportError) {
        stream = .allocate(capacity: 1)
        guard larder_gzip_open(stream) == Z_OK else {
            stream.deallocate()
            throw TransportError(.other, "zlib could not be started.")
        }
        super.init(within: limits, next: next)
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    override func decodeOnce(
        _ bytes: inout UnsafeRawBufferPointer, into body: inout BodyBuffer
    ) throws(TransportError) -> Bool {
        stream.pointee.next_in = bytes.baseAddress.map {
            UnsafeMutablePointer(mutating: $0.assumingMemoryBound(to: Bytef.self))
        }
        stream.pointee.avail_in = uInt(bytes.count)
        if isBehindMember {
            // A file may hold several members one after the other.
            skipPadding()
            guard stream.pointee.avail_in > 0 else { return false }
            inflateReset(stream)
            isBehindMember = false
        }
        try inflateOnce(into: &body)
        bytes = UnsafeRawBufferPointer(
            rebasing: bytes.suffix(Int(stream.pointee.avail_in)))
        // Output may still wait inside zlib when the space given was filled to its end.
        return !bytes.isEmpty || stream.pointee.avail_out == 0 && !isBehindMember
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

    private func inflateOnce(into body: inout BodyBuffer) throws(TransportError) {
        let stream = stream
        var status = Z_OK
        let room = Self.room(for: Int(stream.pointee.avail_in))
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
            isBehindMember = true
            isPastMember = true
        default:
            throw Self.damaged
        }
    }
}
#endif

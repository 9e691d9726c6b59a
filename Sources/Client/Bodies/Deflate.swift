#if !canImport(Darwin)
import CLarderCurl
import Foundation

/// The deflate format (RFC 1951), by zlib.
enum Deflate {
    /// The bytes compressed, without a header.
    static func data(of content: Data) throws(TransportError) -> Data {
        // zlib keeps the address of its stream, so it must not move.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        defer { stream.deallocate() }
        guard larder_deflate_open(stream) == Z_OK else { throw .uncompressed }
        defer { deflateEnd(stream) }
        var result = Data()
        let size = 64 << 10
        let room = UnsafeMutablePointer<Bytef>.allocate(capacity: size)
        defer { room.deallocate() }
        var status = Z_OK
        var rest = content[...]
        repeat {
            // zlib counts by 32 bits.
            let part = rest.prefix(1 << 30)
            rest = rest.dropFirst(part.count)
            let isLast = rest.isEmpty
            part.withUnsafeBytes { bytes in
                stream.pointee.next_in = UnsafeMutablePointer(
                    mutating: bytes.baseAddress?.assumingMemoryBound(to: Bytef.self))
                stream.pointee.avail_in = uInt(bytes.count)
                repeat {
                    stream.pointee.next_out = room
                    stream.pointee.avail_out = uInt(size)
                    status = deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                    result.append(room, count: size - Int(stream.pointee.avail_out))
                } while status == Z_OK && stream.pointee.avail_out == 0
            }
        } while !rest.isEmpty
        guard status == Z_STREAM_END else { throw .uncompressed }
        return result
    }
}

extension TransportError {
    fileprivate static var uncompressed: TransportError {
        TransportError(.other, "The content of a request could not be compressed.")
    }
}
#endif

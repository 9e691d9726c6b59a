import Foundation

extension RequestBody {
    /// The same content in the `gzip` coding (RFC 1952), which a server has to know.
    ///
    /// `Content-Encoding` is sent along. It is compressed whenever its request is built, however short it
    /// is; content below some hundred bytes gets longer. What comes out is in memory, also of a file.
    public func compressed() -> RequestBody {
        if isGathered { return RequestBody(gather: { try await gathered().compressed() }) }
        return RequestBody {
            var body = try encoded()
            body.data = try GzipMember.data(of: body.data)
            body.contentCoding = [body.contentCoding, "gzip"].compactMap(\.self)
                .joined(separator: ", ")
            return body
        }
    }
}

/// Content in the gzip format: a header, deflated bytes, their checksum and their number.
enum GzipMember {
    static func data(of content: Data) throws(TransportError) -> Data {
        // No name, no time, and an unknown system, so that the same content makes the same bytes.
        var member = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
        member.append(try Deflate.data(of: content))
        append(checksum(of: content), to: &member)
        append(UInt32(truncatingIfNeeded: content.count), to: &member)
        return member
    }

    private static func append(_ number: UInt32, to data: inout Data) {
        withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    }

    /// The CRC-32 of bytes (RFC 1952, section 8).
    static func checksum(of content: Data) -> UInt32 {
        content.withUnsafeBytes { bytes in
            table.withUnsafeBufferPointer { table in
                ~bytes.reduce(~UInt32(0)) { sum, byte in
                    table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ (sum >> 8)
                }
            }
        }
    }

    private static let table = (0..<256).map { (index: UInt32) in
        (0..<8).reduce(index) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
        }
    }
}

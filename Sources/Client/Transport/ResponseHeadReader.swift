import Foundation
import HTTPTypes

/// Collects the lines of a response's head, passes over interim responses, and reads the final one.
///
/// The last head is kept: a server that is asked again often answers with the same head, byte for byte, which
/// need not be read again then, or with most of the same lines.
struct ResponseHeadReader {
    private var limits = TransportLimits()
    private var bytes: [UInt8] = []
    private var bytesRead = 0
    /// The number of lines of the head that have been read.
    private var lineCount = 0
    private var last: LastHead?

    /// The final head, once the empty line behind it has been read.
    private(set) var head: ResponseHead?

    /// Whether anything of a response has come.
    var hasBegun: Bool { bytesRead > 0 }

    /// Whether the next line is that of the first field, or the end of a head without any.
    var isAtFirstField: Bool { lineCount == 1 }

    /// Starts over for another response.
    mutating func begin(limits: TransportLimits) {
        self.limits = limits
        bytes.removeAll(keepingCapacity: true)
        (bytesRead, lineCount) = (0, 0)
        head = nil
    }

    /// Takes one line with the line break at its end; lines behind the head are trailers, and only
    /// counted.
    mutating func read(_ line: UnsafeBufferPointer<UInt8>) throws(TransportError) {
        bytesRead += line.count
        guard bytesRead <= limits.maximumHeaderSize else {
            throw .limitExceeded("The header fields exceed \(limits.maximumHeaderSize) bytes.")
        }
        guard head == nil else { return }
        bytes.append(contentsOf: line)
        lineCount += 1
        if line.count <= 2, line.allSatisfy({ $0 == 13 || $0 == 10 }) { try finish() }
    }

    private mutating func finish() throws(TransportError) {
        if let last, last.bytes == bytes,
            last.head.message.headerFields.count <= limits.maximumHeaderFieldCount
        {
            head = last.head
            return
        }
        let head = try ResponseHead(parsing: bytes, limits: limits, like: last)
        guard head.message.status.code >= 200 else {
            guard head.message.status.code != 101 else {
                throw .malformedResponse("The server switched protocols unasked.")
            }
            bytes.removeAll(keepingCapacity: true)
            lineCount = 0
            return
        }
        if bytes.count <= 4096 { last = LastHead(bytes, head) }
        self.head = head
    }
}

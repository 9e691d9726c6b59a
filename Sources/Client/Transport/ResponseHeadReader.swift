import Foundation
import HTTPTypes

/// Collects the lines of a response's head, passes over interim responses, and reads the final one.
///
/// The last head is kept: a server that is asked again often answers with the same head, byte for byte, which
/// need not be read again then, or with most of the same lines.
struct ResponseHeadReader {
    private var limits = TransportLimits()
    /// The lines of the head, but for those that the last one begins with, too.
    private var bytes: [UInt8] = []
    private var bytesRead = 0
    /// The number of lines of the head that have been read.
    private var lineCount = 0
    private var last: ReadHead?
    /// The number of bytes at the last head's beginning that have come again; nil once others came.
    private var countAsBefore: Int?

    /// The final head in its bytes, once the empty line behind it has been read.
    private(set) var final: ReadHead?

    /// The final head.
    var head: ResponseHead? { final?.head }

    /// Whether anything of a response has come.
    var hasBegun: Bool { bytesRead > 0 }

    /// Whether the next line is that of the first field, or the end of a head without any.
    var isAtFirstField: Bool { lineCount == 1 }

    /// Whether no field of a head has come.
    var isBeforeFields: Bool { lineCount <= 1 }

    /// Starts over for another response.
    mutating func begin(limits: TransportLimits) {
        self.limits = limits
        bytesRead = 0
        final = nil
        beginHead()
    }

    private mutating func beginHead() {
        bytes.removeAll(keepingCapacity: true)
        lineCount = 0
        countAsBefore = last == nil ? nil : 0
    }

    /// Takes one line with the line break at its end; lines behind the head are trailers, and only
    /// counted.
    mutating func read(_ line: UnsafeBufferPointer<UInt8>) throws(TransportError) {
        bytesRead += line.count
        guard bytesRead <= limits.maximumHeaderSize else {
            throw .limitExceeded("The header fields exceed \(limits.maximumHeaderSize) bytes.")
        }
        guard final == nil else { return }
        lineCount += 1
        let isEnd = line.count <= 2 && line.allSatisfy { $0 == 13 || $0 == 10 }
        if let last, let count = countAsBefore, last.has(line, at: count) {
            countAsBefore = count + line.count
            if isEnd { try finish(as: last) }
        } else {
            noteDifference()
            bytes.append(contentsOf: line)
            if isEnd { try finish() }
        }
    }

    /// Takes over what has come of the last head, as this one is another.
    private mutating func noteDifference() {
        guard let last, let count = countAsBefore.take() else { return }
        bytes.append(contentsOf: last.bytes[..<count])
    }

    /// Ends a head that has begun as the last one.
    private mutating func finish(as last: ReadHead) throws(TransportError) {
        guard countAsBefore == last.bytes.count,
            last.head.message.headerFields.count <= limits.maximumHeaderFieldCount
        else {
            noteDifference()
            return try finish()
        }
        final = last
    }

    private mutating func finish() throws(TransportError) {
        let head = try ResponseHead(parsing: bytes, limits: limits, like: last)
        guard head.statusCode >= 200 else {
            guard head.statusCode != 101 else {
                throw .malformedResponse("The server switched protocols unasked.")
            }
            return beginHead()
        }
        let read = ReadHead(bytes, head)
        if bytes.count <= 4096 { last = read }
        final = read
    }
}

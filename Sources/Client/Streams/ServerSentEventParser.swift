import Foundation

/// Takes the bytes of an event stream as they come and gives its events (WHATWG HTML, section 9.2.6).
///
/// What isn't UTF-8 is replaced; an event that no blank line ends is none.
struct ServerSentEventParser: Sendable {
    /// The longest time that a server may have its clients wait, so that none is kept away for good.
    static let longestRetry = Duration.seconds(86_400)

    /// The most bytes of an event's lines.
    let maximumSize: Int

    /// The id that the next connection begins with.
    private(set) var lastEventID: String
    /// The time that the server has set to wait before the next connection.
    private(set) var reconnectionTime: Duration?

    /// The beginning of a line whose end is still to come.
    private var line: [UInt8] = []
    /// Whether a CR came last, to which a LF belongs.
    private var isPastCR = false
    private var isPastFirstLine = false
    /// The bytes of the lines of the event so far, without comments.
    private var size = 0
    /// The event's parts so far.
    private var (id, type, data): (String, String, String)
    private var retry: Duration?

    /// Creates a parser at the beginning of a stream.
    ///
    /// - Parameter lastEventID: The id that the connection has begun with.
    init(lastEventID: String = "", maximumSize: Int = .max) {
        self.lastEventID = lastEventID
        self.maximumSize = max(maximumSize, 0)
        (id, type, data) = (lastEventID, "", "")
    }

    /// Takes the bytes that follow, and adds the events that end in them.
    ///
    /// - Throws: `limitExceeded` at an event that is too large, once those before it have been added.
    mutating func parse(
        _ bytes: Data, into events: inout [ServerSentEvent]
    ) throws(TransportError) {
        var rest = bytes[...]
        while let first = rest.first {
            if isPastCR, first == 0x0A { rest = rest.dropFirst() }
            isPastCR = false
            guard let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { break }
            try hold(rest[..<end])
            isPastCR = rest[end] == 0x0D
            endLine(into: &events)
            rest = rest[(end + 1)...]
        }
        try hold(rest)
    }

    private mutating func hold(_ bytes: Data) throws(TransportError) {
        guard bytes.count <= maximumSize - size - line.count else {
            throw .limitExceeded("An event exceeds \(maximumSize) bytes.")
        }
        line.append(contentsOf: bytes)
    }

    private mutating func endLine(into events: inout [ServerSentEvent]) {
        var bytes = line[...]
        if !isPastFirstLine {
            isPastFirstLine = true
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        }
        if bytes.isEmpty {
            endEvent(into: &events)
        } else if bytes.first != UInt8(ascii: ":") {
            size += line.count
            take(bytes)
        }
        line.removeAll(keepingCapacity: true)
    }

    /// Takes a line that is a field.
    private mutating func take(_ line: ArraySlice<UInt8>) {
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var bytes = line[colon...].dropFirst()
        if bytes.first == UInt8(ascii: " ") { bytes = bytes.dropFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": type = String(decoding: bytes, as: UTF8.self)
        case "data": data += String(decoding: bytes, as: UTF8.self) + "\n"
        case "id" where !bytes.contains(0): id = String(decoding: bytes, as: UTF8.self)
        case "retry" where !bytes.isEmpty && bytes.allSatisfy({ (0x30...0x39).contains($0) }):
            let time = Int64(String(decoding: bytes, as: UTF8.self)).map(Duration.milliseconds)
            retry = min(time ?? Self.longestRetry, Self.longestRetry)
            reconnectionTime = retry
        default: break
        }
    }

    private mutating func endEvent(into events: inout [ServerSentEvent]) {
        lastEventID = id
        if !data.isEmpty {
            data.unicodeScalars.removeLast()
            events.append(
                ServerSentEvent(
                    id: id, event: type.isEmpty ? "message" : type, data: data, retry: retry))
        }
        (type, data, retry, size) = ("", "", nil, 0)
    }
}

import Foundation

/// Takes bytes as they come and gives lines, without the LF or CR LF that ends them.
///
/// What follows the last line break is a line, too, unless it is empty, and keeps a CR at its end.
struct LineSplitter: Sendable {
    /// The most bytes of a line, a CR at its end included.
    let maximumSize: Int
    /// The beginning of a line whose end is still to come.
    private var held = Data()

    init(maximumSize: Int = .max) {
        self.maximumSize = max(maximumSize, 0)
    }

    /// Takes the bytes that follow, and adds the lines that end in them.
    ///
    /// - Throws: `limitExceeded` at a line that is too long, once those before it have been added.
    mutating func split(
        _ bytes: Data, into lines: inout [Data]
    ) throws(TransportError) {
        var rest = bytes[...]
        while let end = rest.firstIndex(of: 0x0A) {
            try hold(rest[..<end])
            if held.last == 0x0D { held.removeLast() }
            lines.append(takeLine())
            rest = rest[(end + 1)...]
        }
        try hold(rest)
    }

    /// Adds the line that no line break ends, if there is one.
    mutating func finish(into lines: inout [Data]) {
        if !held.isEmpty { lines.append(takeLine()) }
    }

    private mutating func hold(_ bytes: Data) throws(TransportError) {
        guard bytes.count <= maximumSize - held.count else {
            held = Data()
            throw .limitExceeded("A line exceeds \(maximumSize) bytes.")
        }
        held.append(bytes)
    }

    private mutating func takeLine() -> Data {
        defer { held = Data() }
        return held
    }
}

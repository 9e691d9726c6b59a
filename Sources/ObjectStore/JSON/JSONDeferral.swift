/// An array of which a document keeps where it stands and not what it holds.
struct JSONDeferredArray {
    /// The node of the array.
    let node: Int
    /// The offset behind the opening bracket.
    let start: Int
    /// The offset behind the closing bracket.
    let end: Int
    /// The number of elements.
    let count: Int
}

/// The arrays that a parser has left for later, and the limit from which on it leaves them.
///
/// Elements of an array that gets longer than the limit are checked and forgotten one after the
/// other, so that the nodes of a document take little room however many elements there are. What
/// has been read of the file by then is released.
final class JSONDeferral {
    /// Up to this many bytes an array's elements stay on the tape.
    let limit: Int
    private(set) var arrays: [JSONDeferredArray] = []
    private let file: MappedFile
    private var released: Int

    /// The number of bytes that are read before they are released.
    private static let releaseSize = 2 << 20

    init(limit: Int, file: MappedFile, from position: Int = 0) {
        self.limit = limit
        self.file = file
        released = position
    }

    /// Forgets what lies behind a node, whose elements up to a position have been read.
    func forget(behind node: Int, upTo position: Int) {
        while let last = arrays.last, last.node > node { arrays.removeLast() }
        if position - released > Self.releaseSize {
            file.release(released..<position)
            released = position
        }
    }

    /// Gives back the memory of bytes that have been looked at.
    func release(_ range: Range<Int>) { file.release(range) }

    /// Keeps where an array stands instead of what it holds.
    func add(_ array: JSONDeferredArray) {
        forget(behind: array.node, upTo: array.end)
        arrays.append(array)
    }
}

extension JSONParser {
    /// Some of an array's elements, as an array of their own that begins at the first node.
    struct Elements {
        /// The nodes, which the caller must deallocate.
        let nodes: UnsafePointer<UInt64>
        let count: Int
        /// The offset of the element that follows, nil where the array ends.
        let next: Int?
    }

    /// Parses the elements of an array from the position on, until their text reaches a limit.
    ///
    /// - Parameter limit: How many bytes are enough; there is always one element.
    consuming func parseElements(limit: Int) throws(JSONError) -> Elements {
        // All is inlined into one loop over a variable of its own, as for a document.
        var parser = self
        do {
            let next = try parser.parseUntil(parser.position &+ limit)
            let count = Int(truncatingIfNeeded: (parser.nodes[0] &>> 32) & 0xFFF_FFFF)
            return Elements(nodes: UnsafePointer(parser.nodes), count: count, next: next)
        } catch {
            parser.nodes.deallocate()
            throw error
        }
    }

    @inline(__always)
    private mutating func parseUntil(_ limit: Int) throws(JSONError) -> Int? {
        let start = position
        outerLevels.append(level)
        floor = 1
        level = Level(node: 0, isObject: false, count: 1)
        append(0)
        append(0)
        while true {
            repeat {
                try parseValue()
            } while try parseSeparator()
            skipWhitespace()
            guard position < end else { throw error(.unexpectedEnd, isBehindValue: true) }
            let byte = bytes[position]
            guard byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") else {
                throw error(.unexpectedCharacter, isBehindValue: true)
            }
            position &+= 1
            if byte == UInt8(ascii: ",") && position < limit {
                level.count &+= 1
                continue
            }
            nodes[0] = JSONTape.container(.array, count: level.count, next: nodeCount)
            nodes[1] = JSONTape.extent(start..<position)
            return byte == UInt8(ascii: ",") ? position : nil
        }
    }
}

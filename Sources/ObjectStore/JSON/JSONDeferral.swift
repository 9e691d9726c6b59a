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

/// A note of what is read of a document by decoders, so that it is known what of it nobody has looked at.
final class JSONReadings {
    /// The offsets of the values that something is read of, once for each time.
    private var starts: [Int] = []
    /// The values that anything may have been read of.
    private var wholes: [Range<Int>] = []
    /// The types that have been read by decoders alone.
    private var decoded: Set<ObjectIdentifier> = []

    /// Notes that a type is read by decoders, which note what they read.
    func noteDecoding(of type: Any.Type) { decoded.insert(ObjectIdentifier(type)) }

    /// Whether a type has been read by decoders.
    func isDecoded(_ type: Any.Type) -> Bool { decoded.contains(ObjectIdentifier(type)) }

    /// Notes that a value is read, but not yet what is in it.
    func note(_ value: JSONValue) {
        starts.append(value.storage.offset(of: value.node))
    }

    /// Notes that anything in a value may be read.
    func noteWhole(_ value: JSONValue) {
        note(value)
        wholes.append(value.storage.range(of: value.node))
    }

    /// Those of some ranges in which nothing was read, none of them in another one.
    ///
    /// - Parameter own: The offsets of those who know what is read at each, which counts for nothing.
    func unread(_ ranges: some Sequence<Range<Int>>, besides own: [Int]) -> [Range<Int>] {
        let counts = own.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
        let starts = (starts + own).sorted()
        let wholes = wholes.sorted { $0.lowerBound < $1.lowerBound }
        // Values are in each other, or apart, so that one walk from front to back sees all.
        var (start, whole, end) = (0, 0, 0)
        var unread: [Range<Int>] = []
        for range in Set(ranges).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            while start < starts.count, starts[start] < range.lowerBound { start += 1 }
            while whole < wholes.count, wholes[whole].lowerBound <= range.lowerBound {
                end = max(end, wholes[whole].upperBound)
                whole += 1
            }
            var inside = start
            while inside < starts.count, starts[inside] == range.lowerBound { inside += 1 }
            let isRead =
                end > range.lowerBound
                || inside - start > 2 * (counts[range.lowerBound] ?? 0)
                || inside < starts.count && starts[inside] < range.upperBound
                || range.lowerBound < unread.last?.upperBound ?? 0
            if !isRead { unread.append(range) }
        }
        return unread
    }
}

extension JSONDocument.Storage {
    /// The offset of the first byte of a node's text in the document.
    func offset(of node: Int) -> Int { range(of: node).lowerBound }

    /// The place of a node's text in the document.
    func range(of node: Int) -> Range<Int> {
        let source = tape.source(node)
        let offset = source.baseAddress.map { $0 - bytes } ?? 0
        return offset..<offset + source.count
    }
}

package import Foundation

/// What is kept of a document beside the rows that its parts have become.
extension ImportSkeleton {
    /// What is left of a document where each part that only those who store have looked at is empty, and the
    /// skeleton with the places of the parts in that.
    ///
    /// - Parameters:
    ///   - value: A value of the document.
    ///   - limit: The most bytes that may be left; nil is returned of more.
    package func rest(
        of value: JSONValue, atMost limit: Int
    ) -> (skeleton: ImportSkeleton, document: Data)? {
        let storage = value.storage.document
        return withExtendedLifetime(storage) {
            let root = storage.range(of: 0)
            // Both brackets of each stay.
            let removed = unread.map { $0.lowerBound + 1..<$0.upperBound - 1 }
            guard root.count - removed.reduce(0, { $0 + $1.count }) <= limit else { return nil }
            var document = Data()
            var position = root.lowerBound
            for range in removed + [root.upperBound..<root.upperBound] {
                let piece = position..<range.lowerBound
                document.append(storage.bytes + piece.lowerBound, count: piece.count)
                position = range.upperBound
            }
            var skeleton = ImportSkeleton(parts: parts)
            var (index, shift) = (0, root.lowerBound)
            for part in parts.indices.sorted(by: { parts[$0].offset < parts[$1].offset }) {
                let offset = parts[part].offset
                while index < removed.count, removed[index].lowerBound <= offset {
                    shift += removed[index].count
                    index += 1
                }
                skeleton.parts[part] = Part(
                    offset: offset - shift, entity: parts[part].entity,
                    content: parts[part].content)
            }
            return (skeleton, document)
        }
    }
}

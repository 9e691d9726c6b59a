/// Where an object stands that says of itself that it is gone, for the error of one that can't go.
enum TombstonePlace {
    /// In the document that has arrived: its text, which is there when its tape has gone.
    case text(UnsafeBufferPointer<UInt8>)
    /// In what a transformer has made of an object.
    case made(path: String, transformer: String)
}

extension Mapper {
    /// The place of an object, of which the path is only looked for where it is asked for, unless a transformer has
    /// made it.
    func tombstonePlace(of node: Int) -> TombstonePlace {
        guard let origin else { return .text(tape.containerText(node)) }
        return .made(path: place(of: node), transformer: origin.transformer)
    }

    /// The error of the first object that is gone and can't go; nil where that can't be told.
    ///
    /// - Parameters:
    ///   - deletion: The deletion that has failed.
    ///   - rows: The rows that it was to delete.
    ///   - first: The number of tombstones that it had nothing to do with.
    func refusal(
        _ failure: WritingError, of deletion: Deletion, _ rows: [[Int64]], from first: Int
    ) -> MappingError? {
        guard let refused = try? deletion.rowsRefused(by: failure, of: rows) else { return nil }
        for (tombstone, place) in zip(memory.tombstones, tombstonePlaces).dropFirst(first) {
            guard let known = try? find(tombstone),
                refused[known.entity.family.members[0]]?.contains(known.row) == true,
                let (path, transformer) = self.path(of: place)
            else { continue }
            return MappingError(
                entity: known.entity.name, attribute: nil, path: path, file: document.filePath,
                reason: .notDeletable(failure), rewrittenBy: transformer)
        }
        return nil
    }

    private func path(of place: TombstonePlace) -> (path: String, transformer: String?)? {
        switch place {
        case .text(let text):
            guard let start = text.baseAddress,
                let path = try? document.path(toObjectAt: start, from: 0)
            else { return nil }
            return (path, nil)
        case .made(let path, let transformer):
            return (path, transformer)
        }
    }
}

extension JSONDocument.Storage {
    /// The path of the object whose text begins at an address, in a container or in what is parsed anew of it; nil
    /// where none does.
    fileprivate func path(
        toObjectAt start: UnsafePointer<UInt8>, from node: Int
    ) throws -> String? {
        guard tape.isContainer(node) else { return nil }
        let text = tape.containerText(node)
        guard let first = text.baseAddress, start >= first, start < first + text.count else {
            return nil
        }
        // Elements that are parsed by themselves begin where the first of them does.
        if tape.kind(node) == .object, start == first { return path(to: node) }
        if var batches = walk(through: node) {
            while let batch = try batches.batch() {
                if let path = try batch.path(toObjectAt: start, from: 0) { return path }
            }
            return nil
        }
        var child = tape.firstChild(node)
        while child < tape.next(node) {
            let value = tape.kind(node) == .object ? child + 1 : child
            if let found = try path(toObjectAt: start, from: value) { return found }
            child = tape.next(value)
        }
        return nil
    }
}

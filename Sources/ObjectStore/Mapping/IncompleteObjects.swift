/// Rows that lack something required, which the document may still bring.
struct IncompleteObjects {
    /// One of the rows.
    struct Object {
        let entity: EntityPlan
        let row: Int64
        let reason: MappingError.Reason
        fileprivate var place: Place

        /// Where the object stands in the document.
        func path(in storage: JSONDocument.Storage) -> String {
            switch place {
            case .node(let node): storage.path(to: node)
            case .path(let path): path
            }
        }
    }

    /// Where an object stands: on the tape that is being read, or on one before.
    fileprivate enum Place {
        case node(Int)
        case path(String)
    }

    private struct Key: Hashable {
        let entity: Int
        let row: Int64
    }

    private(set) var objects: [Object] = []

    mutating func append(
        _ row: Int64, of entity: EntityPlan, at node: Int, _ reason: MappingError.Reason
    ) {
        objects.append(Object(entity: entity, row: row, reason: reason, place: .node(node)))
    }

    mutating func removeAll() { objects.removeAll() }

    /// Keeps the paths of objects, whose tape is about to go, and each object once.
    mutating func leave(
        _ storage: JSONDocument.Storage, isComplete: (Object) throws -> Bool
    ) rethrows {
        guard !objects.isEmpty else { return }
        var seen: Set<Key> = []
        objects = try objects.compactMap { object in
            guard seen.insert(Key(entity: object.entity.index, row: object.row)).inserted,
                try !isComplete(object)
            else { return nil }
            var object = object
            object.place = .path(object.path(in: storage))
            return object
        }
    }
}

/// The errors of a document, each with its place.
extension Mapper {
    func unexpected(
        _ node: Int, _ expectation: String, entity: EntityPlan, field: Int?
    ) -> MappingError {
        let value = String(decoding: tape.source(node).prefix(64), as: UTF8.self)
        let found =
            switch tape.kind(node) {
            case .object: "an object"
            case .array: "an array"
            default: value
            }
        return error(
            node, entity: entity, field: field,
            .unexpectedValue(expected: expectation, found: found))
    }

    func error(
        _ node: Int, entity: EntityPlan, field: Int?, _ reason: MappingError.Reason
    ) -> MappingError {
        MappingError(
            entity: entity.name,
            attribute: field.map { entity.fieldName($0) },
            path: place(of: node), reason: reason, rewrittenBy: origin?.transformer,
            search: reason == .missing ? search(in: node, for: field, of: entity) : nil)
    }

    /// The error of a row that an object at a node can't be written to.
    func error(_ refusal: RowRefusal, of entity: EntityPlan, at node: Int) -> MappingError {
        let reason: MappingError.Reason =
            switch refusal {
            case .missingRow: .missing
            case .otherEntity(let other): .otherEntity(other.name)
            case .abstract: .abstract(value: nil)
            case .constraint(let message): .refused(message)
            }
        return error(node, entity: entity, field: nil, reason)
    }

    /// The key path that an object lacks, and the keys that it has.
    private func search(
        in node: Int, for field: Int?, of entity: EntityPlan
    ) -> MappingError.KeySearch? {
        guard tape.kind(node) == .object, let field,
            let key = entity.key(of: field)
        else { return nil }
        return MappingError.KeySearch(key: key, found: keys(of: node))
    }

    /// The first keys of an object.
    func keys(of object: Int) -> [String] {
        var keys: [String] = []
        var key = tape.firstChild(object)
        while key < tape.next(object), keys.count < 32 {
            keys.append(tape.string(key))
            key = tape.next(key + 1)
        }
        return keys
    }
}

@testable import LarderObjectStore

extension OracleProgram: CustomStringConvertible {
    /// The model and the steps, line by line, as one would write them down.
    var description: String {
        let model = entities.flatMap(Self.lines).map { "  \($0)" }
        let options =
            evictions.map {
                "  evicts \($0.entity) by \($0.attribute ?? "when it was fetched")"
                    + ($0.age.map { " older than \($0)" } ?? "")
                    + ($0.count.map { " keeping \($0)" } ?? "")
            } + (isUnchecked ? ["  links unchecked"] : [])
            + (shortcuts == .all ? [] : ["  shortcuts \(shortcuts.rawValue) of 15"])
            + (hasRules ? ["  with rules"] : [])
            + (longArray.map { ["  arrays of more than \($0) bytes in parts"] } ?? [])
        let steps = steps.enumerated().map { "  \($0): \($1)" }
        return (["model"] + model + options + ["steps"] + steps).joined(separator: "\n")
    }

    private static func lines(of entity: EntityDescription) -> [String] {
        var head = (entity.isAbstract ? "abstract " : "") + "entity \(entity.name)"
        if let parent = entity.parent { head += ": \(parent)" }
        if !entity.identity.isEmpty { head += ", identity \(entity.identity)" }
        if let transformer = entity.transformer { head += ", \(transformer.name)" }
        if let key = entity.tombstone { head += ", gone at \(key)" }
        if entity.hasFetchedAt { head += ", fetched at" }
        if let mapper = entity.mapper {
            let values = mapper.values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            head += ", \(mapper.key) picks \(values.joined(separator: ", "))"
        }
        return [head] + entity.attributes.map { "  \(line(of: $0))" }
            + entity.relationships.map { "  \(line(of: $0))" }
    }

    private static func line(of attribute: AttributeDescription) -> String {
        var line = "\(attribute.name): \(attribute.type.rawValue)\(attribute.isOptional ? "?" : "")"
        if attribute.key != attribute.name { line += " at \(attribute.key ?? "nothing")" }
        if let value = attribute.defaultValue { line += " = \(value)" }
        if attribute.transformer == .string { line += " from numbers too" }
        return line
    }

    private static func line(of relationship: RelationshipDescription) -> String {
        var line = "\(relationship.name): \(relationship.isToMany ? "many" : "one")"
        line += " \(relationship.destination)\(relationship.isOptional ? "?" : "")"
        if relationship.key != relationship.name { line += " at \(relationship.key ?? "nothing")" }
        if relationship.isOrdered { line += " ordered" }
        if let inverse = relationship.inverse { line += " inverse \(inverse)" }
        if relationship.deleteRule != .nullify { line += " delete \(relationship.deleteRule)" }
        if relationship.policy != .set { line += " policy \(relationship.policy)" }
        if relationship.isPartial { line += " partial" }
        return line
    }
}

extension OracleStep: CustomStringConvertible {
    var description: String {
        switch self {
        case .insert(let entity, let json): "insert \(entity) \(json.text)"
        case .insertEach(let entity, let elements):
            "insert what fits of \(entity) \(OracleJSON.array(elements).text)"
        case .complete(let entity, let json, let whole):
            "insert \(entity) \(json.text) as the whole of \(whole)"
        case .delete(let entity, let attribute, let value):
            "delete \(entity)" + (attribute.map { " where \($0) is \(value)" } ?? "")
        case .evict(let now): "evict at \(now)"
        case .save(let save):
            "save \(save.entity) \(save.values.sorted { $0.key < $1.key })"
                + " \(save.ones.sorted { $0.key < $1.key })"
                + " \(save.manys.sorted { $0.key < $1.key })"
        case .edit(let edit):
            "edit \(edit.entity) \(edit.identity) \(edit.relationship) \(edit.action)"
        case .update(let update):
            "update \(update.entity).\(update.attribute) \(update.change)"
                + (update.condition.map { " where \($0.attribute) is \($0.value)" } ?? "")
        case .transaction(let steps, let isTakenBack):
            "transaction\(isTakenBack ? ", taken back" : "") {\n"
                + steps.map { "    \($0)\n" }.joined() + "  }"
        case .reopen: "reopen"
        case .migrate(let changes): "migrate \(changes)"
        }
    }
}

@testable import LarderObjectStore

/// A model, objects of it, and another model that its store is opened with next.
struct RandomMigration {
    private var random: SplitMix64
    let old: [EntityDescription]
    let new: [EntityDescription]
    /// What differs, in words.
    let changes: [String]

    /// Makes three entities, the first of which may have two below it, and changes up to three things.
    init(seed: UInt64) {
        var model = RandomModel(random: SplitMix64(seed: seed))
        model.build()
        old = model.entities
        changes = (0...model.number(below: 3)).compactMap { _ in model.change() }
        new = model.entities
        random = model.random
    }

    /// The JSON of an object of an entity and of what it leads to.
    ///
    /// - Parameter entities: Those of the model that the JSON is for, the old one unless given.
    mutating func object(
        of name: String, in entities: [EntityDescription]? = nil, depth: Int = 2
    ) -> String {
        let lineage = EntityLineage(entities ?? old)
        guard var entity = lineage[name] else { return "null" }
        var members: [String] = []
        let below = lineage.family(below: name).dropFirst()
        if let mapper = entity.mapper, !below.isEmpty, chance(67),
            let kind = mapper.values.keys.sorted().randomElement(using: &random),
            let picked = mapper.values[kind].flatMap({ lineage[$0] })
        {
            members.append("\"\(mapper.key)\": \"\(kind)\"")
            entity = picked
        }
        let whole = lineage.flattened(entity)
        for attribute in whole.attributes {
            let mayLack =
                attribute.isOptional
                || attribute.defaultValue != nil && !whole.identity.contains(attribute.name)
            if mayLack, chance(40) { continue }
            members.append(
                "\"\(attribute.key ?? attribute.name)\": \(value(of: attribute.type))")
        }
        for relationship in whole.relationships where depth > 0 && chance(60) {
            guard let destination = lineage[relationship.destination].map(lineage.flattened) else {
                continue
            }
            let count = relationship.isToMany ? Int.random(in: 0..<4, using: &random) : 1
            let targets = (0..<count).map { _ in
                if destination.identity.count == 1, chance(50),
                    let attribute = destination.attribute(named: destination.identity[0])
                {
                    return value(of: attribute.type)
                }
                return object(of: destination.name, in: entities, depth: depth - 1)
            }.joined(separator: ", ")
            members.append(
                "\"\(relationship.key ?? relationship.name)\":"
                    + " \(relationship.isToMany ? "[\(targets)]" : targets)")
        }
        return "{\(members.joined(separator: ", "))}"
    }

    private mutating func chance(_ percentage: Int) -> Bool {
        Int.random(in: 0..<100, using: &random) < percentage
    }

    /// A value of a type, of few, so that objects meet.
    private mutating func value(of type: AttributeType) -> String {
        let number = Int.random(in: 0..<4, using: &random)
        let texts: [String] =
            switch type {
            case .integer: ["\(number)"]
            case .string: ["\"\(number)\"", "\"w\(number)\"", "\"true\""]
            case .double: ["\(number)", "\(number).5"]
            case .boolean: ["true", "false"]
            case .decimal: ["\(number)", "\(number).25"]
            case .date: ["\"2020-01-0\(number + 1)T00:00:00Z\""]
            case .url: ["\"https://e.x/\(number)\""]
            case .uuid: ["\"00000000-0000-0000-0000-00000000000\(number)\""]
            case .json: ["[\(number)]", "\"s\(number)\"", "\(number)", "true"]
            case .data: ["\"YQ==\""]
            }
        return texts.randomElement(using: &random) ?? "null"
    }
}

/// The entities that share a table: one without a parent and all below it.
///
/// Most entities are alone in theirs, and nothing here costs them anything.
struct EntityFamily: Sendable {
    /// The column that names the entity of a row's object; no property can have its name.
    static let entityColumn = "$entity"
    /// The column of rowids where no attribute is it; no property can have its name.
    static let rowidColumn = "$id"

    /// The name of the table, which is that of the entity all others come from.
    let tableName: String
    /// The name of the column that is the rowid.
    let rowidName: String
    /// The indices of the family's plans, the root first.
    let members: [Int]
    /// The names of the family's entities, the root first.
    let memberNames: [String]
    /// The indices of an entity's ancestors, the nearest first.
    let ancestors: [Int]
    /// The indices of an entity and those below it.
    let descendants: Set<Int>
    /// The names of the entities whose objects are an entity's too, nil where all of the table are.
    let concreteNames: [String]?
    /// The names of an entity and of those below it, abstract ones too: what stands in the rows of its
    /// objects and of references to them; nil where all of the table are.
    let rowNames: [String]?
    /// The names of the entities among which an identity is unique, and looked for, nil for all.
    ///
    /// Those that extend the identity are not among them: theirs is another one.
    let uniqueScope: [String]?
    /// Whether all members have one identity.
    let hasSharedIdentity: Bool

    /// The name of the table of when the family's objects were fetched, for entities of which that is kept; no
    /// other table can have it.
    var fetchTableName: String { "\(tableName).$fetched" }

    /// Whether an entity has its table for itself.
    var isAlone: Bool { members.count == 1 }
}

extension EntityFamily {
    /// Works out what an entity has to do with its relatives.
    init(of entity: EntityDescription, in lineage: EntityLineage, _ indices: [String: Int]) {
        let ancestors = lineage.ancestors(of: entity.name)
        let root = lineage.root(of: entity.name)
        let members = lineage.family(below: root).sorted {
            (lineage.ancestors(of: $0.name).count, $0.name)
                < (lineage.ancestors(of: $1.name).count, $1.name)
        }
        let descendants = lineage.family(below: entity.name)
        let concrete = descendants.filter { !$0.isAbstract }.map(\.name).sorted()
        let isShared = members.allSatisfy { $0.name == root || $0.identity.isEmpty }
        let owner = ([entity] + ancestors).first { !$0.identity.isEmpty }?.name
        tableName = root
        rowidName = Self.rowidName(of: members, isShared: isShared)
        self.members = members.compactMap { indices[$0.name] }
        memberNames = members.map(\.name)
        self.ancestors = ancestors.compactMap { indices[$0.name] }
        self.descendants = Set(descendants.compactMap { indices[$0.name] })
        concreteNames = concrete.count == members.count ? nil : concrete
        rowNames =
            descendants.count == members.count ? nil : descendants.map(\.name).sorted()
        hasSharedIdentity = isShared
        uniqueScope =
            isShared
            ? nil
            : lineage.family(below: owner ?? entity.name).map(\.name).filter { name in
                lineage.identityOwner(of: name) == owner
            }.sorted()
    }

    /// The identity where that is one whole number for all, else a column of its own, whose name no
    /// property can have.
    private static func rowidName(of members: [EntityDescription], isShared: Bool) -> String {
        if isShared, let root = members.first, root.identity.count == 1,
            let attribute = root.attribute(named: root.identity[0]), attribute.type == .integer,
            !attribute.isOptional
        {
            return attribute.name
        }
        return Self.rowidColumn
    }
}

extension EntityLineage {
    /// The nearest of an entity and its ancestors that names attributes of its identity.
    func identityOwner(of name: String) -> String? {
        ((self[name].map { [$0] } ?? []) + ancestors(of: name)).first { !$0.identity.isEmpty }?.name
    }
}

extension [String] {
    /// The names as a list of SQL: `('TextMessage', 'PictureMessage')`.
    var sqlList: String {
        "(\(map { SQLValue.text($0).literal }.joined(separator: ", ")))"
    }
}

/// An entity's mapper at work: the value at a key path names the entity of a new object.
struct EntityPicker: Sendable {
    private let key: NodePath
    private let entities: [String: Int]

    init(_ mapper: EntityMapper, _ indices: [String: Int]) {
        key = NodePath(mapper.key)
        entities = mapper.values.compactMapValues { indices[$0] }
    }

    /// The index of the plan that an object's JSON names, nil where it names none.
    func entity(of object: Int, in tape: JSONTape) -> Int? {
        value(of: object, in: tape).flatMap { entities[$0] }
    }

    /// The value that picks, as text.
    func value(of object: Int, in tape: JSONTape) -> String? {
        guard let node = key.node(in: object, tape) else { return nil }
        switch tape.kind(node) {
        case .plainString, .escapedString: return tape.string(node)
        case .integer, .decimal, .true, .false:
            return String(decoding: tape.text(node), as: UTF8.self)
        case .null, .array, .object: return nil
        }
    }
}

/// The entities that JSON can lead to from each one, over the relationships that have keys.
final class EntityReach {
    private let lineage: EntityLineage
    /// The entities that each one's relationships lead to; where an entity may stand, those below it
    /// may too.
    private let destinations: [[Int]]
    /// The entities found so far, by the name of the one where the way starts.
    private var reached: [String: [Bool]] = [:]

    init(_ entities: [EntityDescription]) {
        let lineage = EntityLineage(entities)
        self.lineage = lineage
        destinations = entities.map { entity in
            let names = ([entity] + lineage.ancestors(of: entity.name)).flatMap(\.relationships)
                .filter { $0.key != nil }.map(\.destination)
            return Set(names.flatMap(lineage.indices(below:))).sorted()
        }
    }

    /// Whether relationships lead from an entity to another, one below it or one that it is below.
    func leads(from start: String, to goal: String) -> Bool {
        let reached = reached(from: start)
        let goals = lineage.indices(below: goal) + lineage.indices(above: goal)
        return goals.contains { reached[$0] }
    }

    private func reached(from start: String) -> [Bool] {
        if let known = reached[start] { return known }
        var reached = Array(repeating: false, count: destinations.count)
        var open = lineage.indices(below: start)
        for index in open { reached[index] = true }
        while let index = open.popLast() {
            for next in destinations[index] where !reached[next] {
                reached[next] = true
                open.append(next)
            }
        }
        self.reached[start] = reached
        return reached
    }
}

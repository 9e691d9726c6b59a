@testable import LarderObjectStore

/// What becomes of a world where a document is the whole of something: what was there of it before, is of
/// it still, and is not named, goes.
struct OracleVanishing {
    private(set) var world: OracleWorld
    private(set) var deletedCount = 0

    private var schema: OracleSchema { world.schema }

    init(_ world: OracleWorld) { self.world = world }

    mutating func complete(
        _ json: OracleJSON, as entity: String, _ whole: OracleWhole
    ) throws {
        let candidates = Set(objects(in: whole.scope))
        var rules = OracleImport(world)
        rules.listOwner = listOwner(of: whole.scope)
        let listed = try rules.map(document: json, as: entity)
        world = rules.world
        deletedCount = rules.tally.report.values.map(\.deleted).reduce(0, +)
        if case .array(let elements) = json {
            rules.lists.formUnion(elements.isEmpty ? schema.names : [entity])
        }
        let destination = destination(of: whole.scope)
        let hasList = rules.lists.contains { schema.isEntity(destination, $0) }
        let isList = hasList && whole.isWhole
        let named = Set(rules.named)
        let vanished =
            isList
            ? Set(objects(in: whole.scope)).intersection(candidates).subtracting(named) : []
        guard case .linked(let owner, let identity, let name) = whole.scope else {
            return try delete(vanished)
        }
        guard let relationship = schema[owner].manys.first(where: { $0.name == name }) else {
            return
        }
        let isArray = if case .array = json { true } else { false }
        // What stands beside a list is not in it.
        let elements = isArray || !hasList ? listed : []
        let links = elements.filter {
            world.objects[$0] != nil && schema.isEntity(world.entity(of: $0).name, destination)
        }
        if !isList, links.isEmpty { return }
        if links.isEmpty, vanished.isEmpty { return }
        var saving = OracleSaving(world)
        let object = try saving.findOrRefer(to: identity, as: owner)
        world = saving.world
        guard isList else {
            let linked = world.linked(relationship, of: object)
            // The owner, as a single object, is no list that it stands in.
            let others = links.filter { !linked.contains($0) && (isArray || $0 != object) }
            return others.isEmpty ? () : try set(linked + others, relationship, object)
        }
        let shared = vanished.filter { isShared($0, relationship, besides: object) }
        try delete(vanished.subtracting(shared))
        guard world.objects[object] != nil else { return }
        // The owner may have turned out to be of the entity, too, and be in the list.
        let whole = elements.filter {
            world.objects[$0] != nil && schema.isEntity(world.entity(of: $0).name, destination)
        }
        let others = world.linked(relationship, of: object).filter {
            !whole.contains($0) && !shared.contains($0)
        }
        try set(whole + others, relationship, object)
    }

    private mutating func set(
        _ objects: [Int], _ relationship: OracleSchema.Relationship, _ owner: Int
    ) throws {
        var saving = OracleSaving(world)
        try saving.set(objects, in: relationship, of: owner)
        world = saving.world
    }

    private mutating func delete(_ objects: Set<Int>) throws {
        guard !objects.isEmpty else { return }
        let deletion = try OracleDeletion(of: objects, in: world)
        world = deletion.world
        deletedCount += deletion.gone.count
    }

    /// Whether another owner links an object by a relationship that gives it several.
    private func isShared(
        _ object: Int, _ relationship: OracleSchema.Relationship, besides owner: Int
    ) -> Bool {
        guard schema.column(of: relationship) == nil else { return false }
        return world.lists[relationship.key, default: [:]].contains {
            $0.key != owner && $0.value.contains(object)
        }
    }

    private func listOwner(of scope: OracleWhole.Scope) -> OracleImport.ListOwner? {
        guard case .linked(let owner, let identity, let name) = scope,
            let relationship = schema[owner].manys.first(where: { $0.name == name }),
            let column = schema.column(of: relationship), !column.description.isOptional
        else { return nil }
        return .init(column: column, entity: owner, identity: identity)
    }

    private func destination(of scope: OracleWhole.Scope) -> String {
        switch scope {
        case .found(let entity, _, _): entity
        case .linked(let owner, _, let name):
            schema[owner].manys.first { $0.name == name }?.destination ?? owner
        }
    }

    private func objects(in scope: OracleWhole.Scope) -> [Int] {
        switch scope {
        case .found(let entity, let attribute, let value):
            return Array(world.found(entity, where: attribute, is: value))
        case .linked(let entity, let identity, let name):
            guard let owner = OracleSaving(world).find(identity, as: schema[entity]),
                let relationship = schema[entity].manys.first(where: { $0.name == name })
            else { return [] }
            return world.linked(relationship, of: owner)
        }
    }
}

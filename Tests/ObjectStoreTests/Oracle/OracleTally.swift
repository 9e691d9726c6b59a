@testable import LarderObjectStore

/// What a document has done, where each object counts once, as what says most; or a call, where each
/// change counts.
struct OracleTally {
    /// Whether each change counts.
    private let isAdditive: Bool
    enum Kind: Int {
        case unchanged
        case updated
        case inserted
    }

    private var kinds: [Int: (kind: Kind, entity: String)] = [:]
    private var counts: [String: ImportReport.Counts] = [:]

    init(isAdditive: Bool = false) { self.isAdditive = isAdditive }

    /// The counts by entity, without those of entities that were left alone.
    var report: [String: ImportReport.Counts] { counts.filter { $0.value != .init() } }

    mutating func note(_ object: Int, _ kind: Kind, in world: OracleWorld) {
        var kind = kind
        if let before = kinds[object], !isAdditive {
            count(before.kind, before.entity, -1)
            if before.kind.rawValue > kind.rawValue { kind = before.kind }
        }
        let entity = world.entity(of: object).name
        kinds[object] = (kind, entity)
        count(kind, entity, 1)
    }

    /// Takes back what was counted of an object; true where it was inserted.
    mutating func withdraw(_ object: Int) -> Bool {
        guard let before = kinds.removeValue(forKey: object) else { return false }
        count(before.kind, before.entity, -1)
        return before.kind == .inserted
    }

    mutating func noteDeleted(_ object: Int, in world: OracleWorld) {
        kinds[object] = nil
        counts[world.entity(of: object).name, default: .init()].deleted += 1
    }

    mutating func noteLinks(linked: Int, unlinked: Int, of owner: Int, in world: OracleWorld) {
        noteLinks(linked: linked, unlinked: unlinked, of: world.entity(of: owner).name)
    }

    mutating func noteLinks(linked: Int, unlinked: Int, of entity: String) {
        counts[entity, default: .init()].linked += linked
        counts[entity, default: .init()].unlinked += unlinked
    }

    private mutating func count(_ kind: Kind, _ entity: String, _ change: Int) {
        switch kind {
        case .inserted: counts[entity, default: .init()].inserted += change
        case .updated: counts[entity, default: .init()].updated += change
        case .unchanged: counts[entity, default: .init()].unchanged += change
        }
    }
}

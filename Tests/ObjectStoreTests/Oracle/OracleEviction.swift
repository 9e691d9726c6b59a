@testable import LarderObjectStore

/// Lets go of what is old, as far as the rules allow it: the largest part of what is due that can go
/// together.
struct OracleEviction {
    private(set) var world: OracleWorld
    /// How many objects have gone, by entity.
    private(set) var counts: [String: Int] = [:]

    init(_ evictions: [Eviction], now: Double, in world: OracleWorld) throws {
        self.world = world
        for eviction in evictions {
            var due = due(by: eviction, now: now)
            while true {
                let gone = OracleDeletion.followers(of: due, in: self.world)
                let violations = OracleDeletion.violations(gone, in: self.world)
                let held = due.filter { object in
                    !OracleDeletion.followers(of: [object], in: self.world)
                        .isDisjoint(with: violations)
                }
                if held.isEmpty { break }
                due.subtract(held)
            }
            let deletion = try OracleDeletion(of: due, in: self.world)
            for object in deletion.gone {
                counts[self.world.entity(of: object).name, default: 0] += 1
            }
            self.world = deletion.world
        }
    }

    private func due(by eviction: Eviction, now: Double) -> Set<Int> {
        let objects = world.objects.keys.filter {
            world.schema.isEntity(world.entity(of: $0).name, eviction.entity)
                && world.isComplete($0)
        }
        func date(_ object: Int) -> Double? {
            guard let attribute = eviction.attribute else {
                return world.objects[object]?.fetched.map(Double.init)
            }
            if case .real(let date)? = world.objects[object]?.values[attribute] { return date }
            return nil
        }
        var due: Set<Int> = []
        if let age = eviction.age {
            due = Set(objects.filter { date($0).map { $0 < now - age / .seconds(1) } ?? false })
        }
        if let count = eviction.count {
            let youngest = objects.sorted {
                (date($0) ?? -.infinity, world.rank($0)) > (date($1) ?? -.infinity, world.rank($1))
            }
            due.formUnion(youngest.dropFirst(count))
        }
        return due
    }
}

@testable import LarderObjectStore

/// What becomes of a world where objects are deleted together.
struct OracleDeletion {
    private(set) var world: OracleWorld
    /// All that goes.
    private(set) var gone: Set<Int>
    /// Objects that stay and lose what a to-one relationship led to.
    private(set) var emptied: Set<Int> = []
    /// Those of them that must have had it.
    private(set) var lacking: Set<Int> = []
    /// How many links relationships of their own lose, by the entity that has them.
    private(set) var unlinked: [String: Int] = [:]

    /// Deletes objects and what cascades from them.
    ///
    /// - Parameter mayComplete: Whether objects may be left without what they must have.
    /// - Throws: `OracleRefusal` where a rule denies it, or an object would be left without what it
    ///   must have.
    init(
        of objects: Set<Int>, in world: OracleWorld, mayComplete: Bool = false
    ) throws(OracleRefusal) {
        self.world = world
        gone = Self.followers(of: objects, in: world)
        let violations =
            mayComplete ? Self.denials(gone, in: world) : Self.violations(gone, in: world)
        if let violation = violations.first {
            throw OracleRefusal("deleting \(violation) is denied")
        }
        for (key, object) in world.objects where !gone.contains(key) {
            for (name, destination) in object.ones where gone.contains(destination) {
                self.world.objects[key]?.ones[name] = nil
                emptied.insert(key)
                let relationship = world.schema[object.entity].ones.first { $0.name == name }
                if relationship?.description.isOptional == false { lacking.insert(key) }
            }
        }
        unlinked = Self.unlinked(by: gone, in: world)
        self.world.remove(gone)
    }

    /// How many links lead to what goes; one that a relationship and its inverse share counts once.
    private static func unlinked(by gone: Set<Int>, in world: OracleWorld) -> [String: Int] {
        var unlinked: [String: Int] = [:]
        var counted: Set<[String]> = []
        for name in world.schema.names {
            for relationship in world.schema[name].manys
            where world.schema.column(of: relationship) == nil {
                let inverse = world.schema.inverse(of: relationship)?.key ?? relationship.key
                let isForward = relationship.key <= inverse
                for (owner, object) in world.objects where object.entity == name {
                    for target in world.linked(relationship, of: owner) where gone.contains(target)
                    {
                        let link = isForward ? [owner, target] : [target, owner]
                        let key = [min(relationship.key, inverse)] + link.map(String.init)
                        if counted.insert(key).inserted { unlinked[name, default: 0] += 1 }
                    }
                }
            }
        }
        return unlinked
    }

    /// Objects and all that goes with them.
    static func followers(of objects: Set<Int>, in world: OracleWorld) -> Set<Int> {
        var all = objects
        var next = Array(objects)
        while let object = next.popLast() {
            for relationship in world.entity(of: object).relationships
            where relationship.description.deleteRule == .cascade {
                for other in world.linked(relationship, of: object)
                where all.insert(other).inserted {
                    next.append(other)
                }
            }
        }
        return all
    }

    /// The objects of a set that keep it from going: those whose own rule denies it, and those that
    /// one that stays can't be without.
    static func violations(_ gone: Set<Int>, in world: OracleWorld) -> Set<Int> {
        var violations = denials(gone, in: world)
        for (key, object) in world.objects where !gone.contains(key) {
            for relationship in world.schema[object.entity].ones
            where !relationship.description.isOptional {
                if let destination = object.ones[relationship.name], gone.contains(destination) {
                    violations.insert(destination)
                }
            }
        }
        return violations
    }

    /// The objects of a set whose own rule denies that it goes.
    private static func denials(_ gone: Set<Int>, in world: OracleWorld) -> Set<Int> {
        var denials: Set<Int> = []
        for object in gone {
            for relationship in world.entity(of: object).relationships
            where relationship.description.deleteRule == .deny
                && world.linked(relationship, of: object).contains(where: { !gone.contains($0) })
            {
                denials.insert(object)
            }
        }
        return denials
    }
}

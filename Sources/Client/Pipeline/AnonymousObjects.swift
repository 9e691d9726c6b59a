import LarderObjectStore
import LarderPromises
import Logging

/// Notices objects without an identity that arrive again, by themselves or in others, where they are added
/// once more.
final class AnonymousObjects: Sendable {
    /// The entities that no attribute identifies.
    private let entities: Set<String>
    /// The relationships whose arrays leave behind those that they had before.
    private let nestings: [Nesting]
    private let logger: Logger
    /// The entities whose objects have arrived, each with whether that has been logged.
    private let arrived = Guarded<[String: Bool]>([:])
    /// The relationships of which that has been logged.
    private let loggedNestings = Guarded<Set<String>>([])

    /// A to-many relationship that leads to such objects, and replaces none.
    private struct Nesting: Sendable {
        /// The entity that declares it, and its name.
        let name: String
        /// The entities that have it.
        let owners: [String]
        /// The entities of what it leads to.
        let destinations: [String]

        /// Whether objects have fallen out of its arrays, as far as a report tells, and others come.
        func isRenewed(by report: ImportReport) -> Bool {
            destinations.contains { report[$0].inserted > 0 }
                && owners.contains { report[$0].unlinked > 0 }
        }
    }

    init(of model: Model, logger: Logger) {
        let entities = Set(model.entities.filter { !model.isIdentified($0) }.map(\.name))
        self.entities = entities
        nestings = model.entities.flatMap { owner in
            owner.relationships.filter {
                $0.isToMany && $0.key != nil && $0.policy == .set
                    && entities.contains($0.destination)
            }.map { relationship in
                Nesting(
                    name: "\(owner.name).\(relationship.name)",
                    owners: model.names(below: owner.name),
                    destinations: model.names(below: relationship.destination)
                        .filter(entities.contains))
            }
        }
        self.logger = logger
    }

    /// Takes note of what a response was stored as.
    ///
    /// - Parameter isReplacing: Whether a list's objects take the place of those that were there.
    func note<Value>(_ type: Value.Type, _ report: ImportReport, isReplacing: Bool = false) {
        guard !entities.isEmpty else { return }
        if !isReplacing { noteElements(of: type, report) }
        for nesting in nestings where nesting.isRenewed(by: report) {
            guard loggedNestings.withLock({ $0.insert(nesting.name).inserted }) else { continue }
            logger.warning(
                """
                \(nesting.name) leads to objects without an identity, so each response adds them \
                anew, and those of before stay without their owner; 'policy: .replace' deletes them.
                """)
        }
    }

    private func noteElements<Value>(of type: Value.Type, _ report: ImportReport) {
        guard let entity = Self.entity(of: type), entities.contains(entity),
            let counts = report.entities[entity], counts.inserted > 0
        else { return }
        let isToBeSaid = arrived.withLock { arrived in
            defer { arrived[entity] = arrived[entity] != nil }
            return arrived[entity] == false
        }
        guard isToBeSaid else { return }
        logger.warning(
            """
            \(entity) has no identity, so each response adds its objects anew; \
            '@Identity' at what tells them apart makes them the same.
            """)
    }

    private static func entity(of type: Any.Type) -> String? {
        if let type = type as? any Entity.Type { return type.entityName }
        return (type as? any ObjectContainer.Type).flatMap { entity(of: $0.content) }
    }
}

extension Model {
    /// Whether an entity or one of its ancestors names what identifies its objects.
    fileprivate func isIdentified(_ entity: EntityDescription) -> Bool {
        if !entity.identity.isEmpty { return true }
        guard let parent = entity.parent.flatMap({ self[entity: $0] }) else { return false }
        return isIdentified(parent)
    }

    /// The names of an entity and of all below it.
    fileprivate func names(below name: String) -> [String] {
        [name] + entities.filter { $0.parent == name }.flatMap { names(below: $0.name) }
    }
}

/// A type whose values are made of others.
private protocol ObjectContainer {
    static var content: Any.Type { get }
}

extension Optional: ObjectContainer {
    fileprivate static var content: Any.Type { Wrapped.self }
}

extension Array: ObjectContainer {
    fileprivate static var content: Any.Type { Element.self }
}

extension Many: ObjectContainer {
    fileprivate static var content: Any.Type { Element.self }
}

extension LossyList: ObjectContainer {
    fileprivate static var content: Any.Type { Element.self }
}

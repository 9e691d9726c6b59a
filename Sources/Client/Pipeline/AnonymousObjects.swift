import LarderObjectStore
import LarderPromises
import Logging

/// Notices objects without an identity that arrive again, where they are added once more.
final class AnonymousObjects: Sendable {
    /// The entities that no attribute identifies.
    private let entities: Set<String>
    private let logger: Logger
    /// The entities whose objects have arrived, each with whether that has been logged.
    private let arrived = Guarded<[String: Bool]>([:])

    init(of model: Model, logger: Logger) {
        entities = Set(model.entities.filter { !model.isIdentified($0) }.map(\.name))
        self.logger = logger
    }

    /// Takes note of what a response was stored as.
    func note<Value>(_ type: Value.Type, _ report: ImportReport) {
        guard !entities.isEmpty, let entity = Self.entity(of: type), entities.contains(entity),
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

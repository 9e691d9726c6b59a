import Foundation

@testable import LarderObjectStore

/// Which of a model's entities a slot stands for.
protocol OraclePlace: Sendable {
    static var index: Int { get }
}

enum OraclePlace0: OraclePlace { static let index = 0 }
enum OraclePlace1: OraclePlace { static let index = 1 }
enum OraclePlace2: OraclePlace { static let index = 2 }
enum OraclePlace3: OraclePlace { static let index = 3 }
enum OraclePlace4: OraclePlace { static let index = 4 }
enum OraclePlace5: OraclePlace { static let index = 5 }
enum OraclePlace6: OraclePlace { static let index = 6 }
enum OraclePlace7: OraclePlace { static let index = 7 }

/// An object of an entity that is only known at run time: what is written and read by type goes by it.
struct OracleSlot<Place: OraclePlace>: Entity {
    /// Columns by name.
    struct Columns: EntityColumns {
        private let path: ColumnPath

        init(path: ColumnPath) { self.path = path }

        subscript(one name: String) -> ToOneColumn<OracleSlot> { ToOneColumn(path, name) }
        subscript(many name: String) -> ToManyColumn<OracleSlot> { ToManyColumn(path, name) }

        subscript<Value: AttributeValue>(
            name: String, as type: Value.Type
        ) -> Column<Value> { Column(path, name) }
    }

    static var entityName: String { entityDescription.name }
    static var entityDescription: EntityDescription { OracleSlots.descriptions[Place.index] }

    /// What it is to hold; nil for one that was read.
    let save: OracleSave?

    /// Whether at most one whole number of it is 2.
    private let keepsRules: Bool

    static var rules: [Rule<OracleSlot>] { [Rule("at most one 2") { $0.keepsRules }] }

    init(_ save: OracleSave) {
        self.save = save
        keepsRules = true
    }

    /// Reads what an object must have, as a type would.
    init(row: EntityRow) throws {
        save = nil
        let entity = Self.entityDescription
        var twos = 0
        for (index, attribute) in entity.attributes.enumerated()
        where attribute.type == .integer && !entity.identity.contains(attribute.name) {
            let value: Int64? = try row.attribute(index)
            if value == 2 { twos += 1 }
        }
        keepsRules = twos < 2
        for (index, attribute) in entity.attributes.enumerated() where !attribute.isOptional {
            switch attribute.type {
            case .integer: let _: Int64 = try row.attribute(index)
            case .double: let _: Double = try row.attribute(index)
            case .boolean: let _: Bool = try row.attribute(index)
            case .date: let _: Date = try row.attribute(index)
            default: let _: String = try row.attribute(index)
            }
        }
        for (index, relationship) in entity.toOneRelationships.enumerated()
        where !relationship.isOptional {
            let _: One<OracleSlot> = try row.one(index)
        }
    }

    func write(to values: inout EntityValues) throws {
        guard let save else { throw OracleRefusal("it was read") }
        let entity = Self.entityDescription
        for (index, attribute) in entity.attributes.enumerated() {
            switch save.values[attribute.name] ?? .null {
            case .null: try values.attribute(index, String?.none)
            case .integer(let number) where attribute.type == .boolean:
                try values.attribute(index, number != 0)
            case .integer(let number): try values.attribute(index, number)
            case .real(let number) where attribute.name.hasPrefix(OracleNames.single):
                try values.attribute(index, Float(number))
            case .real(let number) where attribute.type == .date:
                try values.attribute(index, Date(timeIntervalSinceReferenceDate: number))
            case .real(let number): try values.attribute(index, number)
            case .text(let text): try values.attribute(index, text)
            case .blob: throw OracleRefusal("there are no bytes")
            }
        }
        for (index, relationship) in entity.toOneRelationships.enumerated() {
            if let identity = save.ones[relationship.name] {
                try values.one(index, identity.map(Self.one))
            }
        }
        for relationship in entity.relationships where relationship.isToMany {
            try values.many(
                relationship.name, save.manys[relationship.name].map(Self.many) ?? .unchanged)
        }
    }

    /// The object with an identity.
    static func one(_ identity: [SQLValue]) -> One<OracleSlot> {
        let values = identity.map(OracleSlots.value)
        return switch values.count {
        case 0: One(id: String?.none)
        case 1: One(id: values[0])
        default: One(id: values[0], values[1])
        }
    }

    /// The objects with identities.
    static func many(_ identities: [[SQLValue]]) -> Many<OracleSlot> {
        Many(content: .identities(identities))
    }
}

/// What slots stand for.
enum OracleSlots {
    /// The entities of the model in use, each with all that it inherits.
    @TaskLocal static var descriptions: [EntityDescription] = []

    static let places: [any OraclePlace.Type] = [
        OraclePlace0.self, OraclePlace1.self, OraclePlace2.self, OraclePlace3.self,
        OraclePlace4.self, OraclePlace5.self, OraclePlace6.self, OraclePlace7.self,
    ]

    /// Descriptions with the rules of the types that they belong to.
    static func withRules(_ entities: [EntityDescription]) -> [EntityDescription] {
        func rules<Place: OraclePlace>(_ place: Place.Type) -> ObjectRules? {
            ObjectRules(OracleSlot<Place>.self)
        }
        return zip(entities, places).map { entity, place in
            var entity = entity
            entity.rules = rules(place)
            return entity
        }
    }

    /// The place of an entity.
    static func place(of entity: String) -> any OraclePlace.Type {
        places[descriptions.firstIndex { $0.name == entity } ?? 0]
    }

    static func value(_ value: SQLValue) -> any AttributeValue {
        switch value {
        case .integer(let number): number
        case .real(let number): number
        case .text(let text): text
        case .null, .blob: String?.none
        }
    }

    /// Has the types stand for a model's entities.
    static func with<Result>(_ model: Model, _ body: () throws -> Result) rethrows -> Result {
        let lineage = EntityLineage(model.entities)
        return try $descriptions.withValue(model.entities.map { lineage.flattened($0) }) {
            try body()
        }
    }
}

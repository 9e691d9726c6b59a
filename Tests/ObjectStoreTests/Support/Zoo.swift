import LarderObjectStore

/// A family of entities, and others that are linked to them in all ways.
enum Zoo {
    static func fixture() throws -> StoreFixture {
        try StoreFixture(
            entities: Lion.self, Parrot.self, Cage.self, Food.self, Collar.self, Ticket.self)
    }

    static let meat = Food(name: "meat")
    static let seeds = Food(name: "seeds")

    static func lion(
        _ id: Int, weight: Double? = 100, cage: One<Cage>? = nil, foods: Many<Food> = .unchanged,
        collar: One<Collar>? = nil, mane: Int = 3, prey: One<Animal>? = nil
    ) -> Lion {
        Lion(
            id: id, name: "L\(id)", weight: weight, cage: cage, foods: foods, collar: collar,
            mane: mane, prey: prey)
    }

    static func bird(_ id: Int, prey: One<Animal>? = nil) -> Bird {
        Bird(id: id, name: "B\(id)", wingspan: 1, prey: prey)
    }

    static func parrot(_ id: Int, words: [String] = [], mood: Mood = .calm) -> Parrot {
        Parrot(id: id, name: "P\(id)", wingspan: 0.5, cage: nil, words: words, mood: mood)
    }
}

enum Mood: String, AttributeValue, Codable {
    case calm, cross
}

/// A whole number of which only some are taken.
struct Grade: AttributeValue, Equatable {
    let number: Int

    static let attributeType = AttributeType.integer
    static let allowedValues = AllowedValues.integers(1...6)

    init(_ number: Int) { self.number = number }

    init?(sqlValue: SQLValue) {
        guard case .integer(let number) = sqlValue else { return nil }
        self.number = Int(number)
    }

    var sqlValue: SQLValue { .integer(Int64(number)) }
}

@Entity(
    abstract: true,
    mapper: EntityMapper(key: "kind", values: ["lion": "Lion", "bird": "Bird", "parrot": "Parrot"])
)
struct Animal {
    @Identity var id: Int
    var name: String
    var weight: Double?
    @Relationship(inverse: "animals") var cage: One<Cage>?
    var foods: Many<Food>
    @Relationship(delete: .cascade) var collar: One<Collar>?
    @Relationship(inverse: "friends", ordered: false) var friends: Many<Animal>
}

@Entity(parent: Animal.self) struct Lion {
    @Inherited var id: Int
    @Inherited var name: String
    @Inherited var weight: Double?
    @Inherited var cage: One<Cage>?
    @Inherited var foods: Many<Food>
    @Inherited var collar: One<Collar>?
    var mane: Int = 3
    @Relationship(delete: .cascade) var prey: One<Animal>?

    static var rules: [Rule<Lion>] {
        [Rule("lions are heavy") { $0.weight.map { $0 >= 50 } ?? true }]
    }
}

@Entity(parent: Animal.self) struct Bird {
    @Inherited var id: Int
    @Inherited var name: String
    var wingspan: Double
    var prey: One<Animal>?
}

@Entity(parent: Bird.self) struct Parrot {
    @Inherited var id: Int
    @Inherited var name: String
    @Inherited var wingspan: Double
    @Inherited var cage: One<Cage>?
    var words: [String]
    var mood: Mood = .calm
}

@Entity struct Cage {
    @Identity var number: Int
    @Relationship(inverse: "cage", ordered: false, delete: .deny) var animals: Many<Animal>
    var star: One<Lion>?
    var grade: Grade?

    static var rules: [Rule<Cage>] {
        [Rule("the star is heavy") { try $0.star.map { try $0.fetch().weight != 60 } ?? true }]
    }
}

@Entity struct Food {
    @Identity var name: String
}

@Entity struct Collar {
    @Identity var id: Int
}

/// What can't be without its parrot.
@Entity struct Ticket {
    @Identity var id: Int
    var parrot: One<Parrot>
}

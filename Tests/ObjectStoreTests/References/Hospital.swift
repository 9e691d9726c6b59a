@testable import LarderObjectStore

/// Objects with links of all kinds to some that may not have arrived.
@Entity struct Ward {
    @Identity var id: Int
    var name: String
    @Relationship(inverse: "wards") var head: One<Nurse>
    var deputy: One<Nurse>?
    var nurses: Many<Nurse>
    var badge: One<Badge>?
    @Relationship(partial: true) var guest: One<Nurse>?
    @Relationship(partial: true) var badges: Many<Badge>
    var rooms: Many<Room>
}

/// Identified by text.
@Entity struct Nurse {
    @Identity var login: String
    var name: String
    var age: Int?
    @Relationship(inverse: "head", ordered: false, mapped: false) var wards: Many<Ward>
}

/// All of whose other attributes are optional.
@Entity struct Badge {
    @Identity var id: Int
    var text: String?
}

/// Identified by two attributes.
@Entity struct Room {
    @Identity var floor: Int
    @Identity var number: Int
    var name: String
}

enum Hospital {
    static func store() throws -> Store {
        try Store.inMemory(entities: Ward.self, Nurse.self, Badge.self, Room.self)
    }

    /// A ward that leads to two nurses who have not arrived, and to one who has.
    static func referring() throws -> Store {
        let store = try store()
        try store.insert(
            "Ward",
            """
            {"id": 1, "name": "a", "head": "ann", "deputy": "bob", "badge": 7,
             "nurses": ["ann", {"login": "cleo", "name": "Cleo"}, "bob"]}
            """)
        return store
    }
}

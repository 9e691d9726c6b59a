import Testing

@testable import LarderObjectStore

/// Relationships that lead both ways: links in one table, or in the to-one side's column.
struct MapperInverseTests {
    // MARK: Inverses in one table

    @Test func `both sides of a relationship between many see the same links`() throws {
        let comics = try Comics.fixture()
        try comics.insert(
            "Hero",
            #"[{"id": 1, "name": "A", "powers": [{"id": "x", "name": "X"}]}, {"id": 2, "name": "B"}]"#
        )
        let power = try #require(try comics.store.first(Power.all))
        #expect(try power.heroes.fetch().map(\.id) == [1])
        let report = try comics.insert("Power", #"{"id": "x", "heroes": [2]}"#)
        #expect(report["Power"] == .init(0, 0, 1, linked: 1, unlinked: 1))
        #expect(
            try comics.store.fetch(Hero.all.sorted { $0.id.ascending }).map { try $0.powers.count }
                == [0, 1])
        #expect(
            try comics.rows("SELECT name FROM sqlite_schema WHERE name LIKE '%.%' ORDER BY name")
                == ["Hero.powers", "Hero.powers.inverse", "Hero.publisher"].sorted())
    }

    @Test func `a link that both sides name is made once`() throws {
        let comics = try Comics.fixture()
        let json = """
            {"id": 1, "name": "A", "powers": [
              {"id": "x", "name": "X", "heroes": [{"id": 1, "name": "A"}, {"id": 2, "name": "B"}]},
              {"id": "y", "name": "Y", "heroes": [1]}]}
            """
        let report = try comics.insert("Hero", json)
        #expect(report["Hero"] == .init(2))
        #expect(report["Power"] == .init(2, linked: 3))
        #expect(try comics.insert("Hero", json).total == .init(0, 0, 4))
        #expect(
            try comics.rows("SELECT source, target FROM \"Hero.powers\" ORDER BY 1, 2").count == 3)
    }

    @Test func `what the other side links comes last in the order`() throws {
        let comics = try Comics.fixture()
        try comics.insert(
            "Power",
            #"[{"id": "a", "name": "a"}, {"id": "b", "name": "b"}, {"id": "c", "name": "c"}]"#)
        try comics.insert("Hero", #"{"id": 1, "name": "A", "powers": ["c", "b"]}"#)
        try comics.insert("Power", #"{"id": "a", "heroes": [1]}"#)
        let powers = try #require(try comics.store.first(Hero.all)).powers
        #expect(try powers.fetch().map(\.id) == ["c", "b", "a"])
        try comics.insert("Hero", #"{"id": 1, "powers": ["a", "c", "b"]}"#)
        #expect(try powers.fetch().map(\.id) == ["a", "c", "b"])
    }

    @Test func `a relationship may be its own inverse`() throws {
        let fixture = try StoreFixture(
            .numbered(
                "Person",
                relationships: [
                    RelationshipDescription(
                        "friends", to: "Person", isToMany: true, key: "friends",
                        inverse: "friends")
                ]))
        try fixture.insert("Person", #"[{"id": 1, "friends": [2, 3]}, {"id": 4, "friends": [1]}]"#)
        let store = fixture.store
        func friends(_ id: Int64) throws -> Int {
            try store.count(of: "friends", owner: id, entity: "Person")
        }
        #expect(try [friends(1), friends(2), friends(3), friends(4)] == [3, 1, 1, 1])
        try fixture.insert("Person", #"{"id": 2, "friends": []}"#)
        #expect(try [friends(1), friends(2)] == [2, 0])
    }

    // MARK: Inverses in a column

    @Test func `children stand inside their parent and lead back to it`() throws {
        let comics = try Comics.fixture()
        let json = """
            {"id": 5, "name": "P", "heroes": [{"id": 1, "name": "A"}, 2, null,
             {"id": 3, "name": "C", "publisher": 5}, {"id": 4, "name": "D", "publisher": null}]}
            """
        let report = try comics.insert("Publisher", json)
        #expect(report["Publisher"] == .init(1, linked: 4))
        #expect(report["Hero"] == .init(4))
        #expect(
            try comics.rows("SELECT id, publisher FROM Hero ORDER BY id")
                == ["1|5", "2|5", "3|5", "4|5"])
        let publisher = try #require(try comics.store.first(Publisher.all))
        #expect(try publisher.heroes.fetch().map(\.id) == [1, 3, 4])
        let version = try comics.dataVersion
        #expect(try comics.insert("Publisher", json).total == .init(0, 0, 4))
        #expect(try comics.dataVersion == version)
    }

    @Test func `children that fall out of the array lose their parent`() throws {
        let comics = try Comics.fixture()
        try comics.insert(
            "Publisher",
            #"{"id": 5, "name": "P", "heroes": [{"id": 1, "name": "A"}, {"id": 2, "name": "B"}]}"#)
        let report = try comics.insert(
            "Publisher", #"{"id": 5, "heroes": [{"id": 2, "name": "B"}, {"id": 3, "name": "C"}]}"#)
        #expect(report["Publisher"] == .init(0, 0, 1, linked: 1, unlinked: 1))
        #expect(report["Hero"] == .init(1, 1, 1))
        #expect(
            try comics.rows("SELECT id, publisher FROM Hero ORDER BY id")
                == ["1|NULL", "2|5", "3|5"])
        #expect(
            try comics.insert("Publisher", #"{"id": 5, "heroes": null}"#)["Publisher"].unlinked == 2
        )
        #expect(try comics.rows("SELECT count(publisher), count(*) FROM Hero") == ["0|3"])
    }

    @Test func `a child moves from one parent to another, whichever comes first`() throws {
        for order in [[5, 6], [6, 5]] {
            let comics = try Comics.fixture()
            try comics.insert(
                "Publisher",
                """
                [{"id": 5, "name": "P", "heroes": [{"id": 1, "name": "A"}]},
                 {"id": 6, "name": "Q", "heroes": []}]
                """)
            let objects = order.map {
                $0 == 5
                    ? #"{"id": 5, "heroes": []}"#
                    : #"{"id": 6, "heroes": [{"id": 1, "name": "A"}]}"#
            }
            try comics.insert("Publisher", "[\(objects.joined(separator: ","))]")
            #expect(try comics.rows("SELECT id, publisher FROM Hero") == ["1|6"])
        }
    }

    private static func required(_ policy: LinkPolicy) throws -> StoreFixture {
        try StoreFixture(
            .numbered(
                "Country",
                relationships: [
                    RelationshipDescription(
                        "cities", to: "City", isToMany: true, key: "cities", inverse: "country",
                        policy: policy)
                ]),
            .numbered(
                "City", .required("name"),
                relationships: [
                    RelationshipDescription(
                        "country", to: "Country", key: "country", inverse: "cities")
                ]))
    }

    @Test func `a child that can't be without its parent must find another one`() throws {
        let fixture = try Self.required(.set)
        try fixture.insert(
            "Country",
            """
            [{"id": 1, "cities": [{"id": 10, "name": "A"}, {"id": 11, "name": "B"}]}, {"id": 2}]
            """)
        #expect(
            fixture.mappingError("Country", #"[{"id": 1, "cities": [{"id": 10, "name": "A"}]}]"#)
                == MappingError(
                    entity: "City", attribute: "country", path: "$[0].cities",
                    reason: .requiredByInverse))
        #expect(
            try fixture.rows("SELECT id, country FROM City ORDER BY id") == ["10|1", "11|1"])
        try fixture.insert(
            "Country", #"[{"id": 1, "cities": [10]}, {"id": 2, "cities": [11]}]"#)
        #expect(
            try fixture.rows("SELECT id, country FROM City ORDER BY id") == ["10|1", "11|2"])
    }

    @Test func `replace deletes children that fall out`() throws {
        let fixture = try Self.required(.replace)
        try fixture.insert(
            "Country",
            #"{"id": 1, "cities": [{"id": 10, "name": "A"}, {"id": 11, "name": "B"}]}"#)
        let report = try fixture.insert(
            "Country", #"{"id": 1, "cities": [{"id": 11, "name": "B"}]}"#)
        #expect(report["Country"] == .init(0, 0, 1, unlinked: 1))
        #expect(try fixture.rows("SELECT id, country FROM City") == ["11|1"])
    }

    @Test func `union leaves children that fall out`() throws {
        let fixture = try Self.required(.union)
        try fixture.insert("Country", #"{"id": 1, "cities": [{"id": 10, "name": "A"}]}"#)
        let report = try fixture.insert(
            "Country", #"{"id": 1, "cities": [{"id": 11, "name": "B"}]}"#)
        #expect(report["Country"] == .init(0, 0, 1, linked: 1))
        #expect(
            try fixture.rows("SELECT id, country FROM City ORDER BY id") == ["10|1", "11|1"])
    }

    @Test func `the array says more than what its elements say of themselves`() throws {
        let comics = try Comics.fixture()
        try comics.insert(
            "Publisher",
            """
            {"id": 5, "name": "P",
             "heroes": [{"id": 1, "name": "A", "publisher": {"id": 6, "name": "Q"}}]}
            """)
        #expect(try comics.rows("SELECT publisher FROM Hero") == ["5"])
        #expect(try comics.rows("SELECT id, name FROM Publisher ORDER BY id") == ["5|P", "6|Q"])
    }
}

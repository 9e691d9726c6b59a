import Testing

@testable import LarderObjectStore

/// The tables of a model.
struct SchemaTests {
    private static func statements(_ entity: String) throws -> [String] {
        let plan = try StorePlan(Model(entities: Comics.types))
        return Schema(plan: plan).statements(for: try plan.entity(entity))
    }

    @Test func `an entity with a whole number as identity`() throws {
        #expect(
            try Self.statements("Hero") == [
                """
                CREATE TABLE "Hero" (
                  "$reference" INTEGER,
                  "id" INTEGER PRIMARY KEY,
                  "name" TEXT,
                  "realName" TEXT,
                  "strength" REAL,
                  "isActive" INTEGER DEFAULT 1,
                  "publisher" INTEGER REFERENCES "Publisher" ON DELETE SET NULL \
                DEFERRABLE INITIALLY DEFERRED,
                  "mentor" INTEGER REFERENCES "Hero" ON DELETE SET NULL \
                DEFERRABLE INITIALLY DEFERRED
                ) STRICT
                """,
                #"CREATE INDEX "Hero.publisher" ON "Hero" ("publisher")"#,
                """
                CREATE TABLE "Hero.powers" (
                  source INTEGER NOT NULL REFERENCES "Hero" ON DELETE CASCADE \
                DEFERRABLE INITIALLY DEFERRED,
                  target INTEGER NOT NULL REFERENCES "Power" ON DELETE CASCADE \
                DEFERRABLE INITIALLY DEFERRED,
                  position INTEGER,
                  PRIMARY KEY (source, target)
                ) STRICT, WITHOUT ROWID
                """,
                #"CREATE INDEX "Hero.powers.inverse" ON "Hero.powers" (target)"#,
            ])
    }

    @Test func `an entity with several identities`() throws {
        #expect(
            try Self.statements("Card") == [
                """
                CREATE TABLE "Card" (
                  "$id" INTEGER PRIMARY KEY,
                  "$reference" INTEGER,
                  "suit" TEXT,
                  "value" TEXT,
                  "timesPlayed" INTEGER,
                  UNIQUE ("suit", "value")
                ) STRICT
                """
            ])
    }

    @Test func `the side that does not give the link table its name makes none`() throws {
        #expect(try Self.statements("Power").count == 1)
        #expect(try Self.statements("Publisher").count == 1)
    }

    @Test func `what an object can't be without is not deleted under it`() throws {
        let plan = try StorePlan(
            Model(
                name: "Test",
                entities: [
                    .numbered(
                        "City",
                        relationships: [RelationshipDescription("country", to: "Country", key: "c")]
                    ),
                    .numbered("Country"),
                ]))
        let table = Schema(plan: plan).statements(for: try plan.entity("City"))[0]
        #expect(
            table.contains(#""country" INTEGER REFERENCES "Country" DEFERRABLE INITIALLY DEFERRED"#)
        )
    }

    @Test func `indexes what is to be indexed, and defaults what has a default`() throws {
        let plan = try StorePlan(
            Model(
                name: "Test",
                entities: [
                    EntityDescription(
                        name: "Thing", identity: [],
                        attributes: [
                            AttributeDescription(
                                "a", .string, key: "a", default: .string("it's"), isIndexed: true),
                            AttributeDescription("b", .double, key: "b", default: .double(1.5)),
                            .required("c", .data), .required("d", .date), .required("e", .json),
                        ])
                ]))
        #expect(
            Schema(plan: plan).statements(for: try plan.entity("Thing")) == [
                """
                CREATE TABLE "Thing" (
                  "$id" INTEGER PRIMARY KEY,
                  "$reference" INTEGER,
                  "a" TEXT DEFAULT 'it''s',
                  "b" REAL DEFAULT 1.5,
                  "c" BLOB,
                  "d" REAL,
                  "e" TEXT
                ) STRICT
                """,
                #"CREATE INDEX "Thing.a" ON "Thing" ("a")"#,
            ])
    }

    @Test func `every statement is one that SQLite takes`() throws {
        let connection = try StoreFile(path: nil).open(
            for: try StorePlan(Model(entities: Comics.types))
        ).connection
        #expect(
            try connection.value("SELECT count(*) FROM sqlite_schema WHERE type = 'table'")
                == .integer(7))
        #expect(try connection.value("PRAGMA integrity_check") == .text("ok"))
        #expect(try connection.value("PRAGMA foreign_keys") == .integer(1))
    }
}

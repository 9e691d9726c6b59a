import CLarderSQLite
import Testing

@testable import LarderObjectStore

/// The SQL that writes an entity's rows.
struct EntityStatementsTests {
    private static func statements(_ entity: String) throws -> (
        EntityStatements, EntityPlan, Connection
    ) {
        let plan = try StorePlan(Model(entities: Comics.types))
        let connection = try StoreFile(path: nil).open(for: plan).connection
        let entity = try plan.entity(entity)
        let numbers = RowNumbers(plan: plan, connection: connection)
        return (
            EntityStatements(plan: entity, connection: connection, numbers: numbers), entity,
            connection
        )
    }

    private static func columns(_ columns: Int...) -> ColumnSet {
        columns.reduce(into: ColumnSet()) { $0.insert($1) }
    }

    private static func sql(_ statement: Statement) -> String {
        String(cString: sqlite3_sql(statement.pointer))
    }

    private static func sql(_ statement: ColumnStatement) -> String { sql(statement.statement) }

    @Test func `upserts name the columns that the JSON has`() throws {
        let (statements, _, connection) = try Self.statements("Hero")
        defer { withExtendedLifetime(connection) {} }
        #expect(
            try Self.sql(statements.upsert(Self.columns(0, 1, 5)))
                == """
                INSERT INTO "Hero" AS t0 ("id", "name", "publisher") VALUES (?, ?, ?) \
                ON CONFLICT ("id") DO UPDATE SET "name" = excluded."name", \
                "publisher" = excluded."publisher", "$reference" = excluded."$reference", \
                "isActive" = iif(t0."$reference" IS NULL, t0."isActive", \
                coalesce(t0."isActive", 1)) WHERE t0."name" IS NOT excluded."name" \
                OR t0."publisher" IS NOT excluded."publisher" \
                OR t0."$reference" IS NOT excluded."$reference"
                """)
        #expect(
            try Self.sql(statements.upsert(Self.columns(0)))
                == """
                INSERT INTO "Hero" AS t0 ("id", "$reference", "isActive") VALUES (?, 1, NULL) \
                ON CONFLICT ("id") DO NOTHING
                """)
        let one = try statements.upsert(Self.columns(0, 1))
        _ = try statements.upsert(Self.columns(0, 2))
        #expect(try statements.upsert(Self.columns(0, 1)).statement === one.statement)
    }

    @Test func `all statements of an entity with several identities`() throws {
        let (statements, plan, connection) = try Self.statements("Card")
        defer { withExtendedLifetime(connection) {} }
        #expect(
            try Self.sql(statements.upsert(Self.columns(0, 1, 2)))
                == """
                INSERT INTO "Card" AS t0 ("suit", "value", "timesPlayed") VALUES (?, ?, ?) \
                ON CONFLICT ("suit", "value") DO UPDATE SET \
                "timesPlayed" = excluded."timesPlayed", "$reference" = excluded."$reference" \
                WHERE t0."timesPlayed" IS NOT excluded."timesPlayed" \
                OR t0."$reference" IS NOT excluded."$reference"
                """)
        #expect(
            try Self.sql(statements.find())
                == #"SELECT "$id" FROM "Card" WHERE "suit" = ? AND "value" = ?"#)
        #expect(
            try Self.sql(statements.insertReference())
                == """
                INSERT INTO "Card" ("suit", "value", "$reference") VALUES (?, ?, 1) \
                ON CONFLICT DO NOTHING
                """)
        #expect(
            try Self.sql(statements.update(Self.columns(1, 2), completing: true))
                == """
                UPDATE "Card" SET "value" = ?1, "timesPlayed" = ?2, "$reference" = NULL \
                WHERE "$id" = ?3 AND ("value" IS NOT ?1 OR "timesPlayed" IS NOT ?2 \
                OR "$reference" IS NOT NULL)
                """)
        #expect(
            try Self.sql(statements.update(Self.columns(1, 2), completing: false))
                == """
                UPDATE "Card" SET "value" = ?1, "timesPlayed" = ?2 \
                WHERE "$id" = ?3 AND ("value" IS NOT ?1 OR "timesPlayed" IS NOT ?2)
                """)
        #expect(plan.identifying.columns == [0, 1])
    }
}

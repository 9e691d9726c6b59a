import CLarderSQLite
import Foundation
import Testing

@testable import LarderObjectStore

/// Savepoints that can't be taken back, as SQLite has no memory for it.
struct FailedRollbackTests {
    struct GivenUp: Error {}

    private func refuseRollbacks(_ connection: Connection) {
        sqlite3_set_authorizer(
            connection.pointer,
            { _, action, operation, _, _, _ in
                if action == SQLITE_SAVEPOINT, let operation,
                    String(cString: operation) == "ROLLBACK"
                {
                    return SQLITE_DENY
                }
                return SQLITE_OK
            }, nil)
    }

    @Test func `what can't be taken back is not committed`() throws {
        let fixture = try Comics.fixture()
        _ = try? fixture.store.write { context -> Void in
            refuseRollbacks(context.connection)
            defer { sqlite3_set_authorizer(context.connection.pointer, nil, nil) }
            do {
                try context.savepoint {
                    try context.save(Publisher(id: 1, name: "a", founded: nil, heroes: .unchanged))
                    throw GivenUp()
                }
            } catch {}
            _ = try? context.save(Publisher(id: 2, name: "b", founded: nil, heroes: .unchanged))
        }
        let rows = try fixture.rows("SELECT id FROM Publisher ORDER BY 1")
        #expect(rows.isEmpty, "\(rows)")
        try fixture.store.save(Publisher(id: 3, name: "c", founded: nil, heroes: .unchanged))
        #expect(try fixture.rows("SELECT id FROM Publisher") == ["3"])
    }
}

import CLarderSQLite
import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct ConnectionTests {
    private struct Stop: Error {}

    private func count(_ connection: Connection) throws -> SQLValue? {
        try connection.value("SELECT count(*) FROM t")
    }

    // MARK: Statements

    @Test func `a value is the first column of the first row`() throws {
        let connection = try Connection.inMemory()
        #expect(try connection.value("SELECT 7, 8 UNION SELECT 9, 10") == .integer(7))
        #expect(try connection.value("SELECT NULL") == .null)
        #expect(try connection.value("SELECT 1 WHERE 0") == nil)
        #expect(try connection.value("PRAGMA user_version") == .integer(0))
    }

    @Test func `executes any number of statements`() throws {
        let connection = try Connection.inMemory()
        try connection.execute(
            "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2); -- and a comment")
        #expect(try count(connection) == .integer(2))
        try connection.execute("")
        #expect(throws: StoreError.self) {
            try connection.execute("INSERT INTO t VALUES (3); nonsense")
        }
        #expect(try count(connection) == .integer(3))
    }

    @Test func `text in double quotes is a name, and an error where nothing has it`() throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES ('b')")
        #expect(try connection.value(#"SELECT count(*) FROM t WHERE "a" = 'b'"#) == .integer(1))
        for sql in [#"SELECT "b" FROM t"#, #"DELETE FROM t WHERE a = "b""#] {
            let error = #expect(throws: StoreError.self) { try connection.execute(sql) }
            #expect(error?.message.contains("no such column") == true)
        }
        #expect(try count(connection) == .integer(1))
    }

    @Test func `counts what a statement changed and knows its last row`() throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
        try connection.execute("INSERT INTO t VALUES (5, 'x'), (9, 'y')")
        #expect(connection.changeCount == 2)
        #expect(connection.lastInsertedRow == 9)
        connection.lastInsertedRow = 0
        try connection.execute("INSERT INTO t VALUES (9, 'z') ON CONFLICT DO NOTHING")
        #expect(connection.lastInsertedRow == 0)
        try connection.execute("UPDATE t SET a = 'n' WHERE id > 100")
        #expect(connection.changeCount == 0)
    }

    // MARK: The cache

    @Test func `a statement is prepared once and comes back without bindings`() throws {
        let connection = try Connection.inMemory()
        let first = try connection.prepare("SELECT ?")
        try first.bind(.integer(7), at: 1)
        #expect(try first.step())
        first.reset()
        let second = try connection.prepare("SELECT ?")
        #expect(second === first)
        #expect(try second.step())
        #expect(second.isNull(at: 0))
        second.reset()
    }

    @Test func `a statement that is being stepped is not given to another`() throws {
        let connection = try Connection.inMemory()
        let outer = try connection.prepare("SELECT 1 UNION SELECT 2")
        #expect(try outer.step())
        let inner = try connection.prepare("SELECT 1 UNION SELECT 2")
        #expect(inner !== outer)
        #expect(try inner.step())
        #expect(inner.integer(at: 0) == 1)
        #expect(try outer.step())
        #expect(outer.integer(at: 0) == 2)
        inner.reset()
        outer.reset()
    }

    @Test func `the cache is bounded, and statements in use outlive it`() throws {
        let connection = try Connection.inMemory()
        let kept = try connection.prepare("SELECT 'kept'")
        #expect(try kept.step())
        for index in 0..<1000 {
            #expect(try connection.value("SELECT \(index)") == .integer(Int64(index)))
        }
        #expect(kept.text(at: 0) == "kept")
        kept.reset()
        var prepared = 0
        var statement = sqlite3_next_stmt(connection.pointer, nil)
        while let next = statement, prepared < 2000 {
            prepared += 1
            statement = sqlite3_next_stmt(connection.pointer, next)
        }
        #expect(prepared <= 257)
    }

    @Test func `a cached statement follows the tables as they change`() throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        #expect(try connection.value("SELECT * FROM t") == .integer(1))
        try connection.execute("DROP TABLE t; CREATE TABLE t (b, a); INSERT INTO t VALUES ('x', 2)")
        #expect(try connection.value("SELECT * FROM t") == .text("x"))
    }

    // MARK: Transactions

    @Test func `a transaction is there whole or not at all`() throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (a)")
        let result = try connection.transaction("BEGIN IMMEDIATE") {
            #expect(connection.isInTransaction)
            try connection.execute("INSERT INTO t VALUES (1)")
            return "done"
        }
        #expect(result == "done")
        #expect(throws: Stop.self) {
            try connection.transaction("BEGIN IMMEDIATE") {
                try connection.execute("INSERT INTO t VALUES (2), (3)")
                throw Stop()
            }
        }
        #expect(!connection.isInTransaction)
        #expect(try count(connection) == .integer(1))
    }

    @Test func `a commit that fails leaves nothing behind`() throws {
        let connection = try Connection.inMemory()
        try connection.execute(
            """
            PRAGMA foreign_keys = ON;
            CREATE TABLE u (id INTEGER PRIMARY KEY);
            CREATE TABLE t (u REFERENCES u DEFERRABLE INITIALLY DEFERRED);
            """)
        let error = #expect(throws: StoreError.self) {
            try connection.transaction("BEGIN") {
                try connection.execute("INSERT INTO t VALUES (7)")
            }
        }
        #expect(error?.reason == .constraint)
        #expect(!connection.isInTransaction)
        #expect(try count(connection) == .integer(0))
        try connection.transaction("BEGIN") {
            try connection.execute("INSERT INTO t VALUES (NULL)")
        }
        #expect(try count(connection) == .integer(1))
    }

    @Test func `a transaction that SQLite rolled back itself reports its first failure`() throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (a UNIQUE ON CONFLICT ROLLBACK)")
        let error = #expect(throws: StoreError.self) {
            try connection.transaction("BEGIN") {
                try connection.execute("INSERT INTO t VALUES (1)")
                try connection.execute("INSERT INTO t VALUES (1)")
            }
        }
        #expect(error?.reason == .constraint)
        #expect(!connection.isInTransaction)
        #expect(try count(connection) == .integer(0))
    }

    @Test func `a statement left unreset does not keep a rollback from happening`() throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
        let select = try connection.prepare("SELECT a FROM t")
        #expect(throws: Stop.self) {
            try connection.transaction("BEGIN") {
                try connection.execute("INSERT INTO t VALUES (3)")
                #expect(try select.step())
                throw Stop()
            }
        }
        #expect(!connection.isInTransaction)
        select.reset()
        #expect(try count(connection) == .integer(2))
    }

    @Test func `a transaction in a transaction is refused and spoils nothing`() throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (a)")
        try connection.transaction("BEGIN") {
            try connection.execute("INSERT INTO t VALUES (1)")
            #expect(throws: StoreError.self) { try connection.transaction("BEGIN") {} }
            #expect(connection.isInTransaction)
        }
        #expect(try count(connection) == .integer(1))
    }

    @Test func `what could not be rolled back is rolled back before the next transaction`() throws {
        struct Stop: Error {}
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (a)")
        #expect(throws: Stop.self) {
            try connection.transaction("BEGIN") {
                try connection.execute("INSERT INTO t VALUES (1)")
                sqlite3_set_authorizer(
                    connection.pointer,
                    { _, action, _, _, _, _ in
                        action == SQLITE_TRANSACTION ? SQLITE_DENY : SQLITE_OK
                    }, nil)
                throw Stop()
            }
        }
        #expect(connection.isInTransaction)
        #expect(throws: StoreError.self) { try connection.transaction("BEGIN") {} }
        sqlite3_set_authorizer(connection.pointer, nil, nil)
        try connection.transaction("BEGIN") {
            try connection.execute("INSERT INTO t VALUES (2)")
        }
        #expect(try connection.value("SELECT group_concat(a) FROM t") == .text("2"))
    }

    // MARK: Names

    @Test(arguments: [
        "plain", "two words", "a\"; DROP TABLE x;--", "\"", "\"\"", "'", "it's", "]", "[a]", "`",
        "select", "TABLE", "rowid", "é", "😀", "a\nb", "--", "/*", "?1", ":a", "$a", "%s", "1", " ",
    ])
    func `any name can be quoted`(name: String) throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE x (a)")
        try connection.execute("CREATE TABLE \(name.sqlName) (\(name.sqlName) TEXT)")
        let insert = try connection.prepare(
            "INSERT INTO \(name.sqlName) (\(name.sqlName)) VALUES (?)")
        try insert.bind(.text(name), at: 1)
        try insert.run()
        #expect(
            try connection.value("SELECT \(name.sqlName) FROM \(name.sqlName)") == .text(name))
        #expect(
            try connection.value("SELECT name FROM sqlite_schema WHERE name <> 'x'") == .text(name))
        #expect(try connection.value("SELECT count(*) FROM x") == .integer(0))
    }

    // MARK: Opening

    @Test func `a file is made only where that is asked for`() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: StoreError.self) { try folder.open("a.sqlite", creates: false) }
        #expect(error?.reason == .cannotOpen)
        #expect(error?.path == folder.file("a.sqlite"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("a.sqlite")))
        try folder.open("a.sqlite").execute("CREATE TABLE t (a)")
        #expect(
            try folder.open("a.sqlite", creates: false).value("SELECT count(*) FROM t")
                == .integer(0))
    }

    @Test func `a connection is closed with its last user`() throws {
        let folder = try TemporaryFolder()
        var connection: Connection? = try folder.open("a.sqlite")
        try connection?.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
        _ = try connection?.value("SELECT count(*) FROM t")
        #expect(FileManager.default.fileExists(atPath: folder.file("a.sqlite-wal")))
        connection = nil
        // The last connection takes the log with it.
        #expect(!FileManager.default.fileExists(atPath: folder.file("a.sqlite-wal")))
    }
}

import CLarderSQLite
import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct StoreErrorTests {
    @Test func `a file that is no database is told from one that is missing`() throws {
        let folder = try TemporaryFolder()
        let bytes = Data(String(repeating: "This is no database. ", count: 100).utf8)
        try bytes.write(to: URL(filePath: folder.file("text.sqlite")))
        let connection = try folder.open("text.sqlite")
        let error = #expect(throws: StoreError.self) {
            try connection.value("SELECT count(*) FROM sqlite_schema")
        }
        #expect(error?.reason == .notADatabase)
        #expect(error?.resultCode == SQLITE_NOTADB)
        #expect(error?.path?.hasSuffix("text.sqlite") == true)
        #expect(try Data(contentsOf: URL(filePath: folder.file("text.sqlite"))) == bytes)
    }

    @Test func `a folder cannot be opened`() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: StoreError.self) {
            let connection = try folder.open("")
            _ = try connection.value("SELECT count(*) FROM sqlite_schema")
        }
        #expect(error?.reason == .notAFile)
    }

    @Test func `a file in a folder that is missing cannot be opened`() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: StoreError.self) { try folder.open("no/where.sqlite") }
        #expect(error?.reason == .cannotOpen)
        #expect(error?.path == folder.file("no/where.sqlite"))
    }

    @Test func `a database that is damaged says so`() throws {
        let folder = try TemporaryFolder()
        try folder.open("a.sqlite").execute(
            """
            PRAGMA page_size = 512; CREATE TABLE t (a);
            WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
            INSERT INTO t SELECT hex(randomblob(50)) FROM n;
            """)
        let file = URL(filePath: folder.file("a.sqlite"))
        var bytes = try Data(contentsOf: file)
        // The header and the schema stay, the pages behind them are overwritten.
        bytes.replaceSubrange(
            512..<bytes.count, with: Data(repeating: 0x5A, count: bytes.count - 512))
        try bytes.write(to: file)
        let connection = try folder.open("a.sqlite")
        let error = #expect(throws: StoreError.self) {
            try connection.value("SELECT sum(length(a)) FROM t")
        }
        #expect(error?.reason == .damaged)
    }

    @Test func `a connection for reading writes nothing`() throws {
        let folder = try TemporaryFolder()
        try folder.open("a.sqlite").execute("CREATE TABLE t (a)")
        let reader = try folder.open("a.sqlite", creates: false, readOnly: true)
        #expect(try reader.value("SELECT count(*) FROM t") == .integer(0))
        let error = #expect(throws: StoreError.self) {
            try reader.execute("INSERT INTO t VALUES (1)")
        }
        #expect(error?.reason == .readOnly)
        #expect(error?.sql == "INSERT INTO t VALUES (1)")
    }

    @Test func `a lock that another connection holds is busy, and free again after it`() throws {
        let folder = try TemporaryFolder()
        let first = try folder.open("a.sqlite")
        let second = try folder.open("a.sqlite")
        try first.execute("CREATE TABLE t (a)")
        try first.transaction("BEGIN IMMEDIATE") {
            let error = #expect(throws: StoreError.self) {
                try second.transaction("BEGIN IMMEDIATE") {}
            }
            #expect(error?.reason == .busy)
            #expect(!second.isInTransaction)
        }
        try second.transaction("BEGIN IMMEDIATE") { try second.execute("INSERT INTO t VALUES (1)") }
        #expect(try first.value("SELECT count(*) FROM t") == .integer(1))
    }

    @Test func `a transaction that read before another wrote is busy at once`() throws {
        let folder = try TemporaryFolder()
        let first = try folder.open("a.sqlite", busyTimeout: 60_000)
        let second = try folder.open("a.sqlite", busyTimeout: 60_000)
        try first.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
        let error = #expect(throws: StoreError.self) {
            try first.transaction("BEGIN") {
                _ = try first.value("SELECT count(*) FROM t")
                try second.execute("INSERT INTO t VALUES (1)")
                try first.execute("INSERT INTO t VALUES (2)")
            }
        }
        #expect(error?.reason == .busy)
        #expect(error?.resultCode == SQLITE_BUSY | 2 << 8)
    }

    @Test(arguments: [
        ("INSERT INTO t VALUES (1, 'x', 1)", 1555), ("INSERT INTO t VALUES (2, NULL, 1)", 1299),
        ("INSERT INTO t VALUES (2, 'x', -1)", 275), ("INSERT INTO t VALUES (2, 'a', 1)", 2067),
        ("INSERT INTO t VALUES (2, 'x', 'many')", 3091),
    ])
    func `a constraint is told by its extended code`(sql: String, code: Int32) throws {
        let connection = try Connection.inMemory()
        try connection.execute(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL UNIQUE, n INTEGER CHECK (n > 0))
            STRICT; INSERT INTO t VALUES (1, 'a', 1)
            """)
        let error = #expect(throws: StoreError.self) { try connection.execute(sql) }
        #expect(error?.reason == .constraint)
        #expect(error?.resultCode == code)
    }

    @Test func `a full database says so`() throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (a); PRAGMA max_page_count = 3")
        let error = #expect(throws: StoreError.self) {
            try connection.execute("INSERT INTO t VALUES (zeroblob(100000))")
        }
        #expect(error?.reason == .full)
    }

    @Test func `an interrupted statement says so`() throws {
        let connection = try Connection.inMemory()
        let statement = try connection.prepare(
            "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) SELECT i FROM n")
        #expect(try statement.step())
        sqlite3_interrupt(connection.pointer)
        let error = #expect(throws: StoreError.self) { try statement.step() }
        #expect(error?.reason == .interrupted)
        statement.reset()
        #expect(try connection.value("SELECT 1") == .integer(1))
    }

    @Test func `SQL that makes no sense is an error with that SQL`() throws {
        let connection = try Connection.inMemory()
        for sql in ["SELEC 1", "SELECT * FROM nowhere", "SELECT nothing"] {
            let error = #expect(throws: StoreError.self) { try connection.prepare(sql) }
            #expect(error?.reason == .sqlite)
            #expect(error?.sql == sql)
            #expect(error?.resultCode == SQLITE_ERROR)
        }
    }

    @Test(arguments: [
        (SQLITE_CANTOPEN, StoreError.Reason.cannotOpen), (SQLITE_CANTOPEN | 2 << 8, .cannotOpen),
        (SQLITE_PERM, .notPermitted), (SQLITE_AUTH, .sqlite), (SQLITE_NOTADB, .notADatabase),
        (SQLITE_CORRUPT, .damaged), (SQLITE_CORRUPT | 1 << 8, .damaged), (SQLITE_BUSY, .busy),
        (SQLITE_BUSY | 2 << 8, .busy), (SQLITE_LOCKED, .busy), (SQLITE_FULL, .full),
        (SQLITE_READONLY, .readOnly), (SQLITE_READONLY | 4 << 8, .readOnly),
        (SQLITE_INTERRUPT, .interrupted), (SQLITE_CONSTRAINT, .constraint),
        (SQLITE_IOERR, .fileAccess), (SQLITE_IOERR | 10 << 8, .fileAccess), (SQLITE_ERROR, .sqlite),
        (SQLITE_NOMEM, .sqlite), (SQLITE_MISUSE, .sqlite), (SQLITE_TOOBIG, .sqlite),
    ])
    func `a result code has a code of its own`(resultCode: Int32, code: StoreError.Reason) {
        let error = StoreError(resultCode: resultCode, message: "m")
        #expect(error.reason == code)
        #expect(error.resultCode == resultCode)
    }

    @Test func `describes itself with code, statement and file`() {
        #expect(
            StoreError(.closed, "the store is closed").description
                == "used after its end: the store is closed")
        let error = StoreError(
            resultCode: SQLITE_CONSTRAINT, message: "UNIQUE constraint failed", sql: "INSERT …",
            path: "/tmp/a.sqlite")
        #expect(
            error.description
                == "a constraint refused a row: UNIQUE constraint failed (SQLite code 19)"
                + " in: INSERT … (/tmp/a.sqlite)")
    }

    @Test func `bound values are never in an error`() throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (a UNIQUE)")
        let insert = try connection.prepare("INSERT INTO t VALUES (?)")
        var errors: [StoreError] = []
        for _ in 0..<2 {
            try insert.bind(.text("hunter2"), at: 1)
            do throws(StoreError) {
                try insert.run()
            } catch {
                errors.append(error)
            }
        }
        #expect(errors.count == 1)
        #expect(errors.allSatisfy { !String(reflecting: $0).contains("hunter2") })
    }
}

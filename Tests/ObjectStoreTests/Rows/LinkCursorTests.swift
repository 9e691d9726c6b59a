import Testing

@testable import LarderObjectStore

struct LinkCursorTests {
    private let connection: Connection

    init() throws {
        connection = try Connection(
            path: ":memory:", creates: true, readOnly: false, busyTimeout: 0)
        try connection.execute(
            "CREATE TABLE l (source INTEGER, target INTEGER, position INTEGER,"
                + " PRIMARY KEY (source, target)) WITHOUT ROWID")
    }

    private func cursor(position: String? = nil) throws -> LinkCursor {
        try LinkCursor(
            .numbered(isOrdered: position != nil), on: connection)
    }

    @Test func `owners in order, with gaps and without links`() throws {
        try connection.execute("INSERT INTO l VALUES (1, 5, 0), (1, 6, 0), (3, 7, 0), (9, 8, 0)")
        let cursor = try cursor()
        let targets = try (0...10).map { owner in
            try cursor.links(of: Int64(owner), changes: 0).map(\.target)
        }
        #expect(targets == [[], [5, 6], [], [7], [], [], [], [], [], [8], []])
    }

    @Test func `owners in any order, twice, at the ends of all numbers`() throws {
        try connection.execute(
            "INSERT INTO l VALUES (-9223372036854775808, 1, 0), (9223372036854775807, 2, 0), (4, 3, 0)"
        )
        let cursor = try cursor()
        for owner in [4, .max, 4, .min, .min, 5, .max, .max, 3, 4] as [Int64] {
            let expected: [Int64] =
                switch owner {
                case .min: [1]
                case .max: [2]
                case 4: [3]
                default: []
                }
            #expect(try cursor.links(of: owner, changes: 0).map(\.target) == expected)
        }
    }

    @Test func `a gap of many links begins a new pass`() throws {
        for source in 0..<100 { try connection.execute("INSERT INTO l VALUES (\(source), 1, 0)") }
        let cursor = try cursor()
        for owner in [0, 50, 51, 60, 99] as [Int64] {
            #expect(try cursor.links(of: owner, changes: 0).count == 1)
        }
        #expect(try cursor.links(of: 100, changes: 0).isEmpty)
    }

    @Test func `links come by position, those without one last`() throws {
        try connection.execute(
            "INSERT INTO l VALUES (1, 5, 2), (1, 6, NULL), (1, 7, 0), (1, 8, NULL), (1, 9, 1)")
        let links = try cursor(position: "position").links(of: 1, changes: 0)
        #expect(links.map(\.target) == [7, 9, 5, 6, 8])
        #expect(links.map(\.position) == [0, 1, 2, nil, nil])
        let unordered = try cursor().links(of: 1, changes: 0)
        #expect(unordered.map(\.target) == [5, 6, 7, 8, 9])
    }

    @Test func `what has been read ahead is read again once links have changed`() throws {
        try connection.execute("INSERT INTO l VALUES (1, 5, 0), (2, 6, 0)")
        let cursor = try cursor()
        #expect(try cursor.links(of: 1, changes: 0).map(\.target) == [5])
        // The cursor stands at the link of 2 already.
        try connection.execute("DELETE FROM l WHERE source = 2; INSERT INTO l VALUES (2, 7, 0)")
        #expect(try cursor.links(of: 2, changes: 1).map(\.target) == [7])
        #expect(try cursor.links(of: 3, changes: 1).isEmpty)
        try connection.execute("INSERT INTO l VALUES (4, 7, 0)")
        #expect(try cursor.links(of: 4, changes: 2).map(\.target) == [7])
    }

    @Test func `a closed cursor keeps no statement open`() throws {
        try connection.execute("INSERT INTO l VALUES (1, 5, 0), (2, 6, 0)")
        let cursor = try cursor()
        _ = try cursor.links(of: 1, changes: 0)
        cursor.close()
        // A table can't be dropped while a statement reads it.
        try connection.execute("DELETE FROM l; DROP TABLE l")
    }
}

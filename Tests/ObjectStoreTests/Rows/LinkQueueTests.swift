import Testing

@testable import LarderObjectStore

struct LinkQueueTests {
    private let connection: Connection
    private let queue: LinkQueue
    private let ordered: LinkQueue

    init() throws {
        connection = try Connection(
            path: ":memory:", creates: true, readOnly: false, busyTimeout: 0)
        try connection.execute(
            "CREATE TABLE l (source INTEGER, target INTEGER, position INTEGER,"
                + " PRIMARY KEY (source, target)) WITHOUT ROWID")
        queue = LinkQueue(.numbered(), on: connection)
        ordered = LinkQueue(.numbered(isOrdered: true), on: connection)
    }

    private func rows() throws -> [[Int64?]] {
        let select = try Statement("SELECT * FROM l ORDER BY source, target", on: connection)
        defer { select.reset() }
        var rows: [[Int64?]] = []
        while try select.step() {
            rows.append((0..<3).map { select.isNull(at: $0) ? nil : select.integer(at: $0) })
        }
        return rows
    }

    @Test(arguments: [0, 1, 2, 15, 16, 17, 31, 32, 33, 100])
    func `all links are written, however many there are`(_ count: Int) throws {
        for target in 0..<count { try queue.append(1, Int64(target), position: nil) }
        #expect(try rows().count == count / 16 * 16)
        #expect(queue.isEmpty == (count % 16 == 0))
        try queue.write()
        #expect(try rows() == (0..<count).map { [1, Int64($0), nil] })
        #expect(queue.isEmpty)
    }

    @Test func `links that are there are passed over, also within one statement`() throws {
        try connection.execute("INSERT INTO l VALUES (1, 3, 7)")
        for target in [3, 4, 4, 3] + Array(5...18) {
            try queue.append(1, Int64(target), position: nil)
        }
        try queue.write()
        #expect(try rows().map { $0[1] } == (3...18).map { Int64($0) })
        #expect(try rows().first?[2] == 7)
    }

    @Test func `a position replaces another one, none leaves it`() throws {
        try connection.execute("INSERT INTO l VALUES (1, 3, 7), (1, 4, NULL), (1, 5, 9)")
        try ordered.append(1, 3, position: 0)
        try ordered.append(1, 4, position: 1)
        try ordered.append(1, 5, position: nil)
        try ordered.append(1, 6, position: nil)
        try ordered.write()
        #expect(try rows() == [[1, 3, 0], [1, 4, 1], [1, 5, 9], [1, 6, nil]])
        for target in (0..<20) as Range<Int64> {
            try ordered.append(2, target, position: 19 - target)
        }
        try ordered.write()
        #expect(
            try rows().filter { $0[0] == 2 }.map { $0[2] } == (0..<20).reversed().map { Int64($0) })
    }

    @Test func `links that are discarded are never written`() throws {
        for target in (0..<20) as Range<Int64> { try queue.append(1, target, position: nil) }
        queue.discard()
        #expect(queue.isEmpty)
        try queue.write()
        #expect(try rows().count == 16)
    }

    @Test func `a failure leaves nothing waiting`() throws {
        try connection.execute(
            "CREATE TRIGGER t BEFORE INSERT ON l BEGIN SELECT RAISE(ABORT, 'no'); END")
        try queue.append(1, 1, position: nil)
        #expect(throws: StoreError.self) { try queue.write() }
        #expect(queue.isEmpty)
        try connection.execute("DROP TRIGGER t")
        try queue.write()
        #expect(try rows().isEmpty)
    }
}

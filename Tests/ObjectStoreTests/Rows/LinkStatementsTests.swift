import Testing

@testable import LarderObjectStore

struct LinkStatementsTests {
    private static func links(
        position: String?, isSymmetric: Bool = false
    ) throws -> (LinkStatements, () throws -> [String]) {
        let connection = try Connection(
            path: ":memory:", creates: true, readOnly: false, busyTimeout: 0)
        try connection.execute(
            "CREATE TABLE l (source INTEGER, target INTEGER, position INTEGER,"
                + " PRIMARY KEY (source, target)) WITHOUT ROWID")
        let statements = try LinkStatements(
            .numbered(isOrdered: position != nil, isSymmetric: isSymmetric),
            on: connection, changes: LinkChanges(),
            log: ChangeLog(
                plan: StorePlan(Model(entities: [Card.self])), connection: connection))
        return (
            statements,
            {
                try statements.queue.write()
                let select = try Statement(
                    "SELECT target, \(position ?? "0") FROM l WHERE source = 1 ORDER BY "
                        + "\(position.map { "\($0) IS NULL, \($0), target" } ?? "target")",
                    on: connection)
                var rows: [String] = []
                while try select.step() {
                    rows.append("\(select.value(at: 0)) \(select.value(at: 1))")
                }
                select.reset()
                let links = try statements.links(of: 1)
                #expect(
                    links.rows.map { "integer(\($0))" }
                        == rows.map { String($0.prefix { $0 != " " }) })
                return rows
            }
        )
    }

    @Test func `links without an order come by their target`() throws {
        let (statements, rows) = try Self.links(position: nil)
        for target in [3, 1, 2, 1] as [Int64] { try statements.insert(1, target) }
        try statements.insert(2, 9)
        #expect(
            try rows() == [
                "integer(1) integer(0)", "integer(2) integer(0)", "integer(3) integer(0)",
            ])
        try statements.delete(1, 2)
        try statements.delete(1, 7)
        #expect(try rows() == ["integer(1) integer(0)", "integer(3) integer(0)"])
    }

    @Test func `links with an order come by their position, those without one last`() throws {
        let (statements, rows) = try Self.links(position: "position")
        try statements.insert(1, 5)
        try statements.insert(1, 3, position: 1)
        try statements.insert(1, 4, position: 0)
        #expect(
            try rows() == ["integer(4) integer(0)", "integer(3) integer(1)", "integer(5) null"])
        try statements.insert(1, 5, position: 0)
        try statements.insert(1, 4, position: 2)
        #expect(
            try rows() == [
                "integer(5) integer(0)", "integer(3) integer(1)", "integer(4) integer(2)",
            ])
        try statements.insert(1, 5)
        #expect(try rows().first == "integer(5) integer(0)")
    }

    @Test func `symmetric links stand in both directions`() throws {
        let (statements, rows) = try Self.links(position: "position", isSymmetric: true)
        try statements.insert(2, 1, position: 0)
        try statements.insert(1, 1, position: 1)
        try statements.insert(1, 3, position: 0)
        #expect(
            try rows() == ["integer(3) integer(0)", "integer(1) integer(1)", "integer(2) null"])
        try statements.delete(3, 1)
        try statements.delete(1, 1)
        #expect(try rows() == ["integer(2) null"])
    }
}

/// Links that are still to be written into one table, many by one statement.
final class LinkQueue {
    private struct Link {
        let source: Int64
        let target: Int64
        let position: Int64?
    }

    private let table: LinkSide
    private let connection: Connection
    private var links: [Link] = []
    /// The statements, by how many links they write.
    private var statements: [Int: Statement] = [:]

    /// The number of links that one statement writes; more would hardly save more.
    private static let length = 16

    init(_ table: LinkSide, on connection: Connection) {
        self.table = table
        self.connection = connection
        links.reserveCapacity(Self.length)
    }

    var isEmpty: Bool { links.isEmpty }

    /// Appends a link, without a position where its side has an order that it is not in; writes
    /// when enough have come together.
    func append(_ source: Int64, _ target: Int64, position: Int64?) throws(StoreError) {
        links.append(Link(source: source, target: target, position: position))
        if links.count == Self.length { try write() }
    }

    /// Writes the links that have been appended.
    func write() throws(StoreError) {
        defer { links.removeAll(keepingCapacity: true) }
        if links.count == Self.length {
            try run(try statement(of: Self.length), links[...])
        } else {
            for index in links.indices {
                try run(try statement(of: 1), links[index...index])
            }
        }
    }

    /// Forgets the links that have been appended and not been written.
    func discard() { links.removeAll(keepingCapacity: true) }

    private func run(_ statement: Statement, _ links: ArraySlice<Link>) throws(StoreError) {
        let isOrdered = table.position != nil
        var parameter: Int32 = 1
        for link in links {
            statement.bind(link.source, at: parameter)
            statement.bind(link.target, at: parameter &+ 1)
            parameter &+= 2
            guard isOrdered else { continue }
            if let position = link.position {
                statement.bind(position, at: parameter)
            } else {
                statement.bindNull(at: parameter)
            }
            parameter &+= 1
        }
        try statement.run()
    }

    private func statement(of count: Int) throws(StoreError) -> Statement {
        if let prepared = statements[count] { return prepared }
        let columns = [table.source, table.target] + (table.position.map { [$0] } ?? [])
        let row = "(\(columns.map { _ in "?" }.joined(separator: ", ")))"
        var sql =
            "INSERT INTO \(table.name) (\(columns.joined(separator: ", ")))"
            + " VALUES \(Array(repeating: row, count: count).joined(separator: ", "))"
        if let position = table.position {
            sql +=
                " ON CONFLICT DO UPDATE SET \(position) = excluded.\(position)"
                + " WHERE \(position) <> excluded.\(position)"
                + " OR \(position) IS NULL AND excluded.\(position) IS NOT NULL"
        } else {
            sql += " ON CONFLICT DO NOTHING"
        }
        let statement = try Statement(sql, on: connection)
        statements[count] = statement
        return statement
    }
}

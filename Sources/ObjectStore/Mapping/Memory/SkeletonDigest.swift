import CLarderSQLite

extension Snapshot {
    /// A digest of what a document has named of its objects, as the store has that by now: the values of attributes,
    /// and where relationships lead.
    ///
    /// Of all else, such as attributes that are not mapped, or other objects, it says nothing.
    package func digest(of skeleton: ImportSkeleton) throws -> UInt64 {
        try checkOpen()
        return try SkeletonDigest(skeleton, of: store.plan, on: connection).value()
    }
}

/// Reads what a document has named of its objects.
///
/// What nothing identifies comes to other rows each time: where a relationship leads there, it counts what that holds,
/// and not which row it is.
private struct SkeletonDigest {
    private typealias Link = (source: Int64, target: Int64)

    /// A to-one column, or the links of a to-many relationship.
    private struct Links {
        /// What is selected: the objects' rows, and those that they are linked to, in order.
        let columns: String
        let tables: String
        let source: String
        let condition: String
        let order: String
        /// The index of the entity that the table is named after where what nothing identifies is, nil where rows
        /// count.
        let content: Int?
    }

    /// What counts of the rows of a table.
    private struct Table {
        var columns: [String] = []
        var links: [Links] = []
    }

    private let plan: StorePlan
    private let connection: Connection
    /// By the indices of the entities that tables are named after, as are the rows.
    private var tables: [Int: Table] = [:]
    private var rows: [Int: [Int64]] = [:]

    /// The number of rows that are read at a time.
    private static let batchSize = 4_096
    /// How deep what nothing identifies may stand within its like.
    private static let maximumDepth = 16

    init(_ skeleton: ImportSkeleton, of plan: StorePlan, on connection: Connection) {
        (self.plan, self.connection) = (plan, connection)
        for root in plan.roots { tables[root.index] = table(of: root, skeleton.named) }
        let entities = Dictionary(plan.entities.map { ($0.rowKind, $0) }) { $1 }
        for part in skeleton.parts {
            guard let entity = entities[part.kind] else { continue }
            rows[plan.root(of: entity).index, default: []] += part.rows
        }
        for nested in skeleton.nested {
            guard let entity = entities[nested.kind] else { continue }
            // It counts where it is linked.
            if case .none = entity.identity { continue }
            rows[plan.root(of: entity).index, default: []] += nested.objects.rows
        }
    }

    func value() throws -> UInt64 {
        var sum = ByteSum()
        for (root, rows) in rows.sorted(by: { $0.key < $1.key }) {
            let rows = Self.ascending(rows)
            for start in stride(from: 0, to: rows.count, by: Self.batchSize) {
                let batch = Array(rows[start..<min(start + Self.batchSize, rows.count)])
                let sums = try sums(of: batch, in: root)
                for row in batch {
                    sum.add(UInt64(bitPattern: row))
                    sum.add(sums[row]?.value ?? 0)
                }
            }
        }
        return sum.value
    }

    // MARK: What counts

    private func table(of root: EntityPlan, _ named: [String: NamedFields]) -> Table {
        var table = Table()
        var known: Set<String> = []
        for entity in plan.members(beside: root) {
            guard let fields = named[entity.name] else { continue }
            for index in fields.columns where index < entity.columnCount {
                let name = entity.columnNames[index].sqlName
                guard known.insert(name).inserted else { continue }
                let column = entity.columns[index]
                guard column.destination >= 0, let content = content(column.destination) else {
                    table.columns.append("t0.\(name)")
                    continue
                }
                // What leads back from there to its owner says no more than that there is one.
                guard column.inverse == nil || self.content(root.index) == nil else {
                    table.columns.append("t0.\(name) IS NULL")
                    continue
                }
                table.links.append(
                    Links(
                        columns: "t0.\(root.rowid), t0.\(name)", tables: "\(root.table) AS t0",
                        source: "t0.\(root.rowid)", condition: " AND t0.\(name) IS NOT NULL",
                        order: "t0.\(root.rowid)", content: content))
            }
            for index in fields.lists.sorted() where index < entity.toMany.count {
                let links = LinkQuery(entity.toMany[index], in: plan)
                guard known.insert("\(links.table) \(links.source)").inserted else { continue }
                let source = "l.\(links.source)"
                table.links.append(
                    Links(
                        columns: "\(source), l.\(links.target)", tables: "\(links.table) AS l",
                        source: source,
                        condition: links.rowScope.map { " AND \($0)" } ?? "",
                        order: "\(source), \(links.order)",
                        content: content(entity.toMany[index].destination)))
            }
        }
        return table
    }

    /// The index of the entity that a destination's table is named after, where objects there may have no identity.
    private func content(_ destination: Int) -> Int? {
        let family = plan.entities[destination].family
        let isAnonymous = family.descendants.contains { index in
            guard case .none = plan.entities[index].identity else { return false }
            return !plan.entities[index].description.isAbstract
        }
        return isAnonymous ? family.members[0] : nil
    }

    // MARK: Reading

    /// The sums of what rows hold, by the rows that are there.
    ///
    /// - Parameter rows: The rows, ascending.
    private func sums(
        of rows: [Int64], in root: Int, depth: Int = 0
    ) throws -> [Int64: ByteSum] {
        guard !rows.isEmpty, let table = tables[root] else { return [:] }
        let entity = plan.entities[root]
        let row = "t0.\(entity.rowid)"
        var sums: [Int64: ByteSum] = [:]
        let columns = ([row] + table.columns).joined(separator: ", ")
        let statement = try select(
            columns, of: "\(entity.table) AS t0", where: row, isAmong: rows, "")
        defer { statement.reset() }
        while try statement.step() {
            var sum = ByteSum()
            for column in 0..<Int32(table.columns.count) {
                sum.add(statement.pointer, at: column + 1)
            }
            sums[statement.integer(at: 0)] = sum
        }
        for (index, links) in table.links.enumerated() {
            let found = try read(links, of: rows)
            var contents: [Int64: ByteSum]?
            if let content = links.content {
                contents =
                    depth < Self.maximumDepth
                    ? try self.sums(
                        of: Self.ascending(found.map(\.target)), in: content, depth: depth + 1)
                    : [:]
            }
            for link in found {
                sums[link.source]?.add(UInt64(index))
                sums[link.source]?.add(
                    contents.map { $0[link.target]?.value ?? 0 }
                        ?? UInt64(bitPattern: link.target))
            }
        }
        return sums
    }

    private func read(_ links: Links, of rows: [Int64]) throws -> [Link] {
        let statement = try select(
            links.columns, of: links.tables, where: links.source, isAmong: rows,
            "\(links.condition) ORDER BY \(links.order)")
        defer { statement.reset() }
        var found: [Link] = []
        while try statement.step() {
            found.append((statement.integer(at: 0), statement.integer(at: 1)))
        }
        return found
    }

    /// Selects where a column is one of some rows, or lies between them where they are close together.
    private func select(
        _ columns: String, of tables: String, where column: String, isAmong rows: [Int64],
        _ rest: String
    ) throws -> Statement {
        let range = RowSelection(rows)?.range
        let statement = try connection.prepare(
            "SELECT \(columns) FROM \(tables) WHERE \(column) "
                + (range == nil ? "IN (SELECT value FROM json_each(?))" : "BETWEEN ? AND ?") + rest)
        if let range {
            statement.bind(range.lowerBound, at: 1)
            statement.bind(range.upperBound, at: 2)
        } else {
            try statement.bind(.text(JSONText.array(rows)), at: 1)
        }
        return statement
    }

    private static func ascending(_ rows: [Int64]) -> [Int64] {
        var ascending: [Int64] = []
        ascending.reserveCapacity(rows.count)
        for row in rows.sorted() where row != ascending.last { ascending.append(row) }
        return ascending
    }
}

extension ByteSum {
    /// Adds a column of the row that a statement stands at, its type along with its value.
    fileprivate mutating func add(_ statement: OpaquePointer, at column: Int32) {
        let type = sqlite3_column_type(statement, column)
        add(UInt64(truncatingIfNeeded: type))
        switch type {
        case SQLITE_INTEGER:
            add(UInt64(bitPattern: sqlite3_column_int64(statement, column)))
        case SQLITE_FLOAT:
            add(sqlite3_column_double(statement, column).bitPattern)
        case SQLITE_TEXT:
            let text = UnsafeRawPointer(sqlite3_column_text(statement, column))
            add(text, count: sqlite3_column_bytes(statement, column))
        case SQLITE_BLOB:
            let bytes = sqlite3_column_blob(statement, column)
            add(bytes, count: sqlite3_column_bytes(statement, column))
        default:
            break
        }
    }

    private mutating func add(_ bytes: UnsafeRawPointer?, count: Int32) {
        add(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(count)))
    }
}

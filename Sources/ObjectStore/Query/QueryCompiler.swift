/// Turns a query into one SQL statement and the values to bind in it.
struct QueryCompiler {
    let plan: StorePlan
    let entity: EntityPlan
    /// The alias of each table that is at hand, by the path to it.
    private var aliases: [ColumnPath: (name: String, entity: EntityPlan)]
    private var aliasCount = 1
    /// The SQL of the joins to the table of the query and to that of each subquery being made.
    private var joins: [ColumnPath: String] = [:]
    private(set) var values: [SQLValue] = []
    /// The index that the query itself asks, and the condition on it.
    var searched: (search: SearchPlan, condition: String)?
    /// All indexes that are asked.
    private var searches: [String: SearchPlan] = [:]
    private var depth = 0

    /// The limit on the nesting of expressions: SQLite allows 1000, a thread's stack perhaps less.
    private static let maximumDepth = 200

    init(entity: EntityPlan, in plan: StorePlan) {
        self.plan = plan
        self.entity = entity
        aliases = [ColumnPath(): ("t0", entity)]
    }

    /// The SQL of the joins to the query's own table.
    var joined: String { joins[ColumnPath()] ?? "" }

    // MARK: Expressions

    mutating func sql(_ expression: QueryExpression) throws(StoreError) -> String {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw StoreError(
                .sqlite, "the query's expressions nest more than \(Self.maximumDepth) deep")
        }
        switch expression {
        case .column(let path, let name):
            return "\(try alias(path).name).\(name.sqlName)"
        case .row(let path):
            let alias = try alias(path)
            return "\(alias.name).\(alias.entity.rowid)"
        case .fetchedAt(let path):
            let alias = try alias(path)
            try alias.entity.checkKeepsFetchTimes()
            return alias.entity.fetchedAt(alias.name)
        case .value(.null):
            return "NULL"
        case .value(let value):
            try Self.checkIsComparable(value)
            return bind(value)
        case .list(let values):
            for value in values { try Self.checkIsComparable(value) }
            return list(values)
        case .object(let row, let store):
            try plan.check(isOf: store, entity.name)
            return bind(.integer(row))
        case .objects(let rows, let stores):
            for store in stores { try plan.check(isOf: store, entity.name) }
            return list(rows.map(SQLValue.integer))
        case .identity(let path, let values):
            return try isIdentified(path, by: values)
        case .joined(let junction, let tree):
            let operands = try list(tree.operands)
            return Self.joined(operands[...], by: " \(junction.rawValue) ")
        case .truth(let condition, let isTrue):
            return "(\(try sql(condition)) IS \(isTrue ? "" : "NOT ")1)"
        case .infix(let left, let sign, let right):
            return "(\(try sql(left)) \(sign) \(try sql(right)))"
        case .between(let value, let lower, let upper):
            return "(\(try sql(value)) BETWEEN \(try sql(lower)) AND \(try sql(upper)))"
        case .function(let name, let arguments):
            return "\(name)(\(try list(arguments).joined(separator: ", ")))"
        case .cast(let value, let type):
            return "CAST(\(try sql(value)) AS \(type))"
        case .collated(let value, let collation):
            return "\(try sql(value)) COLLATE \(collation)"
        case .links(let links):
            return try subquery(links)
        case .search(let attribute, let text):
            return try sql(searching: attribute, for: text)
        case .relevance:
            return relevance
        }
    }

    private mutating func isIdentified(
        _ path: ColumnPath, by values: [SQLValue]
    ) throws(StoreError) -> String {
        let (name, entity) = try alias(path)
        try entity.checkIdentity(values)
        // What nothing identifies is nowhere, whatever else nothing identifies.
        guard values.contains(where: { $0 != .null }) else { return "0" }
        let terms = zip(entity.description.identity, values).map { attribute, value in
            "\(name).\(attribute.sqlName) IS \(value == .null ? "NULL" : bind(value))"
        }
        let scope = entity.identityScope(name).map { [$0] } ?? []
        return "(\((terms + scope).joined(separator: " AND ")))"
    }

    private mutating func list(
        _ expressions: [QueryExpression]
    ) throws(StoreError) -> [String] {
        var list: [String] = []
        for expression in expressions { list.append(try sql(expression)) }
        return list
    }

    /// Joins operands in brackets, many in halves: SQLite limits how deeply expressions nest.
    private static func joined(_ operands: ArraySlice<String>, by sign: String) -> String {
        if operands.count <= 64 { return "(\(operands.joined(separator: sign)))" }
        let middle = operands.startIndex + operands.count / 2
        return "(\(joined(operands[..<middle], by: sign))\(sign)"
            + "\(joined(operands[middle...], by: sign)))"
    }

    /// Throws where a value is not a number, which SQLite would take for an empty one.
    private static func checkIsComparable(_ value: SQLValue) throws(StoreError) {
        guard case .real(let number) = value, number.isNaN else { return }
        throw StoreError(.unexpectedValue, "a query can't ask for what is not a number")
    }

    mutating func bind(_ value: SQLValue) -> String {
        values.append(value)
        return "?\(values.count)"
    }

    /// One parameter for a list of any length: SQLite allows some thousands, and each length would
    /// be a statement of its own.
    private mutating func list(_ list: [SQLValue]) -> String {
        guard let json = JSONText.array(list) else {
            let json = JSONText.arrayOfListed(list)
            return "(SELECT \(ListedValue.function)(value) FROM json_each(\(bind(.text(json)))))"
        }
        return "(SELECT value FROM json_each(\(bind(.text(json)))))"
    }

    // MARK: Tables

    /// The alias of the table at a path, joined when it is first asked for.
    mutating func alias(
        _ path: ColumnPath
    ) throws(StoreError) -> (name: String, entity: EntityPlan) {
        if let alias = aliases[path] { return alias }
        guard case .one(let name)? = path.steps.last else {
            throw StoreError(
                .unknownEntity,
                "a column of a to-many relationship stands outside of the condition on it")
        }
        let owner = try alias(path.parent)
        guard let column = owner.entity.columnNames.firstIndex(of: name),
            owner.entity.columns[column].destination >= 0
        else { throw unknown(name, of: owner.entity) }
        let destination = plan.entities[owner.entity.columns[column].destination]
        let alias = nextAlias()
        joins[path.scope, default: ""] +=
            " LEFT JOIN \(destination.table) AS \(alias)"
            + " ON \(alias).\(destination.rowid) = \(owner.name).\(name.sqlName)"
        aliases[path] = (alias, destination)
        return (alias, destination)
    }

    /// Notes that an index is asked.
    mutating func note(_ search: SearchPlan) { searches[search.name] = search }

    /// Indexes what the open transaction has written, before it is searched.
    func catchUpSearches(on connection: Connection) throws(StoreError) {
        for search in searches.values { try search.catchUp(on: connection) }
    }

    private mutating func nextAlias() -> String {
        defer { aliasCount += 1 }
        return "t\(aliasCount)"
    }

    private mutating func subquery(_ links: LinkExpression) throws(StoreError) -> String {
        let owner = try alias(links.owner)
        guard
            let relationship = owner.entity.toMany.first(where: { $0.name == links.relationship })
        else { throw unknown(links.relationship, of: owner.entity) }
        let query = LinkQuery(relationship, in: plan)
        let row = "\(owner.name).\(owner.entity.rowid)"
        if case .count = links.result, links.condition == nil {
            return "(SELECT count(*) FROM \(query.table) AS l WHERE l.\(query.source) = \(row)"
                + (query.rowScope.map { " AND \($0)" } ?? "") + ")"
        }
        let destination = plan.entities[relationship.destination]
        let alias = nextAlias()
        // A condition that was made outside of the one on the same relationship that it stands in has its
        // objects at the same path.
        let outer = aliases.filter { $0.key.isInside(links.each) }
        let outerJoins = joins.removeValue(forKey: links.each)
        for path in outer.keys { aliases[path] = nil }
        aliases[links.each] = (alias, destination)
        defer {
            aliases = aliases.filter { !$0.key.isInside(links.each) }
            aliases.merge(outer) { $1 }
            joins[links.each] = outerJoins
        }
        let result = try head(of: links.result)
        // Siblings that share the column may lead to the same owner.
        let scope = query.rowScope == nil ? nil : destination.rowScope(alias)
        var conditions =
            links.includesReferences
            ? [scope].compactMap(\.self) : [destination.isRow(.object, alias)]
        if let condition = links.condition { conditions.append(try sql(condition)) }
        let joined = joins.removeValue(forKey: links.each) ?? ""
        let tables =
            if case .column = relationship.storage {
                "\(destination.table) AS \(alias)\(joined) WHERE \(alias).\(query.source) = \(row)"
            } else {
                "\(query.table) AS l\(alias) JOIN \(destination.table) AS \(alias)"
                    + " ON \(alias).\(destination.rowid) = l\(alias).\(query.target)\(joined)"
                    + " WHERE l\(alias).\(query.source) = \(row)"
            }
        return "\(result) FROM \(tables)\(conditions.map { " AND \($0)" }.joined()))"
    }

    private mutating func head(
        of result: LinkExpression.Result
    ) throws(StoreError) -> String {
        switch result {
        case .count: "(SELECT count(*)"
        case .exists: "EXISTS (SELECT 1"
        case .missing: "NOT EXISTS (SELECT 1"
        case .aggregate(let function, let value): "(SELECT \(function)(\(try sql(value)))"
        }
    }

    private func unknown(_ name: String, of entity: EntityPlan) -> StoreError {
        StoreError(
            .unknownEntity, "\(entity.name) has no relationship \(name) in the store's model")
    }
}

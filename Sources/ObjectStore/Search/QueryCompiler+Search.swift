/// Conditions that ask a full-text index.
extension QueryCompiler {
    /// The condition that an attribute holds what is searched for.
    mutating func sql(
        searching attribute: QueryExpression, for text: SearchText
    ) throws(StoreError) -> String {
        guard case .column(let path, let name) = attribute else {
            throw StoreError(.sql, "only an attribute can be searched, not what is made of it")
        }
        let (alias, entity) = try alias(path)
        guard let search = plan.search(of: entity), let column = search.column(of: name, in: entity)
        else { throw unsearchable("\(entity.name).\(name) is not searchable") }
        if text.isEmpty { return "TRUE" }
        note(search)
        let pattern = bind(.text(text.pattern(columns: [column])))
        return "(\(alias).\(entity.rowid) IN"
            + " (SELECT rowid FROM \(search.table) WHERE \(search.table) MATCH \(pattern)))"
    }

    /// Makes the index of what a query searches for the first of its tables.
    mutating func begin(_ query: QueryDescription) throws(StoreError) {
        guard searched == nil, let text = query.search else { return }
        guard let search = plan.search(of: entity) else {
            throw unsearchable("\(entity.name) has no searchable attribute")
        }
        let columns = search.columns(of: entity)
        guard !columns.isEmpty else {
            throw unsearchable("\(entity.name) has no searchable attribute")
        }
        if text.isEmpty { return }
        note(search)
        searched = (
            search, "s.\(search.table) MATCH \(bind(.text(text.pattern(columns: columns))))"
        )
    }

    /// The tables of the query itself.
    ///
    /// The index comes first: SQLite would else perhaps ask it about each object.
    var source: String {
        guard let search = searched?.search else { return "\(entity.table) AS t0" }
        return "\(search.table) AS s CROSS JOIN \(entity.table) AS t0"
            + " ON t0.\(entity.rowid) = s.rowid"
    }

    /// The SQL of an object's rank among the matches; the smaller the better.
    var relevance: String {
        // FTS5 would take a comparison of the bare column for the name of a function.
        searched == nil ? "NULL" : "(+s.rank)"
    }

    private func unsearchable(_ message: String) -> StoreError {
        StoreError(.unknownEntity, "\(message) in the store's model")
    }
}

extension Connection {
    /// A statement that a compiler made, with its values bound.
    func prepare(
        _ sql: String, by compiler: QueryCompiler
    ) throws(StoreError) -> Statement {
        try compiler.catchUpSearches(on: self)
        let statement = try prepare(sql)
        try statement.bind(compiler.values)
        return statement
    }
}

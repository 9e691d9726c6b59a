extension Query {
    /// Keeps the objects whose searchable attributes hold all words of a text too.
    ///
    ///     Issue.matching("crash lau", by: .lastPrefix).sortedByRelevance().limit(20)
    ///
    /// Words stand between spaces, in any order and in any of the attributes; nothing in the text is
    /// an operator. What has several words in it, such as `foo-bar`, matches where they follow each
    /// other. Text without any word, such as `--`, finds nothing; empty text leaves the query as it
    /// is. Scripts without spaces are searched by what stands between other characters.
    ///
    /// Reading throws `StoreError` where the entity has no searchable attribute.
    public func matching(_ text: String, by matching: WordMatching = .wholeWords) -> Query {
        changed {
            let added = SearchText(text, matching)
            $0.search = $0.search.map { $0.joined(with: added) } ?? added
        }
    }

    /// Sorts what `matching` finds by how well it matches, best first, within the orders that were
    /// asked for before.
    ///
    /// The measure is BM25: rare words and short texts count more. Where nothing is searched for all
    /// objects are alike.
    public func sortedByRelevance() -> Query {
        changed { $0.sortKeys.append(.relevance) }
    }
}

extension SortKey {
    /// The best matches first.
    static var relevance: SortKey { SortKey(expression: .relevance, isDescending: false) }
}

extension Entity {
    /// The objects whose searchable attributes hold all words of a text; see
    /// ``Query/matching(_:by:)``.
    public static func matching(
        _ text: String, by matching: WordMatching = .wholeWords
    ) -> Query<Self> {
        all.matching(text, by: matching)
    }
}

extension Column where Value: TextValue {
    /// True where the attribute, which must be searchable, holds all words of a text.
    ///
    /// It searches one attribute, also of linked objects; `Query.matching` searches all of an entity's
    /// together, and can sort by relevance. Empty text matches all objects.
    public func matches(_ text: String, by matching: WordMatching = .wholeWords) -> Condition {
        Condition(expression: .search(expression, SearchText(text, matching)))
    }
}

/// Conditions that ask a full-text index.
extension QueryCompiler {
    /// The condition that an attribute holds what is searched for.
    mutating func sql(
        searching attribute: QueryExpression, for text: SearchText
    ) throws(StoreError) -> String {
        guard case .column(let path, let name) = attribute else {
            throw StoreError(.sqlite, "only an attribute can be searched, not what is made of it")
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

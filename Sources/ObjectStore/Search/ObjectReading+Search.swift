extension ObjectReading {
    /// The objects that a search finds, each with the piece of its text where the words are.
    ///
    ///     let query = Issue.matching("crash").sortedByRelevance().limit(20)
    ///     for hit in try store.hits(query) { print(hit.object.id, hit.snippet.marked("*", "*")) }
    ///
    /// It takes two statements. The piece is of whichever attribute has most of the words.
    ///
    /// - Parameter wordCount: How long the piece may be, from 1 to 64 words.
    public func hits<Object: Entity>(
        _ query: Query<Object>, wordCount: Int = 16
    ) throws -> [SearchHit<Object>] {
        let piece = SnippetRequest(attribute: nil, wordCount: wordCount)
        return try read { try $0.reader.hits(query, piece) }
    }

    /// The objects that a search finds, each with a piece of one of its attributes.
    ///
    /// - Parameters:
    ///   - attribute: A searchable attribute of the entity.
    ///   - wordCount: How long the piece may be, from 1 to 64 words; nil for the whole text.
    public func hits<Object: Entity, Text: TextValue>(
        _ query: Query<Object>, in attribute: (Object.Columns) -> Column<Text>,
        wordCount: Int? = 16
    ) throws -> [SearchHit<Object>] {
        let attribute = attribute(Query<Object>.columns).expression
        let piece = SnippetRequest(attribute: attribute, wordCount: wordCount)
        return try read { try $0.reader.hits(query, piece) }
    }
}

/// The piece of an object's text that is asked for.
struct SnippetRequest {
    /// Nil for whichever matches best.
    let attribute: QueryExpression?
    /// Nil for all.
    let wordCount: Int?
}

extension Reader {
    func hits<Object: Entity>(
        _ query: Query<Object>, _ piece: SnippetRequest
    ) throws -> [SearchHit<Object>] {
        let plan = try store.plan.entity(Object.entityName)
        let layout = RowLayout(Object.self, plan)
        var compiler = QueryCompiler(entity: plan, in: store.plan)
        let sql = try compiler.select(
            query.description, columns: layout.columnNames, expressions: [.relevance])
        let column = try piece.column(in: plan, of: store.plan)
        let statement = try connection.prepare(sql, by: compiler)
        defer { statement.reset() }
        let row = EntityRow(statement: statement.pointer, layout: layout, home: LinkedStore(store))
        var found: [(row: Int64, object: Object, rank: SQLValue)] = []
        while try statement.step() {
            let rank = statement.value(at: Int32(layout.columnNames.count))
            found.append((row.row, try Object(row: row), rank))
        }
        let snippets = try snippets(
            of: found.map(\.row), query.description, column: column, wordCount: piece.wordCount)
        return found.map { row, object, rank in
            let relevance = if case .real(let rank) = rank { -rank } else { 0.0 }
            return SearchHit(
                object: object, relevance: relevance,
                snippet: snippets[row] ?? Snippet("", between: Snippet.Marks()))
        }
    }

    /// Pieces of the text of objects that a search has found, by their rows.
    private func snippets(
        of rows: [Int64], _ query: QueryDescription, column: Int, wordCount: Int?
    ) throws -> [Int64: Snippet] {
        let plan = try store.plan.entity(query.entity)
        guard let text = query.search, !text.isEmpty, let search = store.plan.search(of: plan)
        else { return [:] }
        let marks = Snippet.Marks()
        let piece =
            wordCount == nil
            ? "highlight(\(search.table), \(column), ?2, ?3)"
            : "snippet(\(search.table), \(column), ?2, ?3, '…', \(min(max(wordCount ?? 1, 1), 64)))"
        let whole = wordCount == nil ? "s.\(search.columnNames[column])" : "NULL"
        let statement = try connection.prepare(
            "SELECT s.rowid, \(piece), \(whole) FROM json_each(?1) AS found CROSS JOIN \(search.table) AS s"
                + " ON s.rowid = found.value WHERE s.\(search.table) MATCH ?4")
        try statement.bind([
            .text(JSONText.array(rows)), .text(marks.opening), .text(marks.closing),
            .text(text.pattern(columns: search.columns(of: plan))),
        ])
        defer { statement.reset() }
        var snippets: [Int64: Snippet] = [:]
        while try statement.step() {
            snippets[statement.integer(at: 0)] = Snippet(
                statement.text(at: 1), between: marks,
                of: statement.isNull(at: 2) ? nil : statement.text(at: 2))
        }
        return snippets
    }
}

extension SnippetRequest {
    /// The column of the index, -1 for whichever matches best.
    fileprivate func column(in entity: EntityPlan, of plan: StorePlan) throws(StoreError) -> Int {
        guard let attribute else { return -1 }
        guard case .column(let path, let name) = attribute, path.isEmpty,
            let column = plan.search(of: entity)?.column(of: name, in: entity)
        else {
            throw StoreError(
                .unknownEntity, "snippets are of searchable attributes of \(entity.name) itself")
        }
        return column
    }
}

/// The full-text index of the entities that share a table: which of their attributes it holds, and
/// how it is kept.
///
/// The index is a table of FTS5 that reads the text itself where the objects are, so that nothing is
/// kept twice. Its columns are numbered, since FTS5 does not take every name. Rows that a
/// transaction inserts are only noted at first, by a trigger, and indexed together when it
/// commits or searches: row by row it would take several times as long.
struct SearchPlan: Sendable {
    /// The name of the index.
    let name: String
    /// The attributes in it, in the order of its columns.
    let attributes: [String]
    /// The index of the family's first entity.
    let root: Int
    /// The objects' table, without quotes.
    let content: String
    let rowid: String

    /// Nil where none of the family's attributes is searchable.
    init?(root: EntityPlan, members: [EntityPlan]) {
        var attributes: [String] = []
        for attribute in members.flatMap(\.description.attributes)
        where attribute.isSearchable && !attributes.contains(attribute.name) {
            attributes.append(attribute.name)
        }
        guard !attributes.isEmpty else { return nil }
        // Descriptions are equal in whatever order their attributes stand.
        self.attributes = attributes.sorted()
        self.root = root.index
        content = root.family.tableName
        rowid = root.rowid
        name = "\(content).$search"
    }

    /// The name of the index, quoted.
    var table: String { name.sqlName }

    /// The column of the index that an attribute of an entity is in; nil where it can't be searched.
    func column(of attribute: String, in entity: EntityPlan) -> Int? {
        entity.description.attribute(named: attribute)?.isSearchable == true
            ? attributes.firstIndex(of: attribute) : nil
    }

    /// The columns of the index that an entity's searchable attributes are in.
    func columns(of entity: EntityPlan) -> [Int] {
        attributes.indices.filter { column(of: attributes[$0], in: entity) != nil }
    }

    /// The tables that belong to the index: those of FTS5, what it reads, and the rows that are to be read.
    var tableNames: [String] {
        [name, textView, pendingName]
            + ["config", "data", "docsize", "idx", "content"].map { "\(name)_\($0)" }
    }

    // MARK: Names

    /// The name of the view that gives the index its text.
    var textView: String { "\(content).$text" }

    /// The table of the rows that are not indexed yet, quoted.
    var pending: String { pendingName.sqlName }

    private var pendingName: String { "\(content).$unindexed" }

    /// The names of the index's columns.
    var columnNames: [String] { attributes.indices.map { "c\($0)" } }

    // MARK: Indexing

    /// Indexes the rows that have been noted.
    func catchUp(on connection: Connection) throws(StoreError) {
        let isBehind = try connection.value("SELECT EXISTS (SELECT 1 FROM \(pending))")
        guard isBehind == .integer(1) else { return }
        let names = columnNames.joined(separator: ", ")
        try connection.prepare(
            "INSERT INTO \(table) (rowid, \(names)) SELECT text.row, \(names)"
                + " FROM \(pending) AS noted CROSS JOIN \(textView.sqlName) AS text"
                + " ON text.row = noted.row"
        ).run()
        try connection.prepare("DELETE FROM \(pending)").run()
    }

    /// Notes all rows, so that nothing is taken out of an index that does not hold it yet.
    func noteAll(on connection: Connection) throws(StoreError) {
        try connection.execute(
            "INSERT OR IGNORE INTO \(pending) SELECT row FROM \(textView.sqlName)")
    }

    /// Makes the index anew.
    func rebuild(on connection: Connection) throws(StoreError) {
        try connection.execute("INSERT INTO \(table) (\(table)) VALUES ('rebuild')")
        try connection.execute("DELETE FROM \(pending)")
    }

    /// Empties the index of a family whose rows are all about to be deleted: FTS5 would keep the words of each, with
    /// a note that it is gone.
    func empty(on connection: Connection) throws(StoreError) {
        try connection.execute("INSERT INTO \(table) (\(table)) VALUES ('delete-all')")
        try noteAll(on: connection)
    }

    /// Merges the index, in which the words of what is gone stay until then, where the file has room for that and the
    /// index is not damaged, which is for a check of the store to say.
    func merge(on connection: Connection) throws(StoreError) {
        do throws(StoreError) {
            try connection.execute("INSERT INTO \(table) (\(table)) VALUES ('optimize')")
        } catch  where [.full, .damaged, .sqlite].contains(error.reason) {}
    }

    /// Whether the index holds what the objects say, which only a connection that writes can ask.
    func isSound(on connection: Connection) throws(StoreError) -> Bool {
        do throws(StoreError) {
            try connection.execute(
                "INSERT INTO \(table) (\(table), rank) VALUES ('integrity-check', 1)")
        } catch  where error.reason == .damaged || error.reason == .sqlite {
            return false
        }
        return try connection.value("SELECT EXISTS (SELECT 1 FROM \(pending))") == .integer(0)
    }
}

extension StorePlan {
    /// The index that an entity's searchable attributes are in, nil where it has none.
    func search(of entity: EntityPlan) -> SearchPlan? {
        searches.first { entity.family.members.first == $0.root }
    }

    /// Indexes what a transaction has written so far.
    func catchUpSearches(on connection: Connection) throws(StoreError) {
        for search in searches { try search.catchUp(on: connection) }
    }
}

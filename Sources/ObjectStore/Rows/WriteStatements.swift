/// The statements that a writing connection has prepared for mapping, kept from one document to
/// the next.
final class WriteStatements {
    let connection: Connection
    /// The log in which those who write note what they change.
    let changes: ChangeLog
    /// The rows of which the transaction has noted so far that they have gone, or come.
    var notedRows: [NotedRow] = []
    /// Knows whether anybody wants to know of those.
    let rowLog: NotedRows
    /// The numbers that new rows must have.
    private let numbers: RowNumbers
    private let entities: [EntityStatements]
    private let families: [FamilyStatements]
    private let fetchTimes: [FetchTimes]
    private var links: [[LinkStatements?]]
    private var allLinks: [LinkStatements] = []
    private let linkChanges = LinkChanges()
    /// The count of changes up to which all links have been written.
    private var writtenChanges = 0

    init(
        plan: StorePlan, connection: Connection, changes: ChangeLog,
        rowLog: NotedRows = NotedRows()
    ) {
        self.rowLog = rowLog
        self.connection = connection
        self.changes = changes
        let numbers = RowNumbers(plan: plan, connection: connection)
        self.numbers = numbers
        entities = plan.entities.map {
            EntityStatements(plan: $0, connection: connection, numbers: numbers)
        }
        families = plan.entities.map {
            FamilyStatements(plan: $0, connection: connection, numbers: numbers)
        }
        fetchTimes =
            plan.keepsFetchTimes
            ? plan.entities.map { FetchTimes(plan: $0, connection: connection) } : []
        links = plan.entities.map { Array(repeating: nil, count: $0.toMany.count) }
    }

    func entity(_ plan: EntityPlan) -> EntityStatements { entities[plan.index] }

    /// The statements of an entity that shares its table.
    func family(_ plan: EntityPlan) -> FamilyStatements { families[plan.index] }

    /// The statements of an entity of which it is kept when objects were fetched.
    func fetchTimes(of plan: EntityPlan) -> FetchTimes { fetchTimes[plan.index] }

    /// The statements of a to-many relationship that has a table.
    func links(
        _ table: LinkSide, of index: Int, in plan: EntityPlan
    ) throws(StoreError) -> LinkStatements {
        if let prepared = links[plan.index][index] { return prepared }
        let statements = try LinkStatements(
            table, on: connection, changes: linkChanges, log: changes)
        links[plan.index][index] = statements
        allLinks.append(statements)
        return statements
    }

    // MARK: What is read ahead and written late

    /// Writes the links that wait to be written with others.
    func writeLinks() throws(StoreError) {
        guard writtenChanges != linkChanges.count else { return }
        writtenChanges = linkChanges.count
        for statements in allLinks where !statements.queue.isEmpty { try statements.queue.write() }
    }

    /// Objects are about to be deleted, and links to them with them.
    func prepareDeletion() throws(StoreError) {
        numbers.forget()
        linkChanges.note()
        try writeLinks()
    }

    /// Ends reading ahead: from now on others may write.
    func close() {
        for statements in allLinks { statements.close() }
        for statements in entities { statements.close() }
    }

    /// A transaction begins: others may have written since the last one.
    func begin() {
        numbers.begin()
        notedRows = []
    }

    /// The transaction is committed.
    func noteCommit() {
        guard !notedRows.isEmpty else { return }
        rowLog.commit(notedRows)
        notedRows = []
    }

    /// Notes a row that a list has brought of an object that nothing identifies.
    func noteArrived(_ row: Int64, of entity: EntityPlan) {
        notedRows.append(NotedRow(note: .brought(root: entity.family.members[0]), row: row))
    }

    /// Notes rows that lists had brought, and whose place another one takes, which is the whole of a scope.
    func noteReplaced(_ rows: [Int64], of entity: EntityPlan, in scope: String) {
        let root = entity.family.members[0]
        for note in [NotedRow.Note.replaced(root: root), .replacedIn(scope: scope, root: root)] {
            notedRows += rows.map { NotedRow(note: note, row: $0) }
        }
    }

    /// Notes the rows that a rollback of the transaction, or of a part of it, takes back.
    func prepareRollback() {
        // SQLite has rolled back by itself after some failures, such as a full disk.
        if connection.isInTransaction {
            try? numbers.prepareRollback()
        } else {
            try? numbers.noteRollback()
        }
    }

    /// Forgets the links that have not been written: what they belong to is undone.
    func discard() {
        numbers.forget()
        for statements in allLinks { statements.queue.discard() }
        writtenChanges = linkChanges.count
    }
}

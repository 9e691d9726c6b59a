/// The columns that records of an entity, and of those below it, are read from.
struct RecordLayout {
    /// The columns' names: the rowid, the entity's name where there is a choice, what tells references,
    /// then all that one of the entities has.
    let columnNames: [String]
    private let plan: EntityPlan
    /// The index of the column that is empty unless the object has not arrived.
    private let referenceColumn: Int32
    /// By the name of an entity: its plan, and where its columns are.
    private var members: [String: (plan: EntityPlan, columns: [Int32])] = [:]

    init(_ plan: EntityPlan, in store: StorePlan) {
        self.plan = plan
        var names = [plan.family.rowidName]
        if !plan.family.isAlone { names.append(EntityFamily.entityColumn) }
        referenceColumn = Int32(names.count)
        names.append(EntityPlan.referenceColumn)
        let first = names.count
        var places: [String: Int32] = [:]
        // The entity itself is among them; ancestors are there for rows that are still references.
        for index in Set(plan.family.descendants).union(plan.family.ancestors).sorted() {
            let member = store.entities[index]
            for name in member.columnNames where places[name] == nil {
                places[name] = Int32(names.count)
                names.append(name)
            }
            members[member.name] = (member, member.columnNames.map { places[$0] ?? Int32(first) })
        }
        columnNames = names
    }

    /// Reads the record in a statement's row.
    func record(in statement: Statement, of store: Store) throws(StoreError) -> Record {
        let name = plan.family.isAlone ? plan.name : statement.text(at: 1)
        guard let member = members[name] else {
            throw StoreError(
                .unexpectedValue, "an object of \(name) stands where one of \(plan.name) belongs")
        }
        return Record(
            plan: member.plan, row: statement.integer(at: 0),
            values: member.columns.map { statement.value(at: $0) },
            isComplete: statement.isNull(at: referenceColumn), store: store)
    }
}

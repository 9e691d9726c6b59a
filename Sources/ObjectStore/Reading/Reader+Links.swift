/// Objects of to-many relationships, read for many owners together.
extension Reader {
    /// The objects that a to-many relationship links, by the row of their owner, in its order.
    ///
    /// Objects that are known by a reference only are left out.
    func objects<Object: Entity>(
        _ type: Object.Type, of relationship: String, owners: [Int64], entity: String
    ) throws -> [Int64: [Object]] {
        let plan = try store.plan.entity(entity)
        guard let relationship = plan.toMany.first(where: { $0.name == relationship }) else {
            throw StoreError(
                .unknownEntity, "\(entity) has no relationship \(relationship) in the store's model"
            )
        }
        let links = LinkQuery(relationship, in: store.plan)
        let statement = try connection.prepare(
            "SELECT l.\(links.source), l.\(links.target) FROM json_each(?) AS owner"
                + " CROSS JOIN \(links.table) AS l ON l.\(links.source) = owner.value"
                + " ORDER BY owner.key, \(links.order)")
        try statement.bind(.text(JSONText.array(Set(owners).sorted())), at: 1)
        defer { statement.reset() }
        var rows: [(owner: Int64, row: Int64)] = []
        while try statement.step() {
            rows.append((statement.integer(at: 0), statement.integer(at: 1)))
        }
        let objects = try completeObjects(type, rows: Set(rows.map(\.row)).sorted())
        var linked: [Int64: [Object]] = [:]
        for (owner, row) in rows {
            if let object = objects[row] { linked[owner, default: []].append(object) }
        }
        return linked
    }

    /// The objects in rows that hold more than a reference.
    func completeObjects<Object: Entity>(
        _ type: Object.Type, rows: [Int64]
    ) throws -> [Int64: Object] {
        let plan = try store.plan.entity(type.entityName)
        let layout = RowLayout(type, plan)
        let columns = layout.columnNames.map { "t0.\($0.sqlName)" }.joined(separator: ", ")
        let statement = try connection.prepare(
            "SELECT \(columns) FROM json_each(?) AS row CROSS JOIN \(plan.table) AS t0"
                + " ON t0.\(plan.rowid) = row.value AND \(plan.isRow(.object, "t0"))")
        try statement.bind(.text(JSONText.array(rows)), at: 1)
        defer { statement.reset() }
        let row = EntityRow(statement: statement.pointer, layout: layout, home: LinkedStore(store))
        var objects: [Int64: Object] = [:]
        while try statement.step() { objects[row.row] = try Object(row: row) }
        return objects
    }
}

/// Rows that hold no object.
extension Reader {
    /// The values that identify the object in a row, or the reference there, in the order of its
    /// entity's identity; nil where there is neither, or it has no identity.
    func identity(of row: Int64, as plan: EntityPlan) throws -> [SQLValue]? {
        let names = plan.description.identity.map { "t0.\($0.sqlName)" }
        guard !names.isEmpty else { return nil }
        let find = try connection.prepare(
            "SELECT \(names.joined(separator: ", ")) FROM \(plan.table) AS t0"
                + " WHERE t0.\(plan.rowid) = ?" + plan.rowCondition("t0"))
        find.bind(row, at: 1)
        defer { find.reset() }
        guard try find.step() else { return nil }
        return names.indices.map { find.value(at: Int32($0)) }
    }

    /// The values that identify the objects in rows that are there, or the references, in the rows' order.
    func identities(of rows: [Int64], as plan: EntityPlan) throws -> [[SQLValue]] {
        let names = plan.description.identity.map { "t0.\($0.sqlName)" }
        guard !names.isEmpty, !rows.isEmpty else { return [] }
        let find = try connection.prepare(
            "SELECT \(names.joined(separator: ", ")) FROM json_each(?) AS row"
                + " CROSS JOIN \(plan.table) AS t0 ON t0.\(plan.rowid) = row.value"
                // Those of entities that add to it could not be found by it.
                + (plan.identityScope("t0").map { " AND \($0)" } ?? "") + " ORDER BY row.key")
        try find.bind(.text(JSONText.array(rows)), at: 1)
        defer { find.reset() }
        var identities: [[SQLValue]] = []
        while try find.step() {
            identities.append(names.indices.map { find.value(at: Int32($0)) })
        }
        return identities
    }

    /// The row of the object, or the reference, that values identify; nil where there is none.
    func row(identifiedBy values: [SQLValue], of plan: EntityPlan) throws -> Int64? {
        let names = plan.description.identity.map { "t0.\($0.sqlName) IS ?" }
        guard !names.isEmpty, names.count == values.count else { return nil }
        let scopes = [plan.identityScope("t0"), plan.rowScope("t0")].compactMap(\.self)
        let find = try connection.prepare(
            "SELECT t0.\(plan.rowid) FROM \(plan.table) AS t0 WHERE "
                + (names + scopes).joined(separator: " AND "))
        try find.bind(values)
        defer { find.reset() }
        return try find.step() ? find.integer(at: 0) : nil
    }

    /// Those of some identities, each once, that no object has of those among which they are unique; their values are
    /// in the order of the columns.
    func missing(_ identities: [[SQLValue]], of plan: EntityPlan) throws -> [[SQLValue]] {
        let names = plan.identifying.columns.map { "t0.\(plan.columnNames[$0].sqlName) IS ?" }
        guard !names.isEmpty else { return [] }
        let scopes = [plan.identityScope("t0"), EntityPlan.isMarked(.object, "t0")]
            .compactMap(\.self)
        let find = try connection.prepare(
            "SELECT 1 FROM \(plan.table) AS t0 WHERE "
                + (names + scopes).joined(separator: " AND "))
        defer { find.reset() }
        var known: Set<[SQLValue]> = []
        return try identities.filter { identity in
            guard identity.count == names.count, known.insert(identity).inserted else {
                return false
            }
            find.reset()
            try find.bind(identity)
            return try !find.step()
        }
    }

    /// Whether a row holds an object; nil where there is no row, false where it is a reference.
    func isComplete(_ row: Int64, of plan: EntityPlan) throws -> Bool? {
        let find = try connection.prepare(
            "SELECT \(EntityPlan.isMarked(.object, "t0")) FROM \(plan.table) AS t0"
                + " WHERE t0.\(plan.rowid) = ?"
                + (plan.rowScope("t0").map { " AND \($0)" } ?? ""))
        find.bind(row, at: 1)
        defer { find.reset() }
        return try find.step() ? find.integer(at: 0) != 0 : nil
    }

    /// Throws where a row is not there any more; references are.
    func checkIsThere(_ row: Int64, of plan: EntityPlan) throws {
        if try isComplete(row, of: plan) == nil { throw StoreError.goneObject(of: plan) }
    }

    /// Throws where one of the rows is not there any more; references are.
    func checkAreThere(_ rows: [Int64], of plan: EntityPlan) throws {
        guard try areThere(rows, of: plan, as: plan.rowCondition("t0")) else {
            throw StoreError.goneObject(of: plan)
        }
    }

    /// Whether all rows are there, and are as a condition says.
    private func areThere(
        _ rows: [Int64], of plan: EntityPlan, as condition: String
    ) throws -> Bool {
        let row = "t0.\(plan.rowid)"
        // What a list has brought has mostly come to rows one behind the other.
        if let range = RowSelection.unbroken(rows) {
            let count = try connection.prepare(
                "SELECT count(*) FROM \(plan.table) AS t0 WHERE \(row) BETWEEN ? AND ?" + condition)
            count.bind(range.lowerBound, at: 1)
            count.bind(range.upperBound, at: 2)
            defer { count.reset() }
            return try count.step() && count.integer(at: 0) == Int64(rows.count)
        }
        let count = try connection.prepare(
            "SELECT count(*) FROM json_each(?) AS row CROSS JOIN \(plan.table) AS t0"
                + " ON \(row) = row.value" + condition)
        try count.bind(.text(JSONText.array(rows)), at: 1)
        defer { count.reset() }
        return try count.step() && count.integer(at: 0) == Int64(rows.count)
    }

    /// Those of the rows that are there, in their order, and the references among them.
    func present(
        _ rows: [Int64], of plan: EntityPlan
    ) throws -> (rows: [Int64], references: Set<Int64>) {
        // Mostly all of them are objects, and to count them takes less than to sort them.
        if try rows.isEmpty || areThere(rows, of: plan, as: " AND \(plan.isRow(.object, "t0"))") {
            return (rows, [])
        }
        let find = try connection.prepare(
            "SELECT row.value, \(EntityPlan.isMarked(.reference, "t0"))"
                + " FROM json_each(?) AS row CROSS JOIN \(plan.table) AS t0 ON t0.\(plan.rowid) = row.value"
                + plan.rowCondition("t0")
                + " ORDER BY row.key")
        try find.bind(.text(JSONText.array(rows)), at: 1)
        defer { find.reset() }
        var present: [Int64] = []
        var references: Set<Int64> = []
        present.reserveCapacity(rows.count)
        while try find.step() {
            let row = find.integer(at: 0)
            present.append(row)
            if find.integer(at: 1) != 0 { references.insert(row) }
        }
        return (present, references)
    }

    /// The error for a row that holds no object.
    func missing<Object: Entity>(_ type: Object.Type, row: Int64) throws -> StoreError {
        let plan = try store.plan.entity(type.entityName)
        guard try isComplete(row, of: plan) == false else {
            return StoreError.goneObject(of: plan)
        }
        let identity =
            try identity(of: row, as: plan).map { " \(IdentityValues(identityValues: $0))" } ?? ""
        return StoreError(
            .incompleteObject,
            "\(plan.name)\(identity) is known by a reference only: the object has not arrived")
    }
}

extension StoreError {
    /// The error for an object that has been read and is not in the store any more.
    static func goneObject(of plan: EntityPlan) -> StoreError {
        StoreError(.missingObject, "an object of \(plan.name) is not in the store any more")
    }
}

extension QueryDescription {
    /// Throws where the query looks for references, which are no objects.
    func checkFindsObjects() throws(StoreError) {
        guard rowKind == .reference else { return }
        throw StoreError(
            .incompleteObject,
            "references to \(entity) can't be read as objects; select their identities")
    }
}

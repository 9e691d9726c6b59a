/// Rows that hold no object.
extension Reader {
    /// The values that identify the object in a row, or the reference there, in the order of its
    /// entity's identity; nil where there is neither, or it has no identity.
    func identity(of row: Int64, as plan: EntityPlan) throws -> [SQLValue]? {
        let names = plan.description.identity.map { "t0.\($0.sqlName)" }
        guard !names.isEmpty else { return nil }
        let find = try connection.prepare(
            "SELECT \(names.joined(separator: ", ")) FROM \(plan.table) AS t0"
                + " WHERE t0.\(plan.rowid) = ?"
                + (plan.rowScope("t0").map { " AND \($0)" } ?? ""))
        find.bind(row, at: 1)
        defer { find.reset() }
        guard try find.step() else { return nil }
        return names.indices.map { find.value(at: Int32($0)) }
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
        let count = try connection.prepare(
            "SELECT count(*) FROM json_each(?) AS row CROSS JOIN \(plan.table) AS t0"
                + " ON t0.\(plan.rowid) = row.value")
        try count.bind(.text(JSONText.array(rows)), at: 1)
        defer { count.reset() }
        guard try count.step(), count.integer(at: 0) == Int64(rows.count) else {
            throw StoreError.goneObject(of: plan)
        }
    }

    /// The error for a row that holds no object.
    func missing<Object: Entity>(_ type: Object.Type, row: Int64) throws -> StoreError {
        let plan = try store.plan.entity(type.entityName)
        guard try isComplete(row, of: plan) == false else {
            return StoreError.goneObject(of: plan)
        }
        let identity = try identity(of: row, as: plan).map { " \(ObjectIdentity($0))" } ?? ""
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

extension EntityPlan {
    /// Returns the problems of this entity's own objects, without those of sub-entities.
    func problems(on connection: Connection) throws(StoreError) -> [IntegrityReport.Problem] {
        if description.isAbstract { return [] }
        var problems: [IntegrityReport.Problem] = []
        for column in requiredRest.columns + identifying.columns
        where !columns[column].isOptional {
            let count = try connection.number(
                "SELECT count(*) \(objects) AND o.\(columnNames[column].sqlName) IS NULL")
            if count > 0 {
                problems.append(
                    .incomplete(entity: name, property: columnNames[column], count: count))
            }
        }
        for attribute in description.attributes {
            let count = try unfitCount(of: attribute, on: connection)
            if count > 0 {
                problems.append(.unfit(entity: name, attribute: attribute.name, count: count))
            }
        }
        return problems
    }

    /// The objects' table as `o`, and the condition for them.
    private var objects: String {
        "FROM \(table) AS o WHERE \(Self.isMarked(.object, "o"))"
            + (ownScope("o").map { " AND \($0)" } ?? "")
    }

    private func unfitCount(
        of attribute: AttributeDescription, on connection: Connection
    ) throws(StoreError) -> Int {
        let allowed = attribute.allowedValues
        if case .all = allowed.kind { return 0 }
        let column = "o.\(attribute.name.sqlName)"
        let values = try connection.prepare("SELECT \(column) \(objects) AND \(column) IS NOT NULL")
        defer { values.reset() }
        var count = 0
        while try values.step() {
            if !allowed.contains(values.value(at: 0)) { count += 1 }
        }
        return count
    }
}

/// The values in a damaged store that only damage can have put there: those that the Swift types of
/// attributes do not take, and did not when the store was written.
///
/// Where a type took other values then, the app's migration decides on those that are there.
struct UnfitValues {
    /// An attribute that does not take all values of its column.
    private struct Place {
        /// The attribute as the app has it.
        let attribute: AttributeDescription
        /// The column's name, quoted.
        let column: String
        /// The SQL of the value that is kept of what the row `t` holds.
        let kept: String
        let isIdentifying: Bool
    }

    /// The attributes by the indices of the entities in the store.
    private let places: [Int: [Place]]
    private let app: StorePlan

    /// - Parameters:
    ///   - plan: The entities as they are in the store.
    ///   - stored: What the store says of itself; nil where that is lost.
    ///   - app: The entities as the app has them.
    init(in plan: StorePlan, writtenBy stored: StoredModel?, for app: StorePlan) throws {
        let current = StoredModel.allowedValues(of: app.model)
        var places: [Int: [Place]] = [:]
        for match in ModelMapping(from: plan.model, to: app.model).matches.values {
            let (old, new) = try (plan.entity(match.old.name), app.entity(match.new.name))
            for attribute in match.new.attributes {
                guard let before = match.attributes[attribute.name], before.type == attribute.type,
                    let column = old.columnNames.firstIndex(of: before.name), attribute.isNarrow,
                    stored?.hasAllowedValues != true
                        || stored?.allowedValues["\(old.name).\(before.name)"]
                            == current["\(new.name).\(attribute.name)"]
                else { continue }
                let name = before.name.sqlName
                places[old.index, default: []].append(
                    Place(
                        attribute: attribute, column: name,
                        kept: ValueNarrowing.sql("t.\(name)", for: attribute.name, of: new),
                        isIdentifying: old.identifying.contains(column)))
            }
        }
        self.places = places
        self.app = app
    }

    /// Makes what it needs known to a connection.
    func register(on connection: Connection) throws(StoreError) {
        try ValueNarrowing.register(app, on: connection)
    }

    /// Takes such values from the rows of an entity, whose attributes are left with what a migration
    /// would leave them with; rows go that are identified by such values.
    ///
    /// - Returns: The number of values and rows that have gone.
    func remove(from entity: EntityPlan, on connection: Connection) throws -> Int {
        var count = 0
        for place in places[entity.index] ?? [] {
            // What is identified by another spelling of the same is no damage.
            let isOther =
                place.isIdentifying
                ? "\(place.kept) IS NULL AND t.\(place.column) IS NOT NULL"
                : "\(place.kept) IS NOT t.\(place.column)"
            let isUnfit = " WHERE \(isOther)" + (entity.ownScope("t").map { " AND \($0)" } ?? "")
            if place.isIdentifying {
                try connection.execute("DELETE FROM \(entity.table) AS t\(isUnfit)")
            } else {
                var value = place.kept
                if !place.attribute.isOptional, let filler = place.attribute.defaultValue {
                    // References hold no defaults.
                    value =
                        "coalesce(\(value), iif(\(EntityPlan.isMarked(.object, "t")),"
                        + " \(filler.sqlValue.literal), NULL))"
                }
                try connection.execute(
                    "UPDATE \(entity.table) AS t SET \(place.column) = \(value)\(isUnfit)")
            }
            count += connection.changeCount
        }
        return count
    }
}

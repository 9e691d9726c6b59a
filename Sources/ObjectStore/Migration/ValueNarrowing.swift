import CLarderSQLite

/// Finds the attributes that don't take all values that a store has in them, since their Swift type
/// takes fewer values of the same stored type than it did.
struct ValueNarrowing {
    private let stored: StoredModel
    private let old: StorePlan
    private let new: StorePlan
    private let current: [String: String]
    /// Whether the app's model has a higher version, and all values are looked at.
    private let isNewer: Bool

    init(from stored: StoredModel, _ old: StorePlan, to new: StorePlan, isNewer: Bool) {
        self.stored = stored
        self.old = old
        self.new = new
        self.isNewer = isNewer
        current = StoredModel.allowedValues(of: new.model)
    }

    /// Looks at the values of attributes that may take fewer than before.
    func find(in mapping: inout ModelMapping, on connection: Connection) throws {
        for match in mapping.matches.values {
            let narrowed = try match.new.attributes.filter { attribute in
                try isNarrowed(attribute, match, on: connection)
            }
            mapping.narrow(Set(narrowed.map(\.name)), of: match.new.name)
        }
    }

    private func isNarrowed(
        _ attribute: AttributeDescription, _ match: ModelMapping.Match, on connection: Connection
    ) throws -> Bool {
        guard let before = match.attributes[attribute.name],
            let signature = current["\(match.new.name).\(attribute.name)"],
            isNewer || before.type != attribute.type
                || stored.allowedValues["\(match.old.name).\(before.name)"] != signature
        else { return false }
        let entity = try old.entity(match.old.name)
        let value = ValueConversion(from: before.type, to: attribute.type)
            .sql("o.\(before.name.sqlName)")
        let kept = Self.sql(value, for: attribute.name, of: try new.entity(match.new.name))
        return try connection.number(
            "SELECT EXISTS (SELECT 1 FROM \(entity.table) AS o"
                + " WHERE \(entity.ownScope("o") ?? "TRUE") AND \(kept) IS NOT \(value))") > 0
    }

    // MARK: SQL

    /// The SQL that gives the value that an attribute keeps of what an expression gives; `NULL`
    /// where it takes nothing like it.
    static func sql(_ expression: String, for attribute: String, of entity: EntityPlan) -> String {
        let index = entity.description.attributes.firstIndex { $0.name == attribute }
        return "larder_narrow(\(expression), \(entity.index), \(index ?? -1))"
    }

    /// Makes the SQL of narrowing to a plan's attributes known to a connection.
    static func register(_ new: StorePlan, on connection: Connection) throws(StoreError) {
        try SQLFunction.add(
            "larder_narrow", argumentCount: 3, to: connection, lending: new
        ) { context, count, arguments in
            guard count == 3, let arguments, let value = arguments[0],
                let entity = arguments[1], let attribute = arguments[2],
                let plan = SQLFunction.lent(StorePlan.self, to: context)
            else { return sqlite3_result_null(context) }
            let index = Int(sqlite3_value_int64(entity))
            let column = Int(sqlite3_value_int64(attribute))
            guard plan.entities.indices.contains(index),
                plan.entities[index].description.attributes.indices.contains(column)
            else { return sqlite3_result_null(context) }
            let description = plan.entities[index].description.attributes[column]
            let old = SQLValue(value)
            guard description.takes(old) else { return sqlite3_result_null(context) }
            let kept = description.allowedValues.nearest(to: old)
            if kept == old {
                sqlite3_result_value(context, value)
            } else {
                kept.asResult(of: context)
            }
        }
    }
}

extension ValueConversion {
    /// The SQL that converts what an expression gives; `NULL` where it can't be.
    func sql(_ expression: String) -> String {
        guard from != to, let source = Self.types.firstIndex(of: from),
            let target = Self.types.firstIndex(of: to)
        else { return expression }
        return "larder_convert(\(expression), \(source), \(target))"
    }

    fileprivate static let types = AttributeType.allCases

    /// Makes the SQL of conversions known to a connection.
    static func register(on connection: Connection) throws(StoreError) {
        try SQLFunction.add("larder_convert", argumentCount: 3, to: connection) {
            context, count, arguments in
            guard count == 3, let arguments, let value = arguments[0],
                let source = arguments[1], let target = arguments[2]
            else { return sqlite3_result_null(context) }
            let from = Int(sqlite3_value_int64(source))
            let to = Int(sqlite3_value_int64(target))
            let types = ValueConversion.types
            guard types.indices.contains(from), types.indices.contains(to) else {
                return sqlite3_result_null(context)
            }
            let conversion = ValueConversion(from: types[from], to: types[to])
            conversion.convert(SQLValue(value))?.asResult(of: context)
        }
    }
}

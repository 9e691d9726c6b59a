/// The rules of a type, asked about rows.
struct ObjectRules: Sendable {
    /// A row that breaks a rule.
    struct Breach {
        let row: Int64
        let rule: String
    }

    /// The number of objects read at a time.
    private static let batchSize = 512

    private let breach: @Sendable ([Int64], Reader) throws -> Breach?

    /// Nil where the type has no rules.
    init?<Object: Entity>(_ type: Object.Type) {
        let rules = type.rules
        if rules.isEmpty { return nil }
        breach = { rows, reader in
            for (row, object) in try Self.objects(type, rows: rows, reader) {
                for rule in rules where try !rule.isFulfilled(object) {
                    return Breach(row: row, rule: rule.name)
                }
            }
            return nil
        }
    }

    /// The first row that breaks a rule; those that hold no complete object are passed over.
    func breach(among rows: [Int64], _ reader: Reader) throws -> Breach? {
        for start in stride(from: 0, to: rows.count, by: Self.batchSize) {
            let batch = Array(rows[start..<min(start + Self.batchSize, rows.count)])
            if let breach = try breach(batch, reader) { return breach }
        }
        return nil
    }

    private static func objects<Object: Entity>(
        _ type: Object.Type, rows: [Int64], _ reader: Reader
    ) throws -> [(Int64, Object)] {
        let objects = try reader.completeObjects(type, rows: rows)
        return rows.compactMap { row in objects[row].map { (row, $0) } }
    }
}

extension Reader {
    /// The first object that breaks a rule, of rows by the indices of their entities; entities come in
    /// the order of the model, rows in theirs.
    func breach(
        among rows: [Int: [Int64]]
    ) throws -> (entity: EntityPlan, row: Int64, rule: String)? {
        for (index, rows) in rows.sorted(by: { $0.key < $1.key }) {
            let entity = store.plan.entities[index]
            for rules in entity.rules {
                guard let breach = try rules.breach(among: rows, self) else { continue }
                return (entity, breach.row, breach.rule)
            }
        }
        return nil
    }
}

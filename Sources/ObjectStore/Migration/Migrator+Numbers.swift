/// The numbers of rows, none of which is used again by what comes after the migration.
extension Migrator {
    /// The largest numbers that rows have had so far, by the names of the tables they go into.
    func largestNumbers() throws -> [String: Int64] {
        let isKept = try SchemaSnapshot(of: connection).tables[Schema.numbersTable] != nil
        var numbers: [String: Int64] = [:]
        for root in old.roots where root.hasOwnNumbers {
            var largest = try connection.number(
                "SELECT coalesce(max(\(root.rowid)), 0) FROM \(root.table)")
            if isKept {
                let last = try connection.number(
                    "SELECT coalesce(max(last), 0) FROM \(Schema.numbersTable.sqlName)"
                        + " WHERE name = \(SQLValue.text(root.family.tableName).literal)")
                largest = max(largest, last)
            }
            let family = Set(root.family.members)
            let homes = copies.values.filter { family.contains($0.old.index) }
                .map(\.new.family.tableName)
            // A table that is gone may come again under its name.
            for name in Set(homes + [root.family.tableName]) {
                numbers[name] = max(numbers[name] ?? 0, Int64(largest))
            }
        }
        return numbers
    }

    /// Writes down the largest numbers that there have been.
    func keep(_ numbers: [String: Int64]) throws {
        for (name, number) in numbers.sorted(by: { $0.key < $1.key }) where number > 0 {
            try connection.execute(
                RowNumbers.insertion("SELECT \(SQLValue.text(name).literal), \(number)"))
        }
    }
}

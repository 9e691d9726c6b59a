/// The objects of a family that steps go through before they are numbered, as steps may set what identifies them, or
/// others.
///
/// They stand in a temporary table as the migration would make them by itself. The steps' closures go through that, and
/// the copies into the new table take from it what has been set.
struct IdentityFilling {
    /// What the table has beside the attributes; no property can have these names.
    static let row = "$old".sqlName
    static let isFilled = "$isFilled".sqlName

    private let migrator: Migrator
    private let root: EntityPlan
    private let table: String

    private var copies: [EntityCopy] { migrator.copies(into: root) }

    init(of root: EntityPlan, in migrator: Migrator) {
        (self.root, self.migrator) = (root, migrator)
        table = "temp.\("$fill.\(root.family.tableName)".sqlName)"
    }

    /// Whether steps that go through entities can set what identifies the family's objects.
    func isDue(for mapped: Set<String>) -> Bool {
        copies.contains { mapped.contains($0.new.name) && !$0.fillable.isEmpty }
    }

    /// Whether an entity is of the family.
    func has(_ entity: String) -> Bool { copies.contains { $0.new.name == entity } }

    /// Makes the table.
    func begin() throws {
        let names = Set(copies.flatMap { $0.match.new.attributes.map(\.name) }).sorted()
        let columns = ["\(Self.row) INTEGER PRIMARY KEY", "\(Self.isFilled) INTEGER"]
        try migrator.createTemporarily(
            table, (columns + names.map(\.sqlName)).joined(separator: ", "))
        for copy in copies {
            let attributes = copy.match.new.attributes
            let names = [Self.row] + attributes.map(\.name.sqlName)
            let values = [copy.row] + attributes.map(copy.filledValue)
            try migrator.connection.execute(
                "INSERT INTO \(table) (\(names.joined(separator: ", ")))"
                    + " SELECT \(values.joined(separator: ", ")) FROM \(copy.old.table) AS o"
                    + " WHERE \(copy.wasComplete)")
        }
    }

    /// Takes a step's closure through the objects of an entity in it.
    func run(_ entity: String, _ body: MigrationContext.Map) throws {
        guard let copy = migrator.copies[entity] else { return }
        let names = try ObjectMap(copy: copy, migrator: migrator, filling: table).run(body)
        guard !names.isEmpty else { return }
        for copy in copies {
            let all = names.union(copy.filled?.names ?? [])
            migrator.copies[copy.new.name]?.filled = (table, all)
        }
    }

    /// Throws where an object lacks a part of its identity that steps give others, or is the same as another one by
    /// what they give, unless that is allowed.
    func check() throws {
        let count = try migrator.connection.number(
            "SELECT EXISTS (SELECT 1 FROM \(table) WHERE \(Self.isFilled))")
        guard count > 0 else { return }
        for copy in copies where !isAllowed(copy) {
            let rows = try migrator.connection.allRows(
                "SELECT \(copy.row) FROM \(copy.old.table) AS o"
                    + " WHERE (\(copy.wasComplete)) AND (\(copy.lacksIdentity)) ORDER BY 1 LIMIT 1")
            guard let row = rows.first?.first else { continue }
            throw StoreError(
                .unexpectedValue,
                "a step leaves \(try name(row, copy)) without a value in its new identity")
        }
        guard migrator.renumbered.contains(root.family.tableName) else { return }
        for copy in copies where !isAllowed(copy) {
            let rows = try migrator.connection.allRows(
                "SELECT m.old, s.old FROM \(copy.mapName) AS m JOIN \(copy.mapName) AS s"
                    + " ON s.new = m.new AND s.stays"
                    + " WHERE NOT m.stays AND m.isObject AND s.isObject"
                    + " AND m.was = \(SQLValue.text(copy.new.name).literal)"
                    + " AND EXISTS (SELECT 1 FROM \(table) WHERE \(Self.row) IN (m.old, s.old)"
                    + " AND \(Self.isFilled)) ORDER BY m.old LIMIT 1")
            guard let pair = rows.first else { continue }
            throw StoreError(
                .unexpectedValue,
                "a step gives \(try name(pair[0], copy)) and \(try name(pair[1], copy))"
                    + " the same identity")
        }
    }

    private func isAllowed(_ copy: EntityCopy) -> Bool {
        ([copy.new.index] + copy.new.family.ancestors).contains { index in
            migrator.options.allowedLosses.allows(
                .entity(migrator.new.entities[index].name), destination: nil)
        }
    }

    /// An object by what has identified it so far, or by its row.
    private func name(_ row: SQLValue, _ copy: EntityCopy) throws -> String {
        let identity = copy.match.old.identity
        let columns = identity.isEmpty ? [copy.row] : identity.map { "o.\($0.sqlName)" }
        let values =
            try migrator.connection.allRows(
                "SELECT \(columns.joined(separator: ", ")) FROM \(copy.old.table) AS o"
                    + " WHERE \(copy.row) = ?", [row]
            ).first ?? []
        return "the \(copy.new.name) whose "
            + zip(identity.isEmpty ? ["row"] : identity, values)
            .map { "\($0) is \($1.literal)" }.joined(separator: " and ")
    }
}

extension EntityCopy {
    /// The attributes that identify the new object and may be set by a step: those that have not identified the old
    /// one, or have in another type.
    var fillable: Set<String> {
        Set(
            match.new.identity.filter { name in
                guard let attribute = match.new.attribute(named: name),
                    let before = match.attributes[name]
                else { return true }
                return match.converts(attribute) || !match.old.identity.contains(before.name)
            })
    }

    /// The SQL of an attribute's new value, also where the new column's default serves.
    func filledValue(of attribute: AttributeDescription) -> String {
        value(of: attribute) ?? attribute.defaultLiteral
    }
}

extension AttributeDescription {
    /// The SQL of its default.
    var defaultLiteral: String { defaultValue?.sqlValue.literal ?? "NULL" }
}

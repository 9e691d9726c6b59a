/// An object that goes where somebody says that there is none.
package struct RemovableObject: Sendable {
    /// How it stands in a store.
    fileprivate enum Standing: Sendable {
        case absent
        /// Known by a reference only.
        case reference(row: Int64)
        case object(row: Int64)
    }

    /// How it stood when something was asked for, and what tells of what has been deleted since.
    package struct Earlier: Sendable {
        fileprivate let standing: Standing
        fileprivate let watch: RowWatch
    }

    private let entity: String
    private let find: @Sendable (Snapshot) throws -> Standing
    private let delete: @Sendable (Context) throws -> ImportReport

    package init<Object: Entity>(_ object: One<Object>) {
        entity = Object.entityName
        find = { snapshot in
            let entity = try snapshot.store.plan.entity(Object.entityName)
            guard let row = try snapshot.row(of: EntityValues.link(object), in: entity),
                let isComplete = try snapshot.reader.isComplete(row, of: entity)
            else { return .absent }
            return isComplete ? .object(row: row) : .reference(row: row)
        }
        delete = { context in try context.reporting { try context.delete(object) }.1 }
    }

    /// How it stands now.
    ///
    /// - Parameter watch: One that began before the snapshot.
    package func standing(
        in snapshot: Snapshot, since watch: RowWatch
    ) throws -> Earlier {
        Earlier(standing: try find(snapshot), watch: watch)
    }

    /// Deletes it, and returns what was done; what has come since it stood otherwise is newer than what is said,
    /// and stays.
    ///
    /// - Parameter earlier: How it stood when that was asked for; nil where whatever is there goes.
    package func remove(
        besides earlier: Earlier?, in context: Context
    ) throws -> ImportReport {
        if let earlier {
            switch (earlier.standing, try find(context)) {
            case (.object(let row), .object(let other)), (.object(let row), .reference(let other)),
                (.reference(let row), .reference(let other)):
                let entity = try context.store.plan.entity(entity)
                let departed = context.departures(of: entity, since: earlier.watch)
                guard row == other, !departed.contains(row) else { return ImportReport() }
            default: return ImportReport()
            }
        }
        return try delete(context)
    }
}

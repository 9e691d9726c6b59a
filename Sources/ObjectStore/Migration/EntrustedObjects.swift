/// The objects that would go, or be hidden, but for steps that say to take care of them: whether they have is told by
/// the rows behind them.
struct EntrustedObjects {
    private let migrator: Migrator
    private var counts: [(loss: MigrationLoss, before: Int)] = []

    /// Counts the rows that the migration itself has left, once its tables are in place.
    init(of losses: [MigrationLoss], in migrator: Migrator) throws {
        self.migrator = migrator
        for loss in losses where loss.reason.isOfObjects {
            counts.append((loss, try Self.count(loss, in: migrator)))
        }
    }

    /// Counts, once steps are through, those that are not there, or still are what has no objects any more.
    ///
    /// Comes before these, and those that lack something else, are made references.
    func lost() throws -> [MigrationLoss] {
        try counts.compactMap { loss, before in
            let after = try Self.count(loss, in: migrator)
            let count =
                switch loss.reason {
                case .abstract: after
                case .unidentified: before + (loss.count ?? 0) - after
                default: before - after
                }
            return count > 0 ? MigrationLoss(loss.part, loss.reason, count: count) : nil
        }
    }

    private static func count(_ loss: MigrationLoss, in migrator: Migrator) throws -> Int {
        let entity = try migrator.new.entity(loss.part.entityName)
        let isCounted =
            loss.reason == .abstract
            ? [EntityPlan.isMarked(.object, "n"), entity.ownScope("n") ?? "TRUE"]
            : [entity.rowScope("n") ?? "TRUE"]
        return try migrator.connection.number(
            "SELECT count(*) FROM \(entity.table) AS n"
                + " WHERE \(isCounted.joined(separator: " AND "))")
    }
}

extension MigrationLoss.Reason {
    /// Whether whole objects are lost, which no step keeps by saying so.
    fileprivate var isOfObjects: Bool {
        [.abstract, .identityRemoved, .unidentified].contains(self)
    }
}

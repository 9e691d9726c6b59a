import Foundation

/// Moves a damaged store aside and makes a new one of what can still be read.
struct StoreRebuild {
    let path: String
    let configuration: Store.Configuration

    /// What stands beside a database file.
    private static let companions = ["", "-wal", "-shm", "-journal"]

    /// Moves the files aside, and makes a new store at their place.
    func run(for plan: StorePlan) throws -> RebuildReport {
        var report = RebuildReport()
        guard access(path, F_OK) == 0 else { return report }
        let aside = try moveAside()
        report.damagedFile = aside
        let damaged = try? StoreFile(path: aside, configuration: configuration)
            .connect(readOnly: true)
        let stored = damaged.flatMap { try? StoredModel(of: $0, path: aside) }
        let model = stored.flatMap { try? $0.model(named: plan.model.name) }
        // What is saved goes into a store like the damaged one, which then migrates as any other.
        let plan = model.map(StorePlan.init) ?? plan
        var configuration = configuration
        if let stored { configuration.migration.version = stored.version }
        let target = try StoreFile(path: path, configuration: configuration).open(for: plan)
        guard let damaged else {
            report.incomplete = plan.entities.map(\.name)
            return report
        }
        try StoreSalvage(plan: plan, source: damaged, target: target).run(&report)
        return report
    }

    /// Opens a store's connection that writes, where the configuration says so also in the place of a
    /// damaged one.
    static func open(
        _ path: String?, for plan: StorePlan, configuration: Store.Configuration
    ) throws -> Connection {
        let file = StoreFile(path: path, configuration: configuration)
        do {
            return try file.open(for: plan)
        } catch let error as StoreError
            where error.code == .damaged || error.code == .notADatabase
        {
            guard let path, case .rebuild(let report) = configuration.damagePolicy else {
                throw error
            }
            let rebuild = StoreRebuild(path: path, configuration: configuration)
            report(try rebuild.run(for: plan))
            return try file.open(for: plan)
        }
    }

    private func moveAside() throws -> String {
        let name = Self.name(path + ".damaged", at: Date())
        for companion in Self.companions where access(path + companion, F_OK) == 0 {
            guard rename(path + companion, name + companion) == 0 else {
                throw StoreError(
                    StoreError.Code(systemError: errno) ?? .cannotOpen,
                    String(cString: strerror(errno)), path: path)
            }
        }
        return name
    }

    /// A name with the time (UTC) that nothing has yet.
    static func name(_ beginning: String, at date: Date) -> String {
        let time = date.ISO8601Format(
            .iso8601(timeZone: .gmt, dateSeparator: .omitted, timeSeparator: .omitted))
        var name = "\(beginning)-\(time)"
        var number = 1
        while access(name, F_OK) == 0 {
            number += 1
            name = "\(beginning)-\(time)-\(number)"
        }
        return name
    }
}

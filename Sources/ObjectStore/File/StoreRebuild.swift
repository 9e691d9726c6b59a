import Foundation

/// Makes a new store of what can still be read of a damaged one, and then puts it in its place.
struct StoreRebuild {
    let path: String
    let configuration: Store.Configuration

    /// What stands beside a database file.
    private static let companions = ["-wal", "-shm", "-journal"]

    /// Makes a new store beside the files, moves these aside, and puts it at their place.
    ///
    /// Where it fails the files are where they were.
    func run(for plan: StorePlan) throws -> RebuildReport {
        var report = RebuildReport()
        guard access(path, F_OK) == 0 else { return report }
        let provisional = path + ".rebuilt-\(UUID().uuidString)"
        defer { for companion in [""] + Self.companions { unlink(provisional + companion) } }
        do {
            try make(at: provisional, for: plan, &report)
        } catch var error as StoreError {
            error.path = path
            throw error
        }
        report.damagedFile = try exchange(for: provisional)
        return report
    }

    /// Makes the new store, all of it in one file.
    private func make(
        at provisional: String, for plan: StorePlan, _ report: inout RebuildReport
    ) throws {
        let damaged = try StoreSalvage.attempt {
            try StoreFile(path: path, configuration: self.configuration).connect(readOnly: true)
        }
        let stored = try damaged.flatMap { damaged in
            try StoreSalvage.attempt { try StoredModel(of: damaged, path: path) }
        }
        let model = stored.flatMap { try? $0.model(named: plan.model.name) }
        // What is saved goes into a store like the damaged one, which then migrates as any other.
        let plan = model.map(StorePlan.init) ?? plan
        var configuration = configuration
        if let stored { configuration.migration.version = stored.version }
        let target = try StoreFile(path: provisional, configuration: configuration).open(for: plan)
        if let damaged {
            try StoreSalvage(plan: plan, source: damaged, target: target).run(&report)
        } else {
            report.incomplete = plan.entities.map(\.name)
        }
        let isBusy = try target.number("PRAGMA wal_checkpoint(TRUNCATE)") != 0
        if isBusy { throw StoreError(.busy, "the new store is in use", path: path) }
    }

    /// Puts a file in the place of the damaged one, and gives the new place of that.
    private func exchange(for provisional: String) throws -> String {
        let aside = Self.name(path + ".damaged", at: Date())
        var moved: [String] = []
        do {
            // First, since SQLite would take the log of the old file for that of the new one.
            for companion in Self.companions where access(path + companion, F_OK) == 0 {
                try check(rename(path + companion, aside + companion))
                moved.append(companion)
            }
            // With a second name for the old file, there is one at the path at any moment.
            if link(path, aside) != 0 { try check(rename(path, aside)) }
            try check(rename(provisional, path))
        } catch {
            if access(aside, F_OK) == 0 { rename(aside, path) }
            for companion in moved { rename(aside + companion, path + companion) }
            throw error
        }
        StoreBackup.synchronizeFolder(of: path)
        return aside
    }

    private func check(_ result: Int32) throws(StoreError) {
        guard result != 0 else { return }
        throw StoreError(
            StoreError.Code(systemError: errno) ?? .cannotOpen, String(cString: strerror(errno)),
            path: path)
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

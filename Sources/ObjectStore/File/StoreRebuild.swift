import CLarderSQLite
import Foundation

/// Makes a new store of what can still be read of a damaged one, and then puts it in its place.
struct StoreRebuild {
    let path: String
    let configuration: Store.Configuration

    /// Makes a new store beside the files, moves these aside, and puts it at their place.
    ///
    /// Where it fails the files are where they were. Others can't write to the damaged store meanwhile,
    /// and find afterwards that it is not in its place any more.
    ///
    /// - Parameter number: The number (inode) of the file that was found to be damaged; nil for
    ///   whatever is there.
    /// - Returns: Nil where another file has taken the place of that one, or there is none.
    func run(for plan: StorePlan, replacing number: UInt64? = nil) throws -> RebuildReport? {
        try FolderLock.around(path) {
            Self.undoInterrupted(at: path, isLocked: true)
            if let number, number != Self.number(of: path) { return nil }
            return try replace(for: plan)
        }
    }

    /// Returns the inode number of the file at a path, nil where there is none.
    static func number(of path: String) -> UInt64? {
        var information = stat()
        return lstat(path, &information) == 0 ? UInt64(information.st_ino) : nil
    }

    private func replace(for plan: StorePlan) throws -> RebuildReport? {
        guard access(path, F_OK) == 0 else { return nil }
        var report = RebuildReport()
        try checkIsOurs()
        let provisional = path + ".rebuilt"
        func removeProvisional() {
            for companion in [""] + StoreFile.companions { unlink(provisional + companion) }
        }
        // A process that was killed may have left one.
        removeProvisional()
        defer { removeProvisional() }
        do {
            let guardian = try keepOut()
            defer { withExtendedLifetime(guardian) {} }
            try makeProvisional(at: provisional)
            try make(at: provisional, for: plan, &report)
            try bring(provisional, to: plan)
            report.damagedFile = try exchange(for: provisional)
        } catch var error as StoreError {
            error.path = path
            throw error
        } catch let error as MigrationError {
            throw MigrationError(losses: error.losses, plan: error.plan, path: path)
        }
        return report
    }

    /// Throws where the file is a newer version's store, or another program's database.
    private func checkIsOurs() throws {
        let file = StoreFile(path: path, configuration: configuration)
        do {
            try file.checkIsStore()
        } catch let error as StoreError where error.reason == .newerStore {
            throw error
        } catch let error as StoreError where error.reason == .notAStore {
            // What has no tables has lost them, or never had any; where a model is, just the mark of
            // stores is damaged.
            let connection = try file.connect(readOnly: true)
            let count = try connection.number("SELECT count(*) FROM sqlite_schema")
            if count > 0, (try? StoredModel(of: connection, path: path)) == nil { throw error }
        } catch {
            // It is damaged, as it is expected to be.
        }
    }

    /// Makes the empty file, as who opens one that is not there waits for the folder's lock.
    private func makeProvisional(at path: String) throws(StoreError) {
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        try check(descriptor < 0 ? -1 : 0)
        Foundation.close(descriptor)
    }

    /// A connection that keeps others from writing to the damaged store, where it can still be opened.
    private func keepOut() throws(StoreError) -> Connection? {
        do throws(StoreError) {
            let connection = try StoreFile(path: path, configuration: configuration)
                .connect(readOnly: false)
            // The log is to stay as it is, and its name will be another store's.
            larder_sqlite3_keep_log(connection.pointer)
            try connection.execute("BEGIN IMMEDIATE")
            return connection
        } catch {
            if error.reason == .busy { throw error }
            return nil
        }
    }

    /// Makes a new store, like the damaged one, of what can be read of that.
    private func make(
        at provisional: String, for app: StorePlan, _ report: inout RebuildReport
    ) throws {
        let damaged = try StoreSalvage.attempt {
            try StoreFile(path: path, configuration: self.configuration).connect(readOnly: true)
        }
        let stored = try damaged.flatMap { damaged in
            try StoreSalvage.attempt { try StoredModel(of: damaged, path: path) }
        }
        let model = stored.flatMap { try? $0.model(named: app.model.name) }
        // What is saved goes into a store like the damaged one, which then migrates as any other.
        let plan = model.map(StorePlan.init) ?? app
        var configuration = configuration
        configuration.seed = nil
        if let stored { configuration.migration.version = stored.version }
        let file = StoreFile(path: provisional, configuration: configuration)
        let target = try file.open(for: plan).connection
        if let damaged {
            let unfit = try UnfitValues(
                in: plan, writtenBy: model == nil ? nil : stored, for: app)
            try StoreSalvage(plan: plan, unfit: unfit, source: damaged, target: target)
                .run(&report)
        } else {
            report.incomplete = plan.entities.map(\.name)
        }
        // Its rows are what that layout has; a number of none is damage, as of the mark beside it.
        var layout = stored?.layout
        if stored == nil, let damaged {
            let number = try StoreSalvage.attempt { try damaged.number("PRAGMA user_version") }
            if let number, number > 0 { layout = Int64(number) }
        }
        if let layout {
            try target.execute("PRAGMA user_version = \(min(layout, Schema.version))")
        }
        try finish(target)
    }

    /// Brings the new store to the app's model, as what refuses that must do so while the damaged one
    /// is in its place.
    private func bring(_ provisional: String, to plan: StorePlan) throws {
        var configuration = configuration
        configuration.seed = nil
        var copy: String?
        if configuration.migration.backup == .beside {
            // It is named after the store.
            let name = Self.name(path + ".backup", at: Date())
            configuration.migration.backup = .file(URL(fileURLWithPath: name))
            copy = name
        }
        do {
            let file = StoreFile(path: provisional, configuration: configuration)
            try finish(file.open(for: plan).connection)
        } catch {
            if let copy { unlink(copy) }
            throw error
        }
    }

    /// Puts all of a new store into one file.
    private func finish(_ target: Connection) throws(StoreError) {
        let isBusy = try target.number("PRAGMA wal_checkpoint(TRUNCATE)") != 0
        if isBusy { throw StoreError(.busy, "the new store is in use", path: path) }
    }

    /// Puts a file in the place of the damaged one, and gives the new place of that.
    private func exchange(for provisional: String) throws -> String {
        let aside = Self.name(path + Self.asideMark, at: Date())
        var moved: [String] = []
        do {
            // With a second name for the old file there is one at the path at any moment, and who
            // finds it with two names knows that this has been interrupted.
            let hasLink = link(path, aside) == 0
            // First, since SQLite would take the log of the old file for that of the new one.
            for companion in StoreFile.companions where access(path + companion, F_OK) == 0 {
                try check(rename(path + companion, aside + companion))
                moved.append(companion)
            }
            if !hasLink { try check(rename(path, aside)) }
            try check(rename(provisional, path))
        } catch {
            if access(aside, F_OK) == 0 { rename(aside, path) }
            for companion in moved { rename(aside + companion, path + companion) }
            if Self.number(of: aside) == Self.number(of: path) { unlink(aside) }
            throw error
        }
        StoreBackup.synchronizeFolder(of: path)
        return aside
    }

    /// The separator between a store's name and the time when it was moved aside.
    private static let asideMark = ".damaged"

    /// Takes back an exchange of which the process was killed: what has been moved of the file, which is
    /// still in its place, comes back to it.
    static func undoInterrupted(at path: String, isLocked: Bool = false) {
        guard isLocked else {
            return FolderLock.around(path) { undoInterrupted(at: path, isLocked: true) }
        }
        guard let number = number(of: path) else { return }
        let folder = (path as NSString).deletingLastPathComponent
        let mark = (path as NSString).lastPathComponent + asideMark
        let names =
            (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder))
            ?? []
        for name in names where name.hasPrefix(mark) {
            let aside = (folder as NSString).appendingPathComponent(name)
            guard Self.number(of: aside) == number else { continue }
            for companion in StoreFile.companions where access(path + companion, F_OK) != 0 {
                rename(aside + companion, path + companion)
            }
            unlink(aside)
        }
    }

    private func check(_ result: Int32) throws(StoreError) {
        guard result != 0 else { return }
        throw StoreError(
            StoreError.Reason(systemError: errno) ?? .cannotOpen, String(cString: strerror(errno)),
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

/// The outcome of rebuilding a damaged store.
public struct RebuildReport: Hashable, Sendable {
    /// The damaged file, where it is now; nil where there was none.
    public internal(set) var damagedFile: String?
    /// The number of objects saved from the damaged file into the new store, by entity.
    public internal(set) var saved: [String: Int] = [:]
    /// The entities, and the relationships with their entities, that could not be read whole, or held
    /// what they can't hold.
    public internal(set) var incomplete: [String] = []
    /// The number of links that are gone because they led to objects that could not be read.
    public internal(set) var brokenLinks = 0
}

extension Store {
    /// Moves a damaged store aside, to `NAME.damaged-` and the time (UTC) beside it, and opens a
    /// new one with what can still be read of it.
    ///
    /// Nobody else should have the store open: who has, in this process or another, can't write to it
    /// any more (`StoreError.Reason.moved`), and reads what was there for as long as no more readers are
    /// needed. The damaged files stay until somebody removes them; they are only moved once the new
    /// store is complete and has been migrated, which takes room for both. The steps of a migration
    /// can't make another store in the folder meanwhile: that waits for the rebuild.
    ///
    /// A value that its attribute never took is damage, too: the attribute is empty then, or has its
    /// default. What is of no entity of its family becomes an object of that which the family begins
    /// with, or goes where this one is abstract.
    ///
    /// - Throws: `ModelError` where the entities don't fit together, `MigrationError` where the app's
    ///   model is another than the store's and what could be saved would lose something by it,
    ///   whatever a step of the migration throws, `StoreError` where the files can't be moved or a new
    ///   store can't be made, or the file is another program's database (`notAStore`) or a newer
    ///   version's store (`newerStore`); the damaged one is where it was then.
    public static func rebuild(
        at path: String, entities: any Entity.Type...,
        configuration: Configuration = Configuration()
    ) throws -> (store: Store, report: RebuildReport) {
        try rebuild(at: path, model: Model(entities: entities), configuration: configuration)
    }

    /// Moves a damaged store of a model aside, and opens a new one with what can still be read of
    /// it.
    ///
    /// - Throws: `MigrationError` where the model is another than the store's and what could be saved
    ///   would lose something by it, whatever a step of the migration throws, `StoreError` where the
    ///   files can't be moved or a new store can't be made, or the file is another program's database
    ///   (`notAStore`) or a newer version's store (`newerStore`); the damaged one is where it was then.
    public static func rebuild(
        at path: String, model: Model, configuration: Configuration = Configuration()
    ) throws -> (store: Store, report: RebuildReport) {
        let path = StoreFile.absolutePath(path)
        let report = try StoreRebuild(path: path, configuration: configuration)
            .run(for: StorePlan(model, configuration: configuration))
        return (
            try Store(at: path, model: model, configuration: configuration),
            report ?? RebuildReport()
        )
    }
}

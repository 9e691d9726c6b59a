public import Foundation

extension Store {
    /// Makes a store in a folder of its own, which goes with the store's last user.
    ///
    /// - Throws: `ModelError` where the entities don't fit together, `StoreError` where the folder
    ///   can't be made.
    public static func temporary(
        entities: any Entity.Type..., configuration: Configuration = Configuration()
    ) throws -> Store {
        try temporary(model: Model(entities: entities), configuration: configuration)
    }

    /// Makes a store of a model in a folder of its own, which goes with the store's last user.
    ///
    /// - Throws: `StoreError` where the folder can't be made.
    public static func temporary(
        model: Model, configuration: Configuration = Configuration()
    ) throws -> Store {
        let folder = try StoreFolder()
        return try Store(
            path: folder.path + "/store.sqlite",
            plan: StorePlan(model, configuration: configuration),
            configuration: configuration, folder: folder)
    }

    /// The size in bytes of the file with its log on the disk, or of a database in memory.
    public var size: Int {
        get throws {
            guard let path else {
                return try maintain {
                    try $0.number("PRAGMA page_count") * $0.number("PRAGMA page_size")
                }
            }
            return try ["", "-wal"].reduce(0) { size, companion in
                var information = stat()
                guard stat(path + companion, &information) == 0 else {
                    if errno == ENOENT, !companion.isEmpty { return size }
                    throw StoreError(
                        StoreError.Reason(systemError: errno) ?? .cannotOpen,
                        String(cString: strerror(errno)), path: path)
                }
                return size + Int(information.st_size)
            }
        }
    }

    /// Rewrites the file without the room that deleted objects have left, and gives it back to the
    /// disk.
    ///
    /// Merges the indexes of full-text search, too, where there is room, so that no word of what was deleted stays.
    /// Takes up to twice the store's size meanwhile, and room for those indexes once more; writing waits for it.
    ///
    /// - Throws: `StoreError`, with the reason `full` where there is no room for it.
    public func vacuum() throws {
        try withWriter { connection in
            for search in plan.searches { try search.merge(on: connection) }
            try connection.execute("VACUUM")
            _ = try connection.allRows("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    /// Looks for damage in the file, for links that lead nowhere, and for objects that can't be.
    ///
    /// Writing goes on meanwhile, but waits while a full check looks at the indexes of full-text
    /// search, which it does where nothing else is wrong.
    ///
    /// - Throws: `StoreError` where the file can't be read for another reason than damage, such as
    ///   `modelChanged`, and, from a full check of such indexes, with the reason `reentrant` inside of
    ///   a transaction of this store, or `busy` where another process writes for too long.
    public func checkIntegrity(
        _ depth: IntegrityReport.Depth = .full
    ) throws -> IntegrityReport {
        var report = try maintain { connection in
            var report = try IntegrityReport(depth, of: connection)
            if depth == .full, report.isSound {
                report.problems = try plan.entities.flatMap { try $0.problems(on: connection) }
            }
            // What another process has made of the file meanwhile is not for this model to judge.
            try checkModelUnlessDamaged(connection)
            return report
        }
        if depth == .full, report.isSound, !plan.searches.isEmpty {
            report.problems = try withWriterAlone { connection in
                try plan.searches.filter { try !$0.isSound(on: connection) }
                    .map { .wrongSearchIndex(of: $0.content) }
            }
        }
        return report
    }

    /// Copies the store, as it is at this moment, to a file; writing goes on meanwhile.
    ///
    /// The copy is a store of its own, accessible to its owner alone (mode 0600), and takes the
    /// place of a file that is there once it is complete. Where the task is cancelled, or
    /// `progress` throws, there is no copy.
    ///
    /// - Parameter progress: Called on this thread after every few pages.
    /// - Throws: `StoreError`, `CancellationError`, or what `progress` throws.
    public func backUp(
        to file: URL, progress: (BackupProgress) throws -> Void = { _ in }
    ) throws {
        if let path {
            var (own, other) = (stat(), stat())
            if stat(path, &own) == 0, stat(file.path(percentEncoded: false), &other) == 0,
                own.st_ino == other.st_ino, own.st_dev == other.st_dev
            {
                throw StoreError(.cannotOpen, "a store is no backup of itself", path: path)
            }
        }
        try maintain {
            try StoreBackup(source: $0).copy(to: file) { done in
                if Task.isCancelled { throw CancellationError() }
                try progress(done)
            }
        }
    }
}

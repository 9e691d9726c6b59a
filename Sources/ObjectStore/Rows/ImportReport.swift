/// The counts of what importing JSON and writing objects did to the store, by entity.
public struct ImportReport: Hashable, Sendable {
    /// The numbers of objects and links of one entity, by what was done to them.
    public struct Counts: Hashable, Sendable {
        /// Objects that were not in the store before.
        public var inserted = 0
        /// Objects of which at least one column got another value.
        public var updated = 0
        /// Objects that already were as they were to be.
        public var unchanged = 0
        /// Objects that were deleted, by query or as objects, and those that went with them.
        public var deleted = 0
        /// Links that to-many relationships of the entity gained.
        public var linked = 0
        /// Links that to-many relationships of the entity lost.
        public var unlinked = 0

        /// No objects and no links.
        public init() {}

        /// The objects that were written, whatever happened to them.
        public var objects: Int { inserted + updated + unchanged }

        /// Adds counts.
        public static func += (left: inout Counts, right: Counts) {
            left.inserted += right.inserted
            left.updated += right.updated
            left.unchanged += right.unchanged
            left.deleted += right.deleted
            left.linked += right.linked
            left.unlinked += right.unlinked
        }
    }

    /// An element of a ``LossyList`` that was left out.
    public struct Skipped: Hashable, Sendable {
        /// The path in the JSON to what does not fit, such as `$[3].title`.
        public let path: String
        /// What is wrong with it, for who may see the data: it may quote a value, be that secret or not.
        ///
        /// Descriptions of the element, and of what holds it, tell its path alone.
        /// A client keeps no such value in the store: where that answers, the reason is that the value does not fit.
        public let reason: String

        /// An element that was left out.
        public init(path: String, reason: String) {
            self.path = path
            self.reason = reason
        }
    }

    /// The counts of each entity that was touched, by its name.
    public var entities: [String: Counts]

    /// The elements of lossy lists that were left out.
    public var skipped: [Skipped]

    /// A report of the given counts.
    public init(entities: [String: Counts] = [:], skipped: [Skipped] = []) {
        self.entities = entities
        self.skipped = skipped
    }

    /// The counts of an entity, all 0 where it was not touched.
    public subscript(entity: String) -> Counts { entities[entity, default: Counts()] }

    /// The counts of all entities together.
    public var total: Counts {
        entities.values.reduce(into: Counts()) { $0 += $1 }
    }

    /// The sum of two reports.
    package func adding(_ other: ImportReport) -> ImportReport { self + other }

    /// The sum of two reports.
    static func + (left: ImportReport, right: ImportReport) -> ImportReport {
        var sum = left
        sum += right
        return sum
    }

    /// Adds a report.
    public static func += (left: inout ImportReport, right: ImportReport) {
        // Mostly there is but one, and nothing to look up.
        guard !left.entities.isEmpty || !left.skipped.isEmpty else { return left = right }
        guard !right.entities.isEmpty || !right.skipped.isEmpty else { return }
        left.entities.merge(right.entities) { counts, more in
            var sum = counts
            sum += more
            return sum
        }
        left.skipped += right.skipped
    }
}

extension ImportReport.Skipped: CustomStringConvertible, CustomReflectable {
    /// The path alone, as a reason may quote a secret.
    public var description: String { path }

    /// The path alone.
    public var customMirror: Mirror {
        Mirror(self, children: ["path": path], displayStyle: .struct)
    }
}

extension ImportReport.Counts: CustomStringConvertible {
    /// The numbers that are not 0, such as `3 inserted, 1 updated`, or `nothing`.
    public var description: String {
        let numbers = [
            (inserted, "inserted"), (updated, "updated"), (unchanged, "unchanged"),
            (deleted, "deleted"), (linked, "linked"), (unlinked, "unlinked"),
        ].filter { $0.0 != 0 }
        return numbers.isEmpty
            ? "nothing" : numbers.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
}

extension ImportReport: CustomStringConvertible {
    /// The counts of each entity, and how many elements were left out: `Issue: 3 inserted; 1 skipped`.
    public var description: String {
        var parts = entities.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        if !skipped.isEmpty { parts.append("\(skipped.count) skipped") }
        return parts.isEmpty ? "nothing" : parts.joined(separator: "; ")
    }
}

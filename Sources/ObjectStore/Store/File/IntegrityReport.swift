/// What is wrong with a store's file.
public struct IntegrityReport: Hashable, Sendable {
    /// How closely the file is looked at.
    public enum Depth: Hashable, Sendable {
        /// Every page, without comparing tables and indexes.
        case quick
        /// Every page, and every index against its table.
        case full
    }

    /// One thing that is wrong.
    public enum Problem: Hashable, Sendable {
        /// A page, a table or an index is damaged; in SQLite's words.
        case damage(String)
        /// An object of an entity, or a row of links, leads to an object that is not there.
        case brokenLink(from: String, to: String)
    }

    /// The problems that were found, at most 100 of the pages and of the links each.
    public let problems: [Problem]

    /// Whether nothing is wrong.
    public var isSound: Bool { problems.isEmpty }
}

extension IntegrityReport {
    /// How many problems of each kind are listed.
    private static let limit = 100

    /// Looks at a database.
    init(_ depth: Depth, of connection: Connection) throws(StoreError) {
        var problems: [Problem] = []
        do {
            let check = depth == .full ? "integrity_check" : "quick_check"
            for row in try connection.allRows("PRAGMA \(check)(\(Self.limit))") {
                if case .text(let text) = row[0], text != "ok" { problems.append(.damage(text)) }
            }
            for row in try connection.allRows("PRAGMA foreign_key_check").prefix(Self.limit) {
                if case .text(let table) = row[0], case .text(let target) = row[2] {
                    problems.append(.brokenLink(from: table, to: target))
                }
            }
        } catch  where error.code == .damaged || error.code == .notADatabase {
            problems.append(.damage(error.message))
        }
        self.problems = problems
    }
}

extension IntegrityReport: CustomStringConvertible {
    /// A line for each problem.
    public var description: String {
        if isSound { return "ok" }
        return problems.map { problem in
            switch problem {
            case .damage(let text): text
            case .brokenLink(let table, let target):
                "\(table) leads to an object of \(target) that is not there"
            }
        }.joined(separator: "\n")
    }
}

import CLarderSQLite
import Foundation

/// The problems that a check has found in a store's file.
public struct IntegrityReport: Hashable, Sendable {
    /// The thoroughness of a check.
    public enum Depth: Hashable, Sendable {
        /// Every page, without comparing tables and indexes, or looking at what objects hold.
        case quick
        /// Every page, every index against its table, those of full-text search included, and every
        /// object's values.
        case full
    }

    /// One thing that is wrong.
    public enum Problem: Hashable, Sendable {
        /// A page, a table or an index is damaged; in SQLite's words.
        case damage(String)
        /// An object of an entity, or a row of links, leads to an object that is not there.
        case brokenLink(from: String, to: String)
        /// Objects of an entity without a value in an attribute or relationship that must have one.
        case incomplete(entity: String, property: String, count: Int)
        /// Objects of an entity with a value in an attribute that its Swift type does not take.
        case unfit(entity: String, attribute: String, count: Int)
        /// Objects in the table of a family, named by the entity that it begins with, that are of no
        /// entity which has objects there.
        case unknownEntity(family: String, count: Int)
        /// The full-text index of an entity's table does not hold what its objects say.
        case wrongSearchIndex(of: String)
    }

    /// The problems that were found, at most 100 of the pages and of the links each.
    public internal(set) var problems: [Problem]

    /// Whether nothing is wrong.
    public var isSound: Bool { problems.isEmpty }
}

extension IntegrityReport {
    /// The largest number of problems that each of SQLite's own checks reports.
    private static let limit = 100

    /// Looks at a database.
    init(_ depth: Depth, of connection: Connection) throws(StoreError) {
        var problems: [Problem] = []
        do throws(StoreError) {
            let check = depth == .full ? "integrity_check" : "quick_check"
            for row in try connection.allRows("PRAGMA \(check)(\(Self.limit))") {
                guard case .text(let text) = row[0], text != "ok" else { continue }
                if let failure = Self.failure(in: text) { throw failure }
                problems.append(.damage(text))
            }
            for row in try connection.allRows("PRAGMA foreign_key_check").prefix(Self.limit) {
                if case .text(let table) = row[0], case .text(let target) = row[2] {
                    problems.append(.brokenLink(from: table, to: target))
                }
            }
        } catch  where error.reason == .damaged || error.reason == .notADatabase {
            problems.append(.damage(error.message))
        }
        self.problems = problems
    }

    /// The error behind a finding that only says that a page could not be read, such as
    /// `Page 5: unable to get the page. error code=266`; nil where the page itself is damaged.
    static func failure(in finding: String) -> StoreError? {
        guard let mark = finding.range(of: "error code="),
            let code = Int32(finding[mark.upperBound...].prefix(while: \.isNumber)),
            code & 0xFF != SQLITE_CORRUPT
        else { return nil }
        return StoreError(resultCode: code, message: finding)
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
            case .incomplete(let entity, let property, let count):
                "\(entity).\(property) is empty in objects that must have it (\(count))"
            case .unfit(let entity, let attribute, let count):
                "\(entity).\(attribute) holds what its type does not take (\(count))"
            case .unknownEntity(let family, let count):
                "\(family) has objects of no entity that could be there (\(count))"
            case .wrongSearchIndex(let table):
                "the full-text index of \(table) does not hold what its objects say"
            }
        }.joined(separator: "\n")
    }
}

extension EntityPlan {
    /// Returns the problems of this entity's own objects, without those of sub-entities.
    ///
    /// With those of a root are what is of no entity of its family.
    func problems(on connection: Connection) throws(StoreError) -> [IntegrityReport.Problem] {
        var problems: [IntegrityReport.Problem] = []
        if family.ancestors.isEmpty, let isLost = lacksEntity("o") {
            let count = try connection.number("SELECT count(*) FROM \(table) AS o WHERE \(isLost)")
            if count > 0 { problems.append(.unknownEntity(family: name, count: count)) }
        }
        if description.isAbstract { return problems }
        for column in requiredRest.columns + identifying.columns + defaults.map(\.column)
        where !columns[column].isOptional {
            let count = try connection.number(
                "SELECT count(*) \(objects) AND o.\(columnNames[column].sqlName) IS NULL")
            if count > 0 {
                problems.append(
                    .incomplete(entity: name, property: columnNames[column], count: count))
            }
        }
        for attribute in description.attributes {
            let count = try unfitCount(of: attribute, on: connection)
            if count > 0 {
                problems.append(.unfit(entity: name, attribute: attribute.name, count: count))
            }
        }
        return problems
    }

    /// The objects' table as `o`, and the condition for them.
    private var objects: String {
        "FROM \(table) AS o WHERE \(Self.isMarked(.object, "o"))"
            + (ownScope("o").map { " AND \($0)" } ?? "")
    }

    private func unfitCount(
        of attribute: AttributeDescription, on connection: Connection
    ) throws(StoreError) -> Int {
        guard attribute.isNarrow else { return 0 }
        let column = "o.\(attribute.name.sqlName)"
        let values = try connection.prepare("SELECT \(column) \(objects) AND \(column) IS NOT NULL")
        defer { values.reset() }
        var count = 0
        while try values.step() {
            if !attribute.keeps(values.value(at: 0)) { count += 1 }
        }
        return count
    }
}

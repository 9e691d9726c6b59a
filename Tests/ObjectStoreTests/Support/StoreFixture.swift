import CLarderSQLite
import Foundation

@testable import LarderObjectStore

/// A store in a folder of its own, with a second connection that sees what is really there.
final class StoreFixture {
    let folder: TemporaryFolder
    let path: String
    let store: Store
    private let connection: Connection

    init(_ model: Model, configuration: Store.Configuration = Store.Configuration()) throws {
        folder = try TemporaryFolder()
        path = folder.file("store.sqlite")
        store = try Store(at: path, model: model, configuration: configuration)
        connection = try Connection(
            path: path, creates: false, readOnly: true, busyTimeout: 5_000)
    }

    convenience init(_ entities: EntityDescription...) throws {
        try self.init(Model(name: "Test", entities: entities))
    }

    convenience init(entities: any Entity.Type...) throws {
        try self.init(Model(entities: entities))
    }

    /// Inserts the object, or the elements of the array, that the text holds.
    @discardableResult
    func insert(_ entity: String, _ json: String) throws -> ImportReport {
        try insert(entity, JSONDocument(json).root)
    }

    /// Inserts the object, or the elements of the array, that stands in a document.
    @discardableResult
    func insert(_ entity: String, _ root: JSONValue) throws -> ImportReport {
        try store.write { context in
            if root.kind == .array {
                _ = try context.mapElements(of: root, as: entity)
            } else {
                _ = try context.map(root, as: entity)
            }
            return context.report
        }
    }

    /// The error that inserting throws, nil where it throws none or another.
    func mappingError(_ entity: String, _ json: String) -> MappingError? {
        do {
            try insert(entity, json)
            return nil
        } catch {
            return error as? MappingError
        }
    }

    /// The error that writing throws, nil where it throws none or another.
    func writingError(_ body: (Context) throws -> Void) -> WritingError? {
        do {
            try store.write(body)
            return nil
        } catch { return error as? WritingError }
    }

    /// Writes, and tells what has been written.
    func report(_ body: (Context) throws -> Void) throws -> ImportReport {
        try store.write { context in
            try body(context)
            return context.report
        }
    }

    /// The committed rows that a statement finds, their values joined by bars.
    func rows(_ sql: String) throws -> [String] {
        let statement = try Statement(sql, on: connection)
        defer { statement.reset() }
        let count = sqlite3_column_count(statement.pointer)
        var rows: [String] = []
        while try statement.step() {
            rows.append(
                (0..<count).map { Self.text(statement.value(at: $0)) }
                    .joined(separator: "|"))
        }
        return rows
    }

    /// A number that changes with each commit of another connection that wrote something.
    var dataVersion: Int64 {
        get throws {
            guard case .integer(let version)? = try connection.value("PRAGMA data_version") else {
                return -1
            }
            return version
        }
    }

    /// The size of the log that commits are written to.
    var logSize: Int {
        get throws {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
            return (attributes[.size] as? Int) ?? -1
        }
    }

    /// Whether a word stands in the file, or in its log.
    func holds(_ word: String) throws -> Bool {
        try ["", "-wal"].contains {
            try Data(contentsOf: URL(filePath: path + $0)).range(of: Data(word.utf8)) != nil
        }
    }

    private static func text(_ value: SQLValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let integer): String(integer)
        case .real(let real): String(real)
        case .text(let text): text
        case .blob(let bytes): "x'" + bytes.map { String(format: "%02x", $0) }.joined() + "'"
        }
    }
}

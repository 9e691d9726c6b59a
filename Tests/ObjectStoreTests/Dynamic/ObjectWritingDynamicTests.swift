import Foundation
import LarderPromises
import Testing

@testable import LarderObjectStore

/// JSON that is imported by the name of an entity.
@Suite struct ObjectWritingDynamicTests {
    private let store: Store

    init() throws { store = try Store.inMemory(model: Comics.store().model) }

    private func insert(_ json: String, at keyPath: String? = nil) throws -> DynamicObjects {
        try store.import("Hero", from: Data(json.utf8), at: keyPath)
    }

    @Test func `a list is its objects, in order and each once`() throws {
        let json = Data(
            #"[{"id": 3, "name": "C"}, null, {"id": 1, "name": "A"}, {"id": 3, "strength": 1}]"#
                .utf8)
        let (imported, report) = try store.write { (try $0.import("Hero", from: json), $0.report) }
        #expect(report["Hero"] == .init(2))
        #expect(imported.count == 2)
        #expect(imported.entityName == "Hero")
        let records = try imported.fetch()
        #expect(records.map { $0["id"] } == [.integer(3), .integer(1)])
        #expect(records[0]["strength"] == .real(1))
        #expect(
            try imported.json(relationships: .identities)
                == store.json(DynamicQuery("Hero").sorted("-id"), relationships: .identities))
    }

    @Test func `an object is one, at a key path too`() throws {
        let imported = try insert(#"{"data": {"hero": {"id": 1, "name": "A"}}}"#, at: "data.hero")
        #expect(try imported.fetch().map { $0["name"] } == [.text("A")])
        #expect(try insert("[]").count == 0)
        #expect(try insert("[]").json() == Data("[]".utf8))
    }

    @Test func `records are read as they are, not as they came`() throws {
        let records = try insert(#"{"id": 1, "name": "A"}"#)
        _ = try insert(#"{"id": 1, "name": "B"}"#)
        #expect(try records.fetch()[0]["name"] == .text("B"))
        try store.delete(DynamicQuery("Hero"))
        let error = #expect(throws: StoreError.self) { try records.fetch() }
        #expect(error?.reason == .missingObject)
    }

    @Test func `what does not fit is an error and leaves nothing`() throws {
        #expect(throws: JSONError.self) { try insert("[") }
        let mapping = #expect(throws: MappingError.self) {
            try insert(#"[{"id": 1, "name": "A"}, {"id": 2, "name": 7}]"#)
        }
        #expect(mapping?.path == "$[1].name")
        #expect(throws: MappingError.self) { try insert("null") }
        #expect(throws: DecodingError.self) { try insert("{}", at: "data") }
        let entity = #expect(throws: StoreError.self) {
            try store.import("Villain", from: Data("[]".utf8))
        }
        #expect(entity?.message.hasSuffix("it has Card, Hero, Power, Publisher") == true)
        #expect(try store.count(DynamicQuery("Hero")) == 0)
    }

    @Test func `files are imported as well`() async throws {
        let folder = try TemporaryFolder()
        let file = URL(filePath: folder.file("heroes.json"))
        let heroes = (1...40).map { #"{"id": \#($0), "name": "H\#($0)"}"# }
        try Data(#"{"list": [\#(heroes.joined(separator: ","))]}"#.utf8).write(to: file)
        let imported = try store.import("Hero", from: JSONDocument(contentsOf: file), at: "list")
        #expect(imported.count == 40)
        #expect(try imported.fetch().last?["name"] == .text("H40"))
        let again = try await store.write {
            _ = try $0.import("Hero", from: JSONDocument(contentsOf: file), at: "list")
            return $0.report
        }
        #expect(again["Hero"].unchanged == 40)
        let promised = try await store.promise.write {
            try $0.import("Hero", from: JSONDocument(contentsOf: file), at: "list")
        }.value
        #expect(promised.count == 40)
        #expect(throws: POSIXError.self) {
            try store.import(
                "Hero", from: JSONDocument(contentsOf: URL(filePath: folder.file("none.json"))))
        }
    }
}

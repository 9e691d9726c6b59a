import Foundation
import Testing

@testable import LarderObjectStore

/// Tasks that say of themselves that they are gone.
@Entity(tombstone: "deleted") struct Errand {
    @Identity var id: Int
    var title: String
    var next: One<Errand>?
    @Relationship(inverse: "errand", ordered: false, delete: .cascade) var steps: Many<Step>
}

@Entity(tombstone: "meta.removed_at") struct Step {
    @Identity var id: Int
    var text: String?
    @Relationship(inverse: "steps") var errand: One<Errand>?
}

@Entity struct Helper {
    @Identity var name: String
    var errand: One<Errand>
    var errands: Many<Errand>
}

@Entity(mapper: EntityMapper(key: "kind", values: ["b": "Banner"])) struct Sign {
    @Identity var id: Int
    var text: String?
}

@Entity(parent: Sign.self, tombstone: "torn") struct Banner {
    var size: Int?
}

/// An object that says that it is gone is deleted, or never comes to be.
struct MapperTombstonesTests {
    private let store: Store

    init() throws {
        store = try .inMemory(entities: Errand.self, Step.self, Helper.self)
        try store.import(
            [Errand].self,
            from: """
                [{"id": 1, "title": "A", "steps": [{"id": 1}, {"id": 2}]},
                 {"id": 2, "title": "B", "next": 1, "steps": [{"id": 3}]}]
                """)
    }

    private func report<Value: Importable>(
        _ type: Value.Type, _ json: String
    ) throws -> ImportReport {
        try store.write { context in
            try context.import(type, from: json)
            return context.report
        }
    }

    private func ids() throws -> [Int] {
        try store.select(Errand.all.sorted { $0.id.ascending }) { $0.id }
    }

    @Test func `goes by the delete rules, with one that was never seen`() throws {
        let report = try report(
            Many<Errand>.self,
            #"[{"id": 1, "deleted": true}, {"id": 9, "deleted": true}, {"id": 3, "title": "C"}]"#)
        #expect(try ids() == [2, 3])
        #expect(report["Errand"].deleted == 1 && report["Errand"].inserted == 1)
        #expect(report["Step"].deleted == 2)
        #expect(try store.find(Errand.self, id: 2)?.next == nil)
        #expect(try store.count(Errand.references) == 0)
    }

    @Test(arguments: [
        "true", "1", "\"01\"", "\"yes\"", "\"2026-11-25T09:00:00Z\"", #"{"by": "ann"}"#, "[1]",
    ])
    func `says so by what says yes`(_ sign: String) throws {
        try store.import(Many<Errand>.self, from: #"[{"id": 1, "deleted": \#(sign)}]"#)
        #expect(try ids() == [2])
    }

    @Test(arguments: [
        "false", "0", "null", "\"\"", "\"0\"", "\"false\"", "{}", "[]", "\"False\"", "\"No\"",
        "\"null\"",
        "\"0000-00-00 00:00:00\"", "\"0000-00-00\"", "\"0001-01-01T00:00:00Z\"", "\"0.0\"",
    ])
    func `does not by what says no`(_ sign: String) throws {
        try store.import(
            Many<Errand>.self, from: #"[{"id": 1, "title": "Z", "deleted": \#(sign)}]"#)
        #expect(try store.find(Errand.self, id: 1)?.title == "Z")
    }

    @Test func `may say so at a path, inside others, too`() throws {
        let report = try report(
            Many<Errand>.self,
            #"""
            [{"id": 1, "title": "A", "steps": [
              {"id": 1, "meta": {"removed_at": "2026"}}, {"id": 2, "meta": {"removed_at": null}},
              {"id": 8, "meta": {"removed_at": "2026"}}, {"id": 4}]}]
            """#)
        let steps = try store.select(Step.all.sorted { $0.id.ascending }) { $0.id }
        #expect(steps == [2, 3, 4])
        #expect(report["Step"].deleted == 1 && report["Step"].inserted == 1)
    }

    @Test(arguments: [
        #"[{"id": 5, "title": "E"}, {"id": 5, "deleted": true}, {"id": 6, "title": "F"}]"#,
        #"[{"id": 5, "deleted": true}, {"id": 5, "title": "E"}, {"id": 6, "title": "F"}]"#,
        #"[{"id": 6, "title": "F", "next": {"id": 5, "title": "E"}}, {"id": 5, "deleted": true}]"#,
    ])
    func `made and deleted in one document ends deleted, in either order`(_ json: String) throws {
        let listed = try store.import(Many<Errand>.self, from: json)
        #expect(try listed.fetch().map(\.id) == [6])
        #expect(try ids() == [1, 2, 6])
    }

    @Test func `ends deleted across the parts of a wrapper`() throws {
        let page = try store.import(
            Page.self,
            from: #"{"gone": [{"id": 5, "deleted": true}], "new": [{"id": 5, "title": "E"}]}"#)
        #expect(try ids() == [1, 2])
        #expect(try page.gone.count == 0)
    }

    @Test func `leads to nothing where it was never seen`() throws {
        try store.import(
            Errand.self, from: #"{"id": 3, "title": "C", "next": {"id": 7, "deleted": true}}"#)
        #expect(try store.find(Errand.self, id: 3)?.next == nil)
        #expect(try store.count(Errand.references) == 0)
        let error = #expect(throws: MappingError.self) {
            try store.import(
                Helper.self, from: #"{"name": "h", "errand": {"id": 7, "deleted": true}}"#)
        }
        #expect(error?.reason == .leadsToDeleted && error?.path == "$.errand")
    }

    @Test func `can't leave others without what they must have`() throws {
        try store.import(Helper.self, from: #"{"name": "h", "errand": 1, "errands": [1, 2]}"#)
        #expect(throws: MappingError.self) {
            try store.import(Many<Errand>.self, from: #"[{"id": 1, "deleted": true}]"#)
        }
        #expect(try ids() == [1, 2])
        // Unless the document has something else for them.
        try store.import(
            Both.self,
            from: #"""
                {"errands": [{"id": 1, "deleted": true}], "helpers": [{"name": "h", "errand": 2}]}
                """#)
        #expect(try ids() == [2])
        let helper = try #require(try store.find(Helper.self, id: "h"))
        #expect(try helper.errands.fetch().map(\.id) == [2])
    }

    @Entity(tombstone: "gone") struct Package {
        @Identity var id: Int
        @Relationship(delete: .deny) var needs: Many<Package>
        @Relationship(delete: .cascade) var contents: Many<Package>
    }

    /// Of the packages 1 and 3 that need another one that of 1 goes too; 5 takes along what needs another.
    @Test(arguments: [
        (#"[{"id": 2, "gone": true}, {"id": 1, "gone": true}, {"id": 3, "gone": true}]"#, "$[2]"),
        (#"[{"id": 2, "gone": 1}, {"id": 9, "needs": [{"id": 3, "gone": 1}]}]"#, "$[1].needs[0]"),
        (#"[{"id": 2, "needs": []}, {"id": 1, "gone": true}, 4]"#, "$[1]"),
        (#"[{"id": 2, "gone": true}, {"id": 9}, {"id": 5, "gone": true}]"#, "$[2]"),
    ])
    func `is named by its place where a rule keeps it`(_ json: String, _ path: String) throws {
        let fixture = try StoreFixture(entities: Package.self)
        try fixture.insert(
            "Package",
            #"""
            [{"id": 1, "needs": [2]}, {"id": 3, "needs": [4]}, {"id": 5, "contents": [3]}]
            """#)
        let denial = WritingError(entity: "Package", attribute: "needs", reason: .denied(count: 1))
        for longArray in [0, 30, 60, 10_000] {
            let root = try JSONDocument(mapped: json.utf8, longArray: longArray).root
            let error = #expect(throws: MappingError.self) { try fixture.insert("Package", root) }
            #expect(
                error
                    == MappingError(
                        entity: "Package", attribute: nil, path: path, reason: .notDeletable(denial)
                    ))
            #expect(try fixture.rows("SELECT count(*) FROM Package") == ["5"])
        }
    }

    @Test func `is named by its place and its transformer where that has made it`() throws {
        let hull = ObjectTransformer("hull") { object in
            guard object["hull"] != nil else { return nil }
            var result = JSONObject(object)
            result.rename("hull", to: "id")
            return result
        }
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Box", identity: ["id"], attributes: [.required("id", .integer)],
                relationships: [
                    RelationshipDescription(
                        "needs", to: "Box", isToMany: true, key: "needs", deleteRule: .deny)
                ], transformer: hull, tombstone: "gone"))
        try fixture.insert("Box", #"{"id": 1, "needs": [{"id": 2}]}"#)
        let error = fixture.mappingError("Box", #"[{"id": 3}, {"hull": 1, "gone": true}]"#)
        #expect(error?.path == "$[1]" && error?.rewrittenBy == "hull")
        #expect(try fixture.rows("SELECT id FROM Box") == ["1", "2"])
    }

    @Test func `is nil as a single object, and an error where there must be one`() throws {
        let error = #expect(throws: StoreError.self) {
            try store.import(Errand.self, from: #"{"id": 1, "deleted": true}"#)
        }
        #expect(error?.reason == .missingObject)
        #expect(error?.message.contains("at $ says that it is gone") == true)
        #expect(try ids() == [1, 2])
        let errand = try store.import(Errand?.self, from: #"{"id": 1, "deleted": true}"#)
        #expect(errand == nil)
        #expect(try ids() == [2])
        let one = try store.import(One<Errand>?.self, from: #"{"id": 2, "deleted": true}"#)
        #expect(one == nil)
        #expect(try store.import("Errand", from: #"{"id": 2, "deleted": true}"#).count == 0)
    }

    @Test func `is left out of lossy lists without being skipped`() throws {
        let list = try store.import(
            LossyList<Errand>.self,
            from: #"[{"id": 1, "title": "A"}, {"id": 1, "deleted": true}, {"id": 2, "title": 3}]"#)
        #expect(try ids() == [2])
        #expect(try list.elements.count == 0)
        #expect(list.skipped.map(\.path) == ["$[2].title"])
    }

    @Test func `of references too, and of what has no identity nothing`() throws {
        try store.import(Errand.self, from: #"{"id": 3, "title": "C", "next": 4}"#)
        #expect(try store.count(Errand.references) == 1)
        try store.import(
            Many<Errand>.self, from: #"[{"id": 4, "deleted": true}, {"deleted": true}]"#)
        #expect(try store.count(Errand.references) == 0)
        #expect(try ids() == [1, 2, 3])
    }

    @Test func `may be of one kind alone, by its row too where it does not say which it is`() throws
    {
        let store = try Store.inMemory(entities: Sign.self, Banner.self)
        let ids = { try store.select(Sign.all.sorted { $0.id.ascending }) { $0.id } }
        try store.import(
            Many<Sign>.self,
            from: #"[{"id": 1}, {"id": 2, "kind": "b", "size": 1}, {"id": 3, "kind": "b"}]"#)
        try store.import(
            Many<Sign>.self,
            from: #"""
                [{"id": 1, "torn": true}, {"id": 2, "kind": "b", "torn": true},
                 {"id": 4, "kind": "b", "torn": 1}]
                """#)
        #expect(try ids() == [1, 3])
        try store.import(Many<Sign>.self, from: #"[{"id": 3, "torn": true}]"#)
        #expect(try ids() == [1])
    }

    @Test func `is known to model files`() throws {
        let model = store.model
        let copy = try Model(json: Data(model.json.utf8), name: model.name)
        #expect(copy[entity: "Step"]?.tombstone == "meta.removed_at")
        #expect(copy[entity: "Helper"]?.tombstone == nil)
        #expect(copy == model)
        var other = try #require(model[entity: "Step"])
        other.tombstone = nil
        #expect(other != model[entity: "Step"])
    }

    private struct Page: Wrapper {
        @Stored var gone: Many<Errand>
        @Stored var new: Many<Errand>
    }

    private struct Both: Wrapper {
        @Stored var errands: Many<Errand>
        @Stored var helpers: Many<Helper>
    }
}

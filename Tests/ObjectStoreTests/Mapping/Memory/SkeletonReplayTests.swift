import Foundation
import Testing

@testable import LarderObjectStore

/// Rows that are not what they were, or not what their numbers say.
struct SkeletonReplayTests {
    @Entity(
        abstract: true,
        mapper: EntityMapper(key: "kind", values: ["film": "Picture", "song": "Tune"]))
    struct Work {
        @Identity var id: Int
        var name: String
    }

    @Entity(parent: Work.self) struct Picture {
        @Inherited var id: Int
        @Inherited var name: String
        var minutes: Int
    }

    @Entity(parent: Work.self) struct Tune {
        @Inherited var id: Int
        @Inherited var name: String
        var verse: String?
    }

    private static func kept<Value: Importable>(
        _ type: Value.Type, of text: String, in store: Store
    ) throws -> ImportSkeleton {
        var skeleton = ImportSkeleton()
        let document = try JSONDocument(text)
        _ = try store.write { context in
            try context.receive(type, from: document.root, as: nil) { parts, _ in
                skeleton = parts
            }
        }
        return try #require(ImportSkeleton(bytes: skeleton.bytes))
    }

    @Test func `an object of another kind that has come to its number is not it`() throws {
        let store = try Store.inMemory(entities: Picture.self, Tune.self)
        let text = #"[{"id": 7, "name": "a", "verse": "la"}, {"id": 8, "name": "b"}]"#
        let skeleton = try Self.kept([Tune].self, of: text, in: store)
        try store.delete(Tune.where { $0.id == 7 })
        try store.save(Picture(id: 7, name: "c", minutes: 90))
        let replayed = try store.read {
            try $0.replay(
                [Tune].self, by: skeleton, from: JSONDocument(text).root,
                options: DecodingOptions())
        }
        #expect(replayed.value.map(\.name) == ["b"] && replayed.missingCount == 1)
    }

    enum Before {
        @Entity struct Badge {
            @Identity var code: String
            var number: Int
        }
    }

    enum After {
        @Entity struct Badge {
            var code: String
            @Identity var number: Int
        }
    }

    @Test func `numbers that another identity has are not those of before`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("x.sqlite")
        let text = #"[{"code": "a", "number": 2}, {"code": "b", "number": 1}]"#
        let skeleton: ImportSkeleton
        do {
            let store = try Store(at: path, entities: Before.Badge.self)
            skeleton = try Self.kept([Before.Badge].self, of: text, in: store)
            try store.close()
        }
        let store = try Store(at: path, entities: After.Badge.self)
        #expect(try store.fetch(After.Badge.all).count == 2)
        let codes = try? store.read {
            try $0.replay(
                [After.Badge].self, by: skeleton, from: JSONDocument(text).root,
                options: DecodingOptions()
            ).value.map(\.code)
        }
        #expect(codes == nil || codes == ["a", "b"])
        _ = folder
    }
}

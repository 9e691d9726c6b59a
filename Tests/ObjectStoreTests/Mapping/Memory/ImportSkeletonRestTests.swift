import Foundation
import Testing

@testable import LarderObjectStore

@Entity
private struct Twig: Equatable {
    @Identity var id: Int
    var name: String?
}

/// What is left of a document beside the rows that it has become.
@Suite struct ImportSkeletonRestTests {
    private static let twigs = #"[{"id": 1, "name": "a"}, {"id": 2}]"#

    /// Imports a value, makes it again of what is left of its document, and returns both with what that is.
    private static func both<Value: Importable>(
        _ type: Value.Type, of json: String
    ) throws -> (imported: Value, again: Value, rest: String) {
        let store = try Store.inMemory(entities: Twig.self)
        let document = try JSONDocument(json)
        var skeleton = ImportSkeleton()
        let imported = try store.write { context in
            try context.receive(type, from: document.root, as: nil) { parts, _ in skeleton = parts }
        }
        let rest = try #require(skeleton.rest(of: document.root, atMost: .max))
        let again = try store.read {
            try $0.replay(
                type, by: rest.skeleton, from: JSONDocument(rest.document).root,
                options: DecodingOptions())
        }
        return (imported, again.value, String(decoding: rest.document, as: UTF8.self))
    }

    @Test func `a long list is kept that has the largest number`() throws {
        let store = try Store.inMemory(entities: Twig.self)
        let json = #"[{"id": 9223372036854775807, "name": "a"}, {"id": 1}]"#
        let document = try JSONDocument(mapped: json.utf8, longArray: 0)
        var count = 0
        try store.write { context in
            _ = try context.receive([Twig].self, from: document.root, as: nil) { parts, _ in
                count = parts.objectCount
            }
        }
        #expect(count == 2)
    }

    private struct Page: Wrapper {
        var total: Int
        @Stored var top: Twig?
        @Stored var twigs: [Twig]
        var next: String?
    }

    @Test func `lists and objects are left empty, and all else stays`() throws {
        let (page, again, rest) = try Self.both(
            Page.self,
            of: #"{"total": 2, "top": {"id": 1}, "twigs": \#(Self.twigs), "next": "/2", "x": [1]}"#)
        #expect(rest == #"{"total": 2, "top": { }, "twigs": [ ], "next": "/2", "x": [1]}"#)
        #expect(again.twigs == page.twigs && again.twigs.map(\.name) == ["a", nil])
        #expect(again.top?.id == 1 && again.total == 2 && again.next == "/2")
    }

    @Test func `what stands before the document counts for nothing`() throws {
        let (_, again, rest) = try Self.both(
            Page.self, of: "\u{FEFF} \n{\"total\": 2, \"twigs\": \(Self.twigs)}")
        #expect(rest == #"{"total": 2, "twigs": [ ]}"#)
        #expect(again.twigs.map(\.id) == [1, 2])
    }

    @Test func `a reference, null and what is missing stay as they are`() throws {
        let (_, again, rest) = try Self.both(
            Page.self, of: #"{"total": 0, "top": null, "twigs": []}"#)
        #expect(rest == #"{"total": 0, "top": null, "twigs": []}"#)
        #expect(again.top == nil && again.twigs.isEmpty)
        let bare = try Self.both(Page.self, of: #"{"total": 0, "top": 7, "twigs": []}"#)
        #expect(bare.rest == #"{"total": 0, "top": 7, "twigs": []}"#)
    }

    private struct Section: Wrapper {
        var title: String
        @Stored var pages: [Page]
        @Stored var lossy: LossyList<Page>
    }

    @Test func `wrappers in lists are what they were`() throws {
        let page = #"{"total": 1, "twigs": [{"id": 3, "name": "c"}]}"#
        let (section, again, rest) = try Self.both(
            Section.self,
            of: #"{"title": "t", "pages": [\#(page), \#(page)], "lossy": [{}, \#(page)]}"#)
        let left = #"{"total": 1, "twigs": [ ]}"#
        #expect(rest == #"{"title": "t", "pages": [\#(left), \#(left)], "lossy": [{}, \#(left)]}"#)
        #expect(again.pages.map(\.twigs) == section.pages.map(\.twigs))
        #expect(again.lossy.skipped == section.lossy.skipped && again.lossy.skipped.count == 1)
        #expect(again.lossy.elements.values.map { $0.twigs.map(\.id) } == [[3]])
    }

    @Test func `more than a limit is not left`() throws {
        let store = try Store.inMemory(entities: Twig.self)
        let document = try JSONDocument(#"{"total": 2, "twigs": \#(Self.twigs)}"#)
        var skeleton = ImportSkeleton()
        _ = try store.write { context in
            try context.receive(Page.self, from: document.root, as: nil) { parts, _ in
                skeleton = parts
            }
        }
        #expect(skeleton.rest(of: document.root, atMost: 26) != nil)
        #expect(skeleton.rest(of: document.root, atMost: 25) == nil)
    }

    // MARK: Other types

    private struct PlainTwig: Decodable, Sendable {
        var name: String?
    }

    /// Reads, and does not store, what another type has stored.
    private struct PlainPage: Wrapper {
        var twigs: [PlainTwig]
    }

    private struct PlainTop: Wrapper {
        var top: PlainTwig?
    }

    private struct TwigRow: Wrapper {
        var name: String?
    }

    private static func replay<Other: Importable, Value: Importable>(
        _ type: Other.Type, after first: Value.Type, of json: String
    ) throws -> Other {
        let store = try Store.inMemory(entities: Twig.self)
        let document = try JSONDocument(json)
        var skeleton = ImportSkeleton()
        _ = try store.write { context in
            try context.receive(first, from: document.root, as: nil) { parts, _ in skeleton = parts
            }
        }
        let isWhole = skeleton.isWhole(of: document.root, as: first)
        let rest = try #require(skeleton.rest(of: document.root, atMost: .max))
        let (kept, content) =
            isWhole
            ? (skeleton.ofEmptyDocument, Data(skeleton.emptyDocument.utf8))
            : (rest.skeleton, rest.document)
        return try store.read {
            try $0.replay(
                type, by: kept, from: JSONDocument(content).root, options: DecodingOptions()
            ).value
        }
    }

    @Test func `a type that reads what is not kept is not made again`() throws {
        let page = #"{"total": 1, "top": {"id": 1, "name": "a"}, "twigs": \#(Self.twigs)}"#
        #expect(throws: StoreError.self) {
            try Self.replay(PlainPage.self, after: Page.self, of: page)
        }
        #expect(throws: StoreError.self) {
            try Self.replay(PlainTop.self, after: Page.self, of: page)
        }
        #expect(throws: StoreError.self) {
            try Self.replay([TwigRow].self, after: [Twig].self, of: Self.twigs)
        }
        #expect(throws: StoreError.self) {
            try Self.replay(TwigRow.self, after: Twig.self, of: #"{"id": 1, "name": "a"}"#)
        }
        let many = try Self.replay(Many<Twig>.self, after: [Twig].self, of: Self.twigs)
        #expect(try many.count == 2)
    }

    // MARK: What is read beside the parts

    /// Reads the list a second time, for what it says of itself.
    private struct Counted: Wrapper {
        var count: Int
        @Stored var twigs: [Twig]

        private enum Key: CodingKey { case twigs }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            count = try container.nestedUnkeyedContainer(forKey: .twigs).count ?? 0
            _twigs = try container.decode(Stored<[Twig]>.self, forKey: .twigs)
        }
    }

    @Test func `a list whose elements are counted stays`() throws {
        let json = #"{"twigs": \#(Self.twigs)}"#
        let (_, again, rest) = try Self.both(Counted.self, of: json)
        #expect(rest == json && again.count == 2)
    }

    /// Reads the list by the decoder that stores it, too.
    private struct Twice: Wrapper {
        struct List: Decodable, Sendable {
            var count: Int
            @Stored var twigs: [Twig]

            init(from decoder: any Decoder) throws {
                count = try decoder.unkeyedContainer().count ?? 0
                _twigs = try Stored(from: decoder)
            }
        }

        var list: List
    }

    @Test func `a list that is stored and counted at one place stays`() throws {
        let json = #"{"list": \#(Self.twigs)}"#
        let (_, again, rest) = try Self.both(Twice.self, of: json)
        #expect(rest == json && again.list.count == 2)
    }

    private struct Raw: MappedWrapper {
        var json: JSONValue?
        var twigs: [Twig] = []

        mutating func map(_ map: WrapperMap) throws {
            json = try map.json(at: "data")
            try map.read(&twigs, at: "data.twigs")
        }
    }

    @Test func `what is taken as JSON stays`() throws {
        let json = #"{"data": {"twigs": \#(Self.twigs)}}"#
        let (_, again, rest) = try Self.both(Raw.self, of: json)
        #expect(rest == json && again.json?["twigs"]?.count == 2)
    }

    private struct Copied: Wrapper {
        var data: JSONValue
        @Stored var twigs: [Twig]
    }

    @Test func `what is decoded as JSON stays, and nothing else`() throws {
        let (_, again, rest) = try Self.both(
            Copied.self, of: #"{"data": \#(Self.twigs), "twigs": \#(Self.twigs)}"#)
        #expect(rest == #"{"data": \#(Self.twigs), "twigs": [ ]}"#)
        #expect(again.data.count == 2 && again.twigs.count == 2)
    }

    /// Stores the object that it reads something else of.
    private struct Profile: MappedWrapper {
        var twig: Twig?
        var isAdmin = false
        var friends: [Twig] = []

        mutating func map(_ map: WrapperMap) throws {
            try map.read(&twig)
            try map.read(&isAdmin, at: "admin")
            try map.read(&friends, at: "friends")
        }
    }

    @Test func `an object of which more is read stays, without the parts in it`() throws {
        let (_, again, rest) = try Self.both(
            Profile.self, of: #"{"id": 1, "admin": true, "friends": \#(Self.twigs)}"#)
        #expect(rest == #"{"id": 1, "admin": true, "friends": [ ]}"#)
        #expect(again.isAdmin && again.twig?.id == 1 && again.friends.count == 2)
    }

    /// Takes its JSON apart by itself, though it is a wrapper.
    private struct ByItself: Wrapper {
        var names: [String]
        @Stored var twigs: [Twig]

        static func `import`(from value: JSONValue, in context: Context) throws -> ByItself {
            let twigs = try [Twig].import(from: value, in: context)
            let names = value.elements?.map { $0["name"]?.string ?? "-" } ?? []
            return ByItself(names: names, twigs: twigs)
        }
    }

    private struct Holder: Wrapper {
        @Stored var inside: ByItself?
        @Stored var list: [ByItself]
        @Stored var twigs: [Twig]
    }

    @Test func `what a type reads in its own way stays`() throws {
        let (_, again, rest) = try Self.both(
            Holder.self,
            of: #"{"inside": \#(Self.twigs), "list": [\#(Self.twigs)], "twigs": \#(Self.twigs)}"#)
        #expect(
            rest == #"{"inside": \#(Self.twigs), "list": [\#(Self.twigs)], "twigs": [ ]}"#)
        #expect(again.inside?.names == ["a", "-"] && again.list[0].names == ["a", "-"])
        let json = Self.twigs
        #expect(try Self.both(ByItself.self, of: json).rest == json)
    }

    /// Stores the same list as two things.
    private struct Both: MappedWrapper {
        var twigs: [Twig] = []
        var many: Many<Twig> = []

        mutating func map(_ map: WrapperMap) throws {
            try map.read(&twigs, at: "list")
            try map.read(&many, at: "list")
        }
    }

    @Test func `a list that is stored twice is left empty`() throws {
        let (_, again, rest) = try Self.both(Both.self, of: #"{"list": \#(Self.twigs)}"#)
        #expect(rest == #"{"list": [ ]}"#)
        #expect(try again.twigs.count == 2 && again.many.count == 2)
    }

    /// Stores an object of the list by itself, too.
    private struct First: MappedWrapper {
        var page: Twig?
        var first: Twig?

        mutating func map(_ map: WrapperMap) throws {
            try map.read(&page, at: "page")
            try map.read(&first, at: "page.first")
        }
    }

    @Test func `a part that another one stands in stays`() throws {
        let (_, again, rest) = try Self.both(
            First.self, of: #"{"page": {"id": 1, "first": {"id": 2, "name": "b"}}}"#)
        #expect(rest == #"{"page": {"id": 1, "first": { }}}"#)
        #expect(again.page?.id == 1 && again.first?.name == "b")
    }
}

import Foundation
import Testing

@testable import LarderObjectStore

struct ObjectWritingTests {
    private static let page = #"""
        {"data": {"items": [{"id": 1, "name": "A"}, {"id": 2, "name": "B"}], "count": 2}}
        """#

    /// A list of publishers above the size of an array that is kept in memory.
    private static func longList(_ count: Int) -> String {
        let name = String(repeating: "n", count: 1000)
        return (1...count).map { #"{"id": \#($0), "name": "\#(name)"}"# }.joined(separator: ",\n")
    }

    @Test func `data is written from a key path on`() throws {
        let store = try Comics.store()
        let publishers = try store.import(
            Many<Publisher>.self, from: Data(Self.page.utf8), at: "data.items")
        #expect(try publishers.fetch().map(\.name) == ["A", "B"])
    }

    @Test func `a file is written from a key path on`() throws {
        let folder = try TemporaryFolder()
        let file = URL(filePath: folder.file("page.json"))
        try Data(Self.page.utf8).write(to: file)
        let store = try Comics.store()
        let publishers = try store.import(
            Many<Publisher>.self, from: JSONDocument(contentsOf: file), at: "data.items")
        #expect(try publishers.count == 2)
        #expect(try folder.files == ["page.json"])
    }

    @Test(arguments: ["data.other", "data.items.x", "data.", ""])
    func `a key path that leads nowhere is an error`(_ keyPath: String) throws {
        let store = try Comics.store()
        let error = #expect(throws: DecodingError.self) {
            try store.import(Many<Publisher>.self, from: Data(Self.page.utf8), at: keyPath)
        }
        #expect("\(String(describing: error))".contains("nothing at \(keyPath)"))
        #expect(try store.count(Publisher.all) == 0)
    }

    @Test func `a file that is not there is an error`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: POSIXError.self) {
            try Comics.store().import(
                Many<Publisher>.self,
                from: JSONDocument(contentsOf: URL(filePath: folder.file("missing.json"))))
        }
    }

    @Test func `a long file is written whole`() throws {
        let folder = try TemporaryFolder()
        let file = URL(filePath: folder.file("long.json"))
        try Data("[\(Self.longList(4000))]".utf8).write(to: file)
        let store = try Store(
            at: folder.file("store.sqlite"), entities: Publisher.self, Hero.self, Power.self,
            Card.self)
        let publishers = try store.import(
            Many<Publisher>.self, from: JSONDocument(contentsOf: file))
        #expect(try publishers.count == 4000)
        #expect(try store.count(Publisher.all) == 4000)
        #expect(try folder.files.filter { $0.contains("spool") } == [])
    }

    @Test(arguments: [
        "", "x]", ", {\"id\": 1, \"name\": null}]", ", {\"id\": 9, \"name\": \"\u{1}\"}]",
    ])
    func `a mistake at the end of a long file leaves nothing behind`(_ end: String) throws {
        let folder = try TemporaryFolder()
        let file = URL(filePath: folder.file("long.json"))
        let text = "[\(Self.longList(2500))\(end)"
        try Data(text.utf8).write(to: file)
        let store = try Comics.store()
        let whole = #expect(throws: (any Error).self) {
            try store.import(Many<Publisher>.self, from: Data(text.utf8))
        }
        let walked = #expect(throws: (any Error).self) {
            try store.import(Many<Publisher>.self, from: JSONDocument(contentsOf: file))
        }
        let path = file.path(percentEncoded: false)
        let told = String(describing: walked).replacing(" of \(path)", with: "")
        #expect(told == String(describing: whole))
        #expect(try store.count(Publisher.all) == 0)
    }

    @Test func `errors of a file name it`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a page.json")
        let file = URL(filePath: path)
        try Data(#"[{"id": 1}, x]"#.utf8).write(to: file)
        let mistake = #expect(throws: JSONError.self) { try JSONDocument(contentsOf: file) }
        #expect(mistake?.file == path)
        #expect(
            mistake?.description
                == "Invalid JSON at line 1, column 13 ($[1]) of \(path): unexpected character")
        let text = #"[{"id": 1, "name": null}]"#
        try Data(text.utf8).write(to: file)
        let store = try Comics.store()
        let unfit = #expect(throws: MappingError.self) {
            try store.import(Many<Publisher>.self, from: JSONDocument(contentsOf: file))
        }
        #expect(unfit?.file == path)
        #expect(unfit?.description.contains(" of \(path): ") == true)
        let unnamed = #expect(throws: MappingError.self) {
            try store.import(Many<Publisher>.self, from: Data(text.utf8))
        }
        #expect(unnamed?.file == nil)
        #expect(unnamed?.path == unfit?.path)
    }
}

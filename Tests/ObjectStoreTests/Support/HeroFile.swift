import Foundation
import Testing

@testable import LarderObjectStore

/// A file with a store of heroes that comes to harm.
struct HeroFile {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func make() throws {
        let store = try Store(
            at: folder.file("a"), entities: Publisher.self, Hero.self, Power.self, Card.self)
        let heroes = (1...2_000).map {
            #"{"id": \#($0), "name": "h\#($0)", "publisher": {"id": 1, "name": "p"}, "powers": [{"id": "\#($0 % 7)", "name": "x"}]}"#
        }
        _ = try store.import(
            Many<Hero>.self, from: Data("[\(heroes.joined(separator: ", "))]".utf8))
        try store.vacuum()
        try store.close()
    }

    func rebuild() throws -> (store: Store, report: RebuildReport) {
        try Store.rebuild(
            at: folder.file("a"), entities: Publisher.self, Hero.self, Power.self, Card.self)
    }

    func damage(_ range: Range<Int>) throws {
        var bytes = try folder.bytes("a")
        bytes.replaceSubrange(range, with: Data(repeating: 0xA5, count: range.count))
        try bytes.write(to: URL(fileURLWithPath: folder.file("a")))
    }

    /// Damages a page of those that hold the heroes, in their midst or so many eighths behind their beginning.
    func damageHeroes(eighths: Int = 4) throws {
        let root = try folder.open("a").value(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'Hero'")
        guard case .integer(let number)? = root else { throw StoreError(.unexpectedValue, "root") }
        let page = Array(try folder.bytes("a").dropFirst((Int(number) - 1) * 4096).prefix(4096))
        // An inner page: its kind, and from byte 12 on where the cells are, each a page below first.
        try #require(page[0] == 5)
        let place = (Int(page[3]) << 8 | Int(page[4])) * eighths / 8
        let cell = Int(page[12 + 2 * place]) << 8 | Int(page[13 + 2 * place])
        let leaf = page[cell..<cell + 4].reduce(0) { $0 << 8 | Int($1) }
        try damage((leaf - 1) * 4096..<leaf * 4096)
    }

    /// Makes bytes of a stored text of less than 58 bytes, of which the record's header alone tells
    /// (sqlite.org/fileformat.html, 2.1).
    func makeBytes(of text: String) throws {
        var bytes = try folder.bytes("a")
        let place = try #require(bytes.range(of: Data(text.utf8)))
        let type = UInt8(13 + 2 * text.utf8.count)
        let header = bytes[..<place.lowerBound].suffix(40)
        let index = try #require(header.lastIndex(of: type))
        bytes[index] = type - 1
        try bytes.write(to: URL(fileURLWithPath: folder.file("a")))
    }

    /// Runs statements on the file as any program could.
    func tamper(_ sql: String) throws {
        try Connection(path: folder.file("a"), creates: true, readOnly: false, busyTimeout: 0)
            .execute(sql)
    }
}

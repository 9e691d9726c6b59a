import Foundation

@testable import LarderObjectStore

/// Stores of cards in files of one folder.
struct CardFiles {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func url(_ name: String) -> URL { URL(fileURLWithPath: folder.file(name)) }

    /// Stores a card for each number.
    static func fill(_ store: Store, _ range: Range<Int>) throws {
        let cards = range.map {
            #"{"suit": "s\#($0)", "value": "\#(String(repeating: "x", count: 200))"}"#
        }
        _ = try store.import(
            Many<Card>.self, from: Data("[\(cards.joined(separator: ", "))]".utf8))
    }

    /// The store in the file `a`, open, with some cards.
    func store(_ count: Int) throws -> Store {
        let store = try Store(at: folder.file("a"), entities: Card.self)
        try Self.fill(store, 0..<count)
        return store
    }

    /// Makes a file of cards that no store has open.
    func make(_ name: String = "a", count: Int = 300) throws {
        let store = try Store(at: folder.file(name), entities: Card.self)
        try Self.fill(store, 0..<count)
        try store.vacuum()
        try store.close()
    }

    /// Why a file can't be opened and read, nil where it can.
    func code(_ name: String = "a") -> StoreError.Reason? {
        do {
            let store = try Store(at: folder.file(name), entities: Card.self)
            _ = try store.fetch(Card.all)
            return nil
        } catch {
            return (error as? StoreError)?.reason
        }
    }
}

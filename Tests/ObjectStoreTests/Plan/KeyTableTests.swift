import Testing

@testable import LarderObjectStore

struct KeyTableTests {
    private static func keys(_ table: KeyTable, _ tree: Int = 0) -> [String] {
        let tree = table.trees[tree]
        return (tree.first..<tree.first + tree.count).map { index in
            let entry = table.entries[index]
            return String(
                decoding: UnsafeBufferPointer(start: entry.key, count: entry.length),
                as: UTF8.self)
        }
    }

    @Test func `has an entry for each key in the order of the fields`() {
        let table = KeyTable(keyPaths: ["b", nil, "a", "ü"])
        #expect(Self.keys(table) == ["b", "a", "ü"])
        #expect((0..<3).map { table.entries[$0].field } == [0, 2, 3])
        #expect(table.trees.count == 1)
        #expect(table.trees[0].fields == [0, 2, 3])
    }

    @Test func `shares the steps of key paths`() throws {
        let table = KeyTable(keyPaths: ["a.b.c", "a.d", "a", "a.b.e"])
        #expect(Self.keys(table) == ["a"])
        let root = table.entries[table.trees[0].first]
        #expect(root.field == 2)
        #expect(Self.keys(table, root.child) == ["b", "d"])
        #expect(table.trees[root.child].fields == [0, 1, 3])
        let step = table.entries[table.trees[root.child].first]
        #expect(step.field == -1)
        #expect(Self.keys(table, step.child) == ["c", "e"])
    }

    @Test func `fields of one key follow each other`() {
        let table = KeyTable(keyPaths: ["a", "b", "a", "a"])
        #expect(Self.keys(table) == ["a", "b"])
        var fields: [Int] = []
        var entry = table.trees[0].first
        while entry >= 0, fields.count < 10 {
            fields.append(table.entries[entry].field)
            entry = table.entries[entry].alias
        }
        #expect(fields == [0, 2, 3])
    }

    @Test func `may be empty`() {
        #expect(Self.keys(KeyTable(keyPaths: [])) == [])
        #expect(Self.keys(KeyTable(keyPaths: [nil])) == [])
    }
}

/// The keys that an entity maps, as trees of key path steps over one block of memory.
///
/// Unchecked because it holds pointers; nothing writes through them once `init` is done.
final class KeyTable: @unchecked Sendable {
    /// A step of one or more key paths.
    struct Entry {
        let key: UnsafePointer<UInt8>
        let length: Int
        /// The field whose value stands here, -1 where the step only leads on.
        var field: Int
        /// The tree of the steps below, -1 where there is none.
        var child: Int
        /// Another entry for the same key, -1 where there is none.
        var alias: Int
    }

    /// The entries of one level.
    struct Tree {
        let first: Int
        let count: Int
        /// The fields that stand at this level or below it.
        let fields: [Int]
    }

    private let keys: UnsafeMutablePointer<UInt8>
    let entries: UnsafePointer<Entry>
    let trees: [Tree]

    /// Builds the trees of the fields' key paths; a field without one is never read.
    init(keyPaths: [String?]) {
        let paths = keyPaths.enumerated().compactMap { field, path in
            path.map {
                (
                    field: field,
                    steps: $0.split(separator: ".", omittingEmptySubsequences: false)
                        .map { [UInt8]($0.utf8) }
                )
            }
        }
        let capacity = paths.reduce(0) { $0 + $1.steps.count }
        let byteCount = paths.reduce(0) { $0 + $1.steps.reduce(0) { $0 + $1.count } }
        keys = .allocate(capacity: max(byteCount, 1))
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: max(capacity, 1))
        var builder = Builder(keys: keys, entries: entries)
        builder.addTree(of: paths.map { ($0.field, $0.steps[...]) })
        self.entries = UnsafePointer(entries)
        trees = builder.trees
    }

    deinit {
        keys.deallocate()
        entries.deallocate()
    }

    private struct Builder {
        var keys: UnsafeMutablePointer<UInt8>
        let entries: UnsafeMutablePointer<Entry>
        var count = 0
        var trees: [Tree] = []

        @discardableResult
        mutating func addTree(of paths: [(field: Int, steps: ArraySlice<[UInt8]>)]) -> Int {
            let index = trees.count
            trees.append(Tree(first: 0, count: 0, fields: []))
            var order: [[UInt8]] = []
            var groups: [[UInt8]: [(field: Int, steps: ArraySlice<[UInt8]>)]] = [:]
            for path in paths {
                guard let key = path.steps.first else { continue }
                if groups[key] == nil { order.append(key) }
                groups[key, default: []].append((path.field, path.steps.dropFirst()))
            }
            let first = count
            for key in order { addEntry(key, for: groups[key] ?? []) }
            // Aliases stand behind the entries that are searched.
            let searched = count - first
            for (offset, key) in order.enumerated() {
                let group = groups[key] ?? []
                addAliases(of: first + offset, for: group)
                let deeper = group.filter { !$0.steps.isEmpty }
                if !deeper.isEmpty { entries[first + offset].child = addTree(of: deeper) }
            }
            trees[index] = Tree(first: first, count: searched, fields: paths.map(\.field))
            return index
        }

        private mutating func addEntry(
            _ key: [UInt8], for group: [(field: Int, steps: ArraySlice<[UInt8]>)]
        ) {
            keys.update(from: key, count: key.count)
            (entries + count).initialize(
                to: Entry(
                    key: UnsafePointer(keys), length: key.count,
                    field: group.first { $0.steps.isEmpty }?.field ?? -1, child: -1, alias: -1))
            keys += key.count
            count += 1
        }

        private mutating func addAliases(
            of entry: Int, for group: [(field: Int, steps: ArraySlice<[UInt8]>)]
        ) {
            var last = entry
            for path in group.filter({ $0.steps.isEmpty }).dropFirst() {
                (entries + count).initialize(
                    to: Entry(
                        key: entries[entry].key, length: entries[entry].length, field: path.field,
                        child: -1, alias: -1))
                entries[last].alias = count
                last = count
                count += 1
            }
        }
    }
}

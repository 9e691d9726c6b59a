import Foundation

/// The fields of the object that a mapper is at, and of the objects around it.
///
/// All frames lie in one block, as large as the document is deep, so that mapping an object
/// allocates nothing. Unused parts of the block are never touched.
final class MapperFrames {
    /// The value of a field that the JSON does not have.
    static let missing: Int32 = -1
    /// The value of a to-one column whose row is given by where the object stands.
    static let givenRow: Int32 = -2

    private let plan: StorePlan
    private var storage: JSONDocument.Storage
    private var tape: JSONTape
    private let values: UnsafeMutablePointer<Int32>
    private let rows: UnsafeMutablePointer<Int64>
    private let shapes: UnsafeMutablePointer<Shape>
    private let layout: FrameLayout
    private let capacity: Int
    private(set) var depth = 0

    /// A key that an object of the same tree had at a place, and the entry it matched.
    private struct Shape {
        var offset: Int32
        /// One more than the key's length, so that a shape of zeros is none.
        var lengthAndOne: Int32
        var entry: Int32
    }

    init(plan: StorePlan, document: JSONDocument.Storage) {
        self.plan = plan
        storage = document
        tape = document.tape
        layout = plan.frameLayout
        capacity = (document.depth + 1) * layout.width
        values = .allocate(capacity: max(capacity, 1))
        rows = .allocate(capacity: max(capacity, 1))
        shapes = .allocate(capacity: max(layout.shapeCount, 1))
        forgetShapes()
    }

    deinit {
        values.deallocate()
        rows.deallocate()
        shapes.deallocate()
    }

    /// Goes on with objects on another tape, whose keys stand elsewhere.
    func turn(to storage: JSONDocument.Storage) {
        self.storage = storage
        tape = storage.tape
        forgetShapes()
    }

    /// Clears all of them at once: there are many where a model has many entities, and most documents have few.
    private func forgetShapes() {
        memset(shapes, 0, layout.shapeCount * MemoryLayout<Shape>.stride)
    }

    /// A frame for an object of an entity, with nothing in it.
    func push(_ entity: EntityPlan) -> MapperFrame {
        let start = depth * layout.width
        precondition(
            start + layout.width <= capacity, "objects are nested deeper than their document")
        depth += 1
        (values + start).update(repeating: Self.missing, count: entity.fieldCount)
        return MapperFrame(entity: entity, values: values + start, rows: rows + start)
    }

    func pop(_ frame: MapperFrame) { depth -= 1 }

    /// Finds the fields of an object among its members, and those below them.
    @inline(__always)
    func match(_ object: Int, in frame: MapperFrame) throws(MappingError) {
        try match(object, tree: 0, in: frame)
    }

    private func match(_ object: Int, tree: Int, in frame: MapperFrame) throws(MappingError) {
        let entity = frame.entity
        let entries = entity.keys.entries
        var shape = shapes + layout.firstShapes[entity.index][tree]
        let lastShape = shape + (FrameLayout.shapeLength - 1)
        var key = tape.firstChild(object)
        let end = tape.next(object)
        while key < end {
            let value = key &+ 1
            let offset = tape.offset(key)
            let length = tape.length(key)
            if Int(shape.pointee.lengthAndOne) != length + 1
                || memcmp(tape.bytes + Int(shape.pointee.offset), tape.bytes + offset, length) != 0
            {
                shape.pointee = Shape(
                    offset: Int32(truncatingIfNeeded: offset),
                    lengthAndOne: offset <= Int32.max ? Int32(truncatingIfNeeded: length + 1) : 0,
                    entry: find(key, tree: tree, of: entity.keys))
            }
            let entry = Int(shape.pointee.entry)
            if entry >= 0 {
                do throws(MappingError) {
                    try take(value, by: entries[entry], of: entity.keys, in: frame)
                } catch {
                    // Of duplicate keys the last one counts.
                    guard isRepeated(entry, from: tape.next(value), to: end, tree, entity.keys)
                    else { throw error }
                }
            }
            if shape < lastShape { shape += 1 }
            key = tape.next(value)
        }
    }

    /// Whether one of the keys in a range matches an entry.
    private func isRepeated(
        _ entry: Int, from start: Int, to end: Int, _ tree: Int, _ keys: KeyTable
    ) -> Bool {
        var key = start
        while key < end {
            if Int(find(key, tree: tree, of: keys)) == entry { return true }
            key = tape.next(key &+ 1)
        }
        return false
    }

    private func find(_ key: Int, tree: Int, of keys: KeyTable) -> Int32 {
        let tree = keys.trees[tree]
        for index in tree.first..<tree.first + tree.count {
            let entry = keys.entries[index]
            let text = UnsafeBufferPointer(start: entry.key, count: entry.length)
            if tape.keyEquals(key, text) { return Int32(index) }
        }
        return -1
    }

    @inline(__always)
    private func take(
        _ value: Int, by entry: KeyTable.Entry, of keys: KeyTable, in frame: MapperFrame
    ) throws(MappingError) {
        if entry.field >= 0 {
            frame.values[entry.field] = Int32(truncatingIfNeeded: value)
        }
        if entry.alias >= 0 { takeAliases(value, from: entry.alias, of: keys, in: frame) }
        if entry.child >= 0 { try descend(value, by: entry, in: frame) }
    }

    private func takeAliases(
        _ value: Int, from first: Int, of keys: KeyTable, in frame: MapperFrame
    ) {
        var alias = first
        while alias >= 0 {
            let entry = keys.entries[alias]
            frame.values[entry.field] = Int32(truncatingIfNeeded: value)
            alias = entry.alias
        }
    }

    /// Follows key paths into an object; a step that is null leads nowhere, any other is an error.
    ///
    /// A reference stands where there could have been the object with all that key paths ask for.
    private func descend(
        _ value: Int, by entry: KeyTable.Entry, in frame: MapperFrame
    ) throws(MappingError) {
        let tree = entry.child
        let fields = frame.entity.keys.trees[tree].fields
        // Of duplicate keys the last one counts, with all that stands below it.
        for field in fields { frame.values[field] = Self.missing }
        switch tape.kind(value) {
        case .object:
            try match(value, tree: tree, in: frame)
        case .null:
            return
        default:
            let isReference = entry.field >= frame.entity.attributeCount && !tape.isContainer(value)
            if isReference { return }
            throw MappingError(
                entity: frame.entity.name,
                attribute: fields.first.map { frame.entity.fieldName($0) },
                path: storage.path(to: value), file: storage.filePath,
                reason: .unexpectedValue(
                    expected: "an object on the way to a key path",
                    found: tape.kind(value) == .array ? "an array" : "a single value"))
        }
    }
}

/// The fields of one object while it is mapped.
struct MapperFrame {
    let entity: EntityPlan
    /// The node of each field's value, or one of `MapperFrames`' marks.
    let values: UnsafeMutablePointer<Int32>
    /// The row that each to-one column leads to, once its object has been mapped.
    let rows: UnsafeMutablePointer<Int64>

    /// Has a to-one column lead to a row that is given by where the object stands.
    func give(_ row: Int64, to column: Int) {
        values[column] = MapperFrames.givenRow
        rows[column] = row
    }

    /// Whether the JSON has any of the to-many relationships.
    var hasToMany: Bool {
        for field in entity.columnCount..<entity.fieldCount where values[field] >= 0 {
            return true
        }
        return false
    }

    /// Whether nothing but the object's own row is to be written for it.
    func isFlat(in tape: JSONTape) -> Bool {
        for field in entity.attributeCount..<entity.columnCount
        where values[field] >= 0 && tape.isContainer(Int(values[field])) {
            return false
        }
        return !hasToMany
    }
}

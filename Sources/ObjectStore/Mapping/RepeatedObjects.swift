import Foundation

/// Objects of a document by their text, so that one that comes again in the same words is known
/// before any of its members is looked at.
///
/// A table in which each object has one place: who comes later takes it. Forgetting an object costs
/// time, nothing else.
final class RepeatedObjects {
    /// What was written from an object's text.
    struct Object {
        let row: Int64
        let node: Int32
        /// The number of the entity, counted from 1; 0 for nothing.
        let entity: Int32
    }

    private let tape: JSONTape
    private let objects: UnsafeMutablePointer<Object>
    private let mask: Int

    /// The largest number of places.
    private static let limit = 4_096
    /// Shorter objects are mapped as quickly as they are found here.
    private static let minimumLength = 16

    init(tape: JSONTape) {
        self.tape = tape
        var capacity = 16
        while capacity < Self.limit, capacity * 32 < tape.next(0) { capacity *= 2 }
        mask = capacity - 1
        objects = .allocate(capacity: capacity)
        objects.initialize(repeating: Object(row: 0, node: 0, entity: 0), count: capacity)
    }

    deinit { objects.deallocate() }

    /// What an object in the same words was written as, nil where none is known.
    @inline(__always)
    func object(like node: Int, of entity: EntityPlan) -> Object? {
        let text = tape.containerText(node)
        guard text.count >= Self.minimumLength else { return nil }
        let object = objects[place(of: text)]
        guard Int(object.entity) == entity.index &+ 1 else { return nil }
        let other = tape.containerText(Int(object.node))
        return other.count == text.count && other.hasSameBytes(as: text) ? object : nil
    }

    /// Keeps what an object was written as.
    func remember(_ node: Int, of entity: EntityPlan, row: Int64) {
        let text = tape.containerText(node)
        guard text.count >= Self.minimumLength else { return }
        objects[place(of: text)] = Object(
            row: row, node: Int32(truncatingIfNeeded: node),
            entity: Int32(truncatingIfNeeded: entity.index &+ 1))
    }

    /// The place of a text, by its length, its beginning and its end: identities stand near one.
    @inline(__always)
    private func place(of text: UnsafeBufferPointer<UInt8>) -> Int {
        let bytes = UnsafeRawBufferPointer(text)
        let start = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        let middle = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        let end = bytes.loadUnaligned(fromByteOffset: text.count &- 8, as: UInt64.self)
        var hash = (start ^ UInt64(truncatingIfNeeded: text.count)) &* 0x9E37_79B9_7F4A_7C15
        hash = (hash ^ middle) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ end) &* 0x94D0_49BB_1331_11EB
        return Int(truncatingIfNeeded: hash &>> 40) & mask
    }
}

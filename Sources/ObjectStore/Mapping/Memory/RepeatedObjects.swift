import Foundation

/// Objects of a document by their text, so that one that comes again in the same words is known
/// before any of its members is looked at.
///
/// A table in which each object has one of two places: who comes later takes that of the older.
/// The texts are copied side by side, since those in a large document lie too far apart for the
/// processor's caches. Forgetting an object costs time, nothing else.
final class RepeatedObjects {
    /// A row, and the place of the text that it was written from.
    struct Object {
        let row: Int64
        /// The offset of the text among those that are kept.
        fileprivate let start: Int32
        fileprivate let length: Int32
        /// The number of the entity, counted from 1; 0 for nothing.
        fileprivate let entity: Int32
        /// The tally's `rewrittenCount` when this row was known to hold just what the text says.
        var rewrittenCount: Int32
    }

    private let objects: UnsafeMutablePointer<Object>
    private let texts: UnsafeMutablePointer<UInt8>
    private let textCapacity: Int
    private var textCount = 0
    private let mask: Int

    /// The largest number of places.
    private static let limit = 16_384
    /// The most bytes of texts.
    private static let textLimit = 2 << 20
    /// Shorter objects are mapped as quickly as they are found here.
    private static let minimumLength = 16
    private static let maximumLength = 8 << 10

    /// - Parameter size: About how many bytes the objects have that are to come.
    init(size: Int) {
        var capacity = 16
        while capacity < Self.limit, capacity * 256 < size { capacity *= 2 }
        mask = capacity - 1
        objects = .allocate(capacity: capacity)
        objects.initialize(
            repeating: Object(row: 0, start: 0, length: 0, entity: 0, rewrittenCount: 0),
            count: capacity)
        // Pages that are never written are never allocated.
        textCapacity = min(max(size, Self.minimumLength), Self.textLimit)
        texts = .allocate(capacity: textCapacity)
    }

    deinit {
        objects.deallocate()
        texts.deallocate()
    }

    /// Returns the place of an object in the same words, nil where none is known; to be used before
    /// another one is remembered.
    @inline(__always)
    func object(
        like text: UnsafeBufferPointer<UInt8>, of entity: EntityPlan
    ) -> UnsafeMutablePointer<Object>? {
        guard text.count >= Self.minimumLength else { return nil }
        let place = objects + place(of: text)
        if holds(place, text, of: entity) { return place }
        return holds(place + 1, text, of: entity) ? place + 1 : nil
    }

    /// Keeps what an object was written as.
    func remember(
        _ text: UnsafeBufferPointer<UInt8>, of entity: EntityPlan, row: Int64, rewrittenCount: Int32
    ) {
        guard let start = text.baseAddress,
            (Self.minimumLength...min(Self.maximumLength, textCapacity)).contains(text.count)
        else { return }
        let place = objects + place(of: text)
        if textCount + text.count > textCapacity { removeAll() }
        if place.pointee.entity != 0 { place[1] = place[0] }
        (texts + textCount).update(from: start, count: text.count)
        place.pointee = Object(
            row: row, start: Int32(truncatingIfNeeded: textCount),
            length: Int32(truncatingIfNeeded: text.count),
            entity: Int32(truncatingIfNeeded: entity.index &+ 1), rewrittenCount: rewrittenCount)
        textCount += text.count
    }

    private func removeAll() {
        textCount = 0
        for index in 0...mask {
            objects[index] = Object(row: 0, start: 0, length: 0, entity: 0, rewrittenCount: 0)
        }
    }

    @inline(__always)
    private func holds(
        _ place: UnsafeMutablePointer<Object>, _ text: UnsafeBufferPointer<UInt8>,
        of entity: EntityPlan
    ) -> Bool {
        guard Int(place.pointee.length) == text.count,
            Int(place.pointee.entity) == entity.index &+ 1
        else { return false }
        let other = UnsafeBufferPointer<UInt8>(
            start: texts + Int(place.pointee.start), count: text.count)
        return other.hasSameBytes(as: text)
    }

    /// The first of the two places of a text, by its length, its beginning and its end: identities
    /// stand near one.
    @inline(__always)
    private func place(of text: UnsafeBufferPointer<UInt8>) -> Int {
        let bytes = UnsafeRawBufferPointer(text)
        let start = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        let middle = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        let end = bytes.loadUnaligned(fromByteOffset: text.count &- 8, as: UInt64.self)
        var hash = (start ^ UInt64(truncatingIfNeeded: text.count)) &* 0x9E37_79B9_7F4A_7C15
        hash = (hash ^ middle) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ end) &* 0x94D0_49BB_1331_11EB
        return Int(truncatingIfNeeded: hash &>> 40) & mask & ~1
    }
}

import Foundation

/// Copies of the text of objects that have been written, and of identities, from parts of a
/// document that have been left behind.
///
/// The same user stands in many parts of a long array: whoever knows what was written of it last
/// need not write it again. There is room for a few thousand, then it starts over.
final class WrittenTexts {
    /// The most bytes that are kept.
    private static let capacity = 4 << 20
    /// The longest text that is kept.
    private static let longest = 4 << 10
    /// The most texts that are kept.
    private static let countLimit = 32 << 10

    /// Pages that are never written are never allocated, and most documents have no parts.
    private var bytes: UnsafeMutablePointer<UInt8>?
    private var used = 0
    private var extents: [UnsafeBufferPointer<UInt8>] = []
    private var isFull = false

    deinit { bytes?.deallocate() }

    /// Whether all texts have found room so far.
    var hasRoom: Bool { !isFull }

    /// A text that has been kept.
    func text(_ index: Int) -> UnsafeBufferPointer<UInt8> { extents[index] }

    /// Whether an address lies in a text that has been kept.
    func owns(_ address: UnsafePointer<UInt8>) -> Bool {
        guard let bytes = bytes.map({ UnsafePointer($0) }) else { return false }
        return address >= bytes && address < bytes + used
    }

    /// Keeps a text, nil where there is no room.
    func keep(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard text.count <= Self.longest else { return nil }
        guard used + text.count <= Self.capacity, extents.count < Self.countLimit else {
            isFull = true
            return nil
        }
        let bytes = bytes ?? .allocate(capacity: Self.capacity)
        self.bytes = bytes
        let copy = UnsafeMutableBufferPointer(start: bytes + used, count: text.count)
        _ = copy.initialize(from: text)
        used += text.count
        extents.append(UnsafeBufferPointer(copy))
        return extents.count - 1
    }

    /// Forgets all texts.
    func removeAll() {
        used = 0
        extents.removeAll(keepingCapacity: true)
        isFull = false
    }
}

/// A scalar's source in a document as a dictionary key; only valid while the document is alive.
struct TextKey: Hashable {
    private let start: UnsafePointer<UInt8>
    private let count: Int

    /// Nil for containers, null and fields that are missing.
    init?(_ node: Int32, in tape: JSONTape) {
        guard node >= 0 else { return nil }
        self.init(Int(node), in: tape)
    }

    /// Nil for containers and null.
    init?(_ node: Int, in tape: JSONTape) {
        guard !tape.isContainer(node), tape.kind(node) != .null else { return nil }
        let source = tape.source(node)
        guard let start = source.baseAddress else { return nil }
        self.start = start
        count = source.count
    }

    private init(start: UnsafePointer<UInt8>, count: Int) {
        self.start = start
        self.count = count
    }

    /// The same key over bytes that stay when the document goes, nil where there is no room for
    /// them.
    func kept(in texts: WrittenTexts) -> TextKey? {
        if texts.owns(start) { return self }
        let text = UnsafeBufferPointer(start: start, count: count)
        guard let copy = texts.keep(text).map({ texts.text($0) }), let start = copy.baseAddress
        else { return nil }
        return TextKey(start: start, count: copy.count)
    }

    static func == (left: TextKey, right: TextKey) -> Bool {
        left.count == right.count && memcmp(left.start, right.start, left.count) == 0
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(bytes: UnsafeRawBufferPointer(start: start, count: count))
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the same bytes stand in another buffer of this length.
    func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let baseAddress, let start = other.baseAddress else { return isEmpty }
        return memcmp(baseAddress, start, count) == 0
    }
}

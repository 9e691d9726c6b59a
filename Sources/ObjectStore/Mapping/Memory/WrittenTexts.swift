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

    // Pages that are never written are never allocated.
    private let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    private var used = 0
    private var extents: [UnsafeBufferPointer<UInt8>] = []
    private var isFull = false

    deinit { bytes.deallocate() }

    /// Whether all texts have found room so far.
    var hasRoom: Bool { !isFull }

    /// A text that has been kept.
    func text(_ index: Int) -> UnsafeBufferPointer<UInt8> { extents[index] }

    /// Whether an address lies in a text that has been kept.
    func owns(_ address: UnsafePointer<UInt8>) -> Bool {
        address >= UnsafePointer(bytes) && address < UnsafePointer(bytes) + used
    }

    /// Keeps a text, nil where there is no room.
    func keep(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard text.count <= Self.longest else { return nil }
        guard used + text.count <= Self.capacity, extents.count < Self.countLimit else {
            isFull = true
            return nil
        }
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

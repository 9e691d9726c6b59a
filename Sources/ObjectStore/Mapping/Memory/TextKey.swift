import Foundation

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

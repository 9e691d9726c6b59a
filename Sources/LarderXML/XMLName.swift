/// A name as XML compares them: code point by code point, where strings of the same look are equal.
struct XMLName: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (one: XMLName, other: XMLName) -> Bool {
        one.text.utf8.elementsEqual(other.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

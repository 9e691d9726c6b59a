/// The names of a start tag's attributes.
struct XMLAttributeNames {
    /// The most that one tag may have: the time that the parser on Linux takes grows with their square,
    /// and nothing ends it.
    static let most = 10_000

    /// Whether there are more than that.
    let areTooMany: Bool

    /// Whether two of them differ in their code points, and are one key of a dictionary all the same.
    let areAmbiguous: Bool

    /// Reads what stands behind a tag's `<`, as far as it is well-formed.
    init(_ tag: ArraySlice<UInt8>) {
        // None of ASCII looks like another, and none takes less than `a=""`.
        guard tag.count >= 4 * Self.most || tag.contains(where: { $0 >= 0x80 }) else {
            (areTooMany, areAmbiguous) = (false, false)
            return
        }
        var count = 0
        var names: Set<XMLName> = []
        var rest = tag.drop { !Self.isBlank($0) && $0 != UInt8(ascii: ">") }
        while true {
            rest = rest.drop(while: Self.isBlank)
            let name = rest.prefix { !Self.isBlank($0) && $0 != UInt8(ascii: "=") }
            rest = rest[name.endIndex...].drop(while: Self.isBlank)
            guard !name.contains(UInt8(ascii: ">")), rest.popFirst() == UInt8(ascii: "=") else {
                break
            }
            rest = rest.drop(while: Self.isBlank)
            guard let quote = rest.popFirst(), quote == UInt8(ascii: "'") || quote == 0x22,
                let end = rest.firstIndex(of: quote)
            else { break }
            count += 1
            guard count <= Self.most else { break }
            names.insert(XMLName(String(decoding: name, as: UTF8.self)))
            rest = rest[(end + 1)...]
        }
        areTooMany = count > Self.most
        areAmbiguous = Set(names.map(\.text)).count < names.count
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}

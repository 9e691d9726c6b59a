@testable import LarderObjectStore

/// Colors that stand in JSON as `#ff`, and as whole numbers in a store.
enum HexColor {
    struct Refusal: Error, CustomStringConvertible {
        let description = "no such color"
    }

    static let transformer = Transformer(
        "hexColor",
        from: { (text: String) -> Int? in
            guard text.hasPrefix("#") else { throw Refusal() }
            return Int(text.dropFirst(), radix: 16)
        }, to: { (color: Int) in "#" + String(color, radix: 16) })

    /// A store of things that are numbered and have attributes besides.
    static func fixture(_ attributes: AttributeDescription...) throws -> StoreFixture {
        var thing = EntityDescription.numbered("Thing")
        thing.attributes += attributes
        return try StoreFixture(thing)
    }
}

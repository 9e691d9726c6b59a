/// A coding key for the places that have none of their own: an array's elements, a superclass.
struct JSONCodingKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "Index \(intValue)"
        self.intValue = intValue
    }

    /// The key of a superclass unless another one is asked for.
    static let `super` = JSONCodingKey(stringValue: "super")
}

/// A key of any name.
struct KeyName: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { Int(stringValue) }

    init(stringLiteral value: String) { stringValue = value }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { stringValue = String(intValue) }
}

/// An element of XML with what is in it.
///
/// Names are as the document writes them, with their prefixes, and told apart by their code points. Comments and processing instructions are left
/// out, and where text stands between elements, the order of both.
public struct XMLTree: Sendable, Hashable {
    /// The name, such as `item` or `soap:Body`.
    public var name: String

    /// The values of the attributes by their names, declarations of name spaces among them.
    public var attributes: [String: String]

    /// The text that stands in the element itself, all of it in one, with its blanks.
    public var text: String

    /// The elements in this one, in their order.
    public var children: [XMLTree]

    /// Creates an element.
    public init(
        _ name: String, attributes: [String: String] = [:], text: String = "",
        children: [XMLTree] = []
    ) {
        self.name = name
        self.attributes = attributes
        self.text = text
        self.children = children
    }

    /// The first child of that name.
    public subscript(name: String) -> XMLTree? {
        let name = XMLName(name)
        return children.first { XMLName($0.name) == name }
    }

    /// Returns the children of that name, in their order.
    public func all(_ name: String) -> [XMLTree] {
        let name = XMLName(name)
        return children.filter { XMLName($0.name) == name }
    }
}

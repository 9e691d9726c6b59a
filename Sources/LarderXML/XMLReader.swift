public import LarderClient
public import LarderObjectStore

/// Reads the content of a response as XML, and makes JSON of it that is stored or decoded like any other.
///
/// ```swift
/// let feeds = client.configured { $0.documentReader = XMLReader(arrays: ["rss.channel.item"]) }
/// feeds.enqueue(.get("news.rss"), as: Many<Item>.self, at: "rss.channel.item")
/// ```
///
/// The rule: the document is an object with the root's name as its one key. An element is
///
/// - a string, its text, where it has neither attributes nor elements in it, and its name is not among `objects`;
/// - an object otherwise: attributes by their names behind `@`, elements by their names, and text that is not blank
///   as `#text`. Elements of one name are an array in their order; a single one is not, unless its name or its place
///   is among `arrays`, as a list may have one element. Of none there is nothing, unless `arrays` has the place, as
///   only that says where a list is to be: it is `[]` then, if the element is there that it stands in.
///
/// All values are strings, as XML has no others; an attribute that is a number needs a transformer that makes it of
/// text. A namespace's prefix is a part of the name.
public struct XMLReader: DocumentReader {
    private let arrays: Set<XMLName>
    /// Those that are places, name by name.
    private let places: [ArraySlice<XMLName>]
    private let objects: Set<XMLName>
    private let limits: XMLLimits

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - arrays: The elements that are elements of an array even where there is one, by name, such as `item`; or
    ///     by place, such as `rss.channel.item`, where they are one even if there is none. A name that has a dot
    ///     in it is taken for a place as well.
    ///   - objects: The names of elements that are objects even without attributes, as some have them and some
    ///     don't: their text is always `#text`.
    ///   - limits: The limits within which documents are read.
    public init(
        arrays: Set<String> = [], objects: Set<String> = [], limits: XMLLimits = XMLLimits()
    ) {
        self.arrays = Set(arrays.map(XMLName.init))
        // One place may be written in several ways, such as `a.b` and `a..b`.
        var seen: Set<[XMLName]> = []
        places = arrays.sorted().map { $0.split(separator: ".").map { XMLName(String($0)) } }
            .filter { $0.count > 1 && seen.insert($0).inserted }.map { $0[...] }
        self.objects = Set(objects.map(XMLName.init))
        self.limits = limits
    }

    /// Returns the content as a document; throws ``XMLError``.
    public func document(from response: TransportResponse) throws -> JSONDocument {
        try document(of: XMLTree(response, limits: limits))
    }

    /// Returns an element as a document.
    public func document(of tree: XMLTree) throws -> JSONDocument {
        var json = "{" + Self.quoted(tree.name) + ":"
        append(tree, Self.places(places, behind: XMLName(tree.name)), to: &json)
        return try JSONDocument(json + "}")
    }

    /// The places of arrays that begin with a name, as they are seen from there.
    private static func places(
        _ places: [ArraySlice<XMLName>], behind name: XMLName
    ) -> [ArraySlice<XMLName>] {
        places.filter { $0.count > 1 && $0.first == name }.map { $0.dropFirst() }
    }

    /// - Parameter places: Those of arrays, as they are seen from the element.
    private func append(
        _ element: XMLTree, _ places: [ArraySlice<XMLName>], to json: inout String
    ) {
        let lists = places.filter { $0.count == 1 }.compactMap(\.first)
        guard
            !element.attributes.isEmpty || !element.children.isEmpty || !lists.isEmpty
                || objects.contains(XMLName(element.name))
        else {
            json += Self.quoted(element.text)
            return
        }
        json += "{"
        var separator = ""
        func key(_ name: String) {
            json += separator + Self.quoted(name) + ":"
            separator = ","
        }
        for (name, value) in element.attributes.sorted(by: { $0.key < $1.key }) {
            key("@" + name)
            json += Self.quoted(value)
        }
        if element.text.contains(where: { !$0.isWhitespace }) {
            key("#text")
            json += Self.quoted(element.text)
        }
        var groups: [XMLName: [XMLTree]] = [:]
        var names: [XMLName] = []
        for child in element.children {
            let name = XMLName(child.name)
            if groups[name] == nil { names.append(name) }
            groups[name, default: []].append(child)
        }
        for name in names {
            let group = groups[name] ?? []
            let isArray = group.count > 1 || arrays.contains(name) || lists.contains(name)
            let places = Self.places(places, behind: name)
            key(name.text)
            if isArray { json += "[" }
            for (index, child) in group.enumerated() {
                if index > 0 { json += "," }
                append(child, places, to: &json)
            }
            if isArray { json += "]" }
        }
        for name in lists where groups[name] == nil {
            key(name.text)
            json += "[]"
        }
        json += "}"
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                quoted.unicodeScalars.append("\\")
                quoted.unicodeScalars.append(scalar)
            // XML has no other control characters.
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

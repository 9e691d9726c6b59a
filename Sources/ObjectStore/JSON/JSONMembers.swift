/// The members of an object by key; of several with one key, the last.
///
/// Keys are the same when their bytes are, as in the rest of the document.
struct JSONMembers {
    /// Up to this many, looking through them all is faster than an index.
    private static let searchLimit = 16

    private let object: JSONValue
    private let convertedKey: ((String) -> String)?
    private let index: [[UInt8]: Int]?

    /// - Parameter name: Makes of a key the name by which it is asked for.
    init(of object: JSONValue, name: ((String) -> String)? = nil) {
        self.object = object
        convertedKey = name
        guard name != nil || object.count ?? 0 > Self.searchLimit else {
            index = nil
            return
        }
        let tape = object.tape
        let keys = Self.keyNodes(of: object).map { node in
            let key = tape.string(node)
            return ([UInt8]((name?(key) ?? key).utf8), node + 1)
        }
        index = Dictionary(keys) { _, last in last }
    }

    /// The keys in the order of the document, each once.
    var keys: [String] {
        let tape = object.tape
        return Self.keyNodes(of: object).compactMap { node in
            let spelling = tape.string(node)
            let key = convertedKey?(spelling) ?? spelling
            return self.node(of: key) == node + 1 ? key : nil
        }
    }

    subscript(key: String) -> JSONValue? {
        node(of: key).map { JSONValue(storage: object.storage, node: $0) }
    }

    private func node(of key: String) -> Int? {
        if let index { return index[[UInt8](key.utf8)] }
        var key = key
        return key.withUTF8 { object.tape.member($0, of: object.node) }
    }

    private static func keyNodes(of object: JSONValue) -> [Int] {
        let tape = object.tape
        var nodes: [Int] = []
        var key = tape.firstChild(object.node)
        while key < tape.next(object.node) {
            nodes.append(key)
            key = tape.next(key + 1)
        }
        return nodes
    }
}

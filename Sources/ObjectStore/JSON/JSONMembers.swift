/// The members of an object by key; of several with one key, the last.
///
/// Keys are the same when their bytes are, as in the rest of the document.
struct JSONMembers {
    /// Up to this many, looking through them all is faster than an index.
    private static let searchLimit = 16

    private let object: JSONValue
    private let index: [[UInt8]: Int]?

    init(of object: JSONValue) {
        self.object = object
        guard object.count ?? 0 > Self.searchLimit else {
            index = nil
            return
        }
        let tape = object.tape
        let keys = Self.keyNodes(of: object).map { ([UInt8](tape.string($0).utf8), $0 + 1) }
        index = Dictionary(keys) { _, last in last }
    }

    /// The keys in the order of the document, each once.
    var keys: [String] {
        let tape = object.tape
        return Self.keyNodes(of: object).compactMap { node in
            let key = tape.string(node)
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

import Foundation

/// What is in the recorded bodies, found by Foundation and a table of shapes, without any of Larder's
/// code: the last word on each value of each object.
struct GitHubCensus {
    /// A body whose objects are of a kind that an entity covers.
    struct Body {
        let entity: String
        let json: Data
        let isList: Bool
    }

    /// The objects by entity and identity, each by key path.
    private(set) var objects: [String: [AnyHashable: [String: NSObject]]] = [:]
    private(set) var bodies: [Body] = []
    /// The exchanges that have a body of JSON, whole, as they were recorded.
    private(set) var exchanges: [Data] = []

    private static let file = URL(filePath: #filePath)
        .appending(path: "../../../../../shared/data/github-exchanges.jsonl").standardized

    /// Whether the recordings are on this machine.
    static var isRecorded: Bool { FileManager.default.fileExists(atPath: file.path()) }

    init() throws {
        for line in try Data(contentsOf: Self.file).split(separator: UInt8(ascii: "\n")) {
            guard
                let exchange = try JSONSerialization.jsonObject(with: line) as? [String: Any],
                let body = exchange["body"], !(body is NSNull)
            else { continue }
            exchanges.append(Data(line))
            add(exchange, as: "Exchange")
            try add(body: body)
        }
    }

    private mutating func add(body: Any) throws {
        let list = body as? [[String: Any]] ?? (body as? [String: Any]).map { [$0] } ?? []
        let names = Set(list.map { GitHubShape.name(of: $0) ?? "" })
        guard names.count == 1, let name = names.first, !name.isEmpty else { return }
        for object in list { add(object, as: name) }
        bodies.append(
            Body(
                entity: name, json: try JSONSerialization.data(withJSONObject: body),
                isList: body is [Any]))
    }

    /// Takes over what an object says, and what the objects inside it say first.
    private mutating func add(_ object: [String: Any], as name: String) {
        guard let shape = GitHubShape.all[name], let id = shape.key(of: object)
        else { return }
        var values = objects[name]?[id] ?? shape.emptyValues
        values[shape.identity] = object[shape.identity] as? NSObject
        for key in shape.attributes {
            if let value = Self.value(at: key, of: object) { values[key] = value as? NSObject }
        }
        for (key, destination) in shape.one {
            guard let value = Self.value(at: key, of: object) else { continue }
            let linked = value as? [String: Any]
            if let linked { add(linked, as: destination) }
            values[key] =
                linked?[GitHubShape.all[destination]?.identity ?? ""] as? NSObject ?? NSNull()
        }
        for (key, destination) in shape.many {
            guard let list = Self.value(at: key, of: object) as? [[String: Any]] else { continue }
            let identity = GitHubShape.all[destination]?.identity ?? ""
            for linked in list { add(linked, as: destination) }
            values[key] = list.compactMap { $0[identity] } as NSArray
        }
        objects[name, default: [:]][id] = values
    }

    /// What stands at a key path, nil where it is missing on the way.
    static func value(at keyPath: String, of object: [String: Any]) -> Any? {
        var value: Any = object
        for step in keyPath.split(separator: ".") {
            guard let next = (value as? [String: Any])?[String(step)] else { return nil }
            value = next
        }
        return value
    }
}

extension GitHubShape {
    /// An object of which nothing is known yet.
    fileprivate var emptyValues: [String: NSObject] {
        var values: [String: NSObject] = [:]
        for key in attributes + one.keys { values[key] = NSNull() }
        for key in many.keys { values[key] = NSArray() }
        return values
    }

    /// The values of an object as the store wrote it, by key path.
    func values(of object: [String: Any]) -> [String: NSObject] {
        var values: [String: NSObject] = [:]
        for key in [identity] + attributes + one.keys + many.keys {
            values[key] = GitHubCensus.value(at: key, of: object) as? NSObject
        }
        return values
    }
}

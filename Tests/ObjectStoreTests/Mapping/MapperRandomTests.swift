import Foundation
import Testing

@testable import LarderObjectStore

/// Random documents, against a model of what mapping means that knows no tricks.
struct MapperRandomTests {
    @Test(arguments: 0..<60)
    func `random documents make what a simple model of mapping makes`(_ seed: UInt64) throws {
        // For every other seed, SQLite does not look up what the documents link.
        var configuration = Store.Configuration()
        if seed % 2 == 0 { configuration.uncheckedImportSize = 0 }
        let fixture = try StoreFixture(
            Model(name: "Test", entities: [Self.node, Self.tag]), configuration: configuration)
        var generator = RandomGraph(seed: seed)
        var world = World()
        for _ in 0..<12 {
            let document = generator.document()
            let json = "[\(document.map(\.json).joined(separator: ","))]"
            let (nodes, tags) = (world.nodes.count, world.tags.count)
            for element in document { _ = world.map(element, owner: nil) }
            let before = try fixture.rows(Self.counts)
            let report = try fixture.insert("Node", json)
            #expect(try fixture.rows(Self.nodes) == world.nodeRows, "\(json)")
            #expect(try fixture.rows(Self.tags) == world.tagRows, "\(json)")
            #expect(try fixture.rows(Self.links) == world.linkRows, "\(json)")
            #expect(report["Node"].inserted == world.nodes.count - nodes, "\(before)")
            #expect(report["Tag"].inserted == world.tags.count - tags)
        }
        #expect(try fixture.rows("PRAGMA foreign_key_check").isEmpty)
    }

    @Test(arguments: 100..<120)
    func `importing a document once more changes nothing`(_ seed: UInt64) throws {
        let fixture = try StoreFixture(Self.node, Self.tag)
        var generator = RandomGraph(seed: seed)
        // Without contradictions, each object has its say once.
        let objects = (0..<60).map { generator.flatNode(id: $0) }
        let json = "[\(objects.map(\.json).joined(separator: ","))]"
        try fixture.insert("Node", json)
        let rows = try fixture.rows(Self.nodes)
        let version = try fixture.dataVersion
        let report = try fixture.insert("Node", json)
        #expect(report["Node"] == .init(0, 0, 60))
        #expect(report["Tag"] == .init())
        #expect(try fixture.rows(Self.nodes) == rows)
        #expect(try fixture.dataVersion == version)
    }

    @Test(arguments: 200..<216)
    func `a document that repeats another makes what its objects make one by one`(
        _ seed: UInt64
    ) throws {
        var configuration = Store.Configuration()
        configuration.uncheckedImportSize = seed % 2 == 0 ? 0 : .max
        let model = try Model(name: "Test", entities: [Self.node, Self.tag])
        let whole = try StoreFixture(model, configuration: configuration)
        let single = try StoreFixture(model)
        var generator = RandomGraph(seed: seed)
        var objects: [Int: GraphElement] = [:]
        for round in 0..<6 {
            // Some objects are new, some have changed, some come again; mostly in order.
            for id in 0..<60 where generator.chance(round == 0 ? 50 : 15) {
                objects[id] = generator.flatNode(id: id)
            }
            var ids = objects.keys.filter { _ in generator.chance(85) }.sorted()
            if round % 3 == 2 { ids.swapAt(0, ids.count - 1) }
            let texts = ids.compactMap { objects[$0]?.json }
            try whole.insert("Node", "[\(texts.joined(separator: ","))]")
            for text in texts { try single.insert("Node", text) }
            for sql in [Self.nodes, Self.tags, Self.links] {
                #expect(try whole.rows(sql) == single.rows(sql), "round \(round)")
            }
            #expect(try whole.rows("PRAGMA foreign_key_check").isEmpty)
            #expect(try whole.rows("PRAGMA integrity_check") == ["ok"])
        }
    }

    @Test(arguments: 300..<340)
    func `arrays that are walked make the same rows, counts and errors`(_ seed: UInt64) throws {
        let fixtures = (
            try StoreFixture(Self.node, Self.tag), try StoreFixture(Self.node, Self.tag)
        )
        var generator = RandomGraph(seed: seed)
        var bytes = SplitMix64(seed: seed)
        for round in 0..<12 {
            let document = generator.document() + generator.document()
            var json = Array("[\(document.map(\.json).joined(separator: ","))]".utf8)
            if round % 4 == 3 {
                let alphabet = Array("[]{},:\"19 tn".utf8)
                json[Int.random(in: 0..<json.count, using: &bytes)] =
                    alphabet[Int.random(in: 0..<alphabet.count, using: &bytes)]
            }
            let longArray = [0, 1, 30, 200][Int.random(in: 0..<4, using: &bytes)]
            let outcomes = [
                Self.outcome(of: fixtures.0) { try JSONDocument(bytes: json) },
                Self.outcome(of: fixtures.1) {
                    try JSONDocument(mapped: json, longArray: longArray)
                },
            ]
            #expect(outcomes[0] == outcomes[1], "\(String(decoding: json, as: UTF8.self))")
            for sql in [Self.nodes, Self.tags, Self.links] {
                #expect(try fixtures.0.rows(sql) == fixtures.1.rows(sql))
            }
        }
    }

    private static func outcome(
        of fixture: StoreFixture, _ document: () throws -> JSONDocument
    ) -> String {
        do {
            let report = try fixture.insert("Node", document().root)
            return "\(report["Node"]) \(report["Tag"])"
        } catch {
            return "\(error)"
        }
    }

    // MARK: The entities

    private static let node = EntityDescription.numbered(
        "Node", .optional("a", .integer), .optional("b"),
        relationships: [
            RelationshipDescription("next", to: "Node", isOptional: true, key: "next"),
            RelationshipDescription(
                "parent", to: "Node", isOptional: true, key: "parent", inverse: "children"),
            RelationshipDescription(
                "children", to: "Node", isToMany: true, key: "children", inverse: "parent"),
            RelationshipDescription(
                "tags", to: "Tag", isToMany: true, isOrdered: true, key: "tags", inverse: "nodes"),
        ])

    private static let tag = EntityDescription(
        name: "Tag", identity: ["id"], attributes: [.required("id"), .optional("a", .integer)],
        relationships: [
            RelationshipDescription(
                "nodes", to: "Node", isToMany: true, key: "nodes", inverse: "tags")
        ])

    private static let nodes = "SELECT id, a, b, next, parent FROM Node ORDER BY id"
    private static let tags = "SELECT id, a FROM Tag ORDER BY id"
    private static let links = """
        SELECT source, id FROM "Node.tags" JOIN Tag ON "$id" = target ORDER BY source, id
        """
    private static let counts = "SELECT (SELECT count(*) FROM Node), (SELECT count(*) FROM Tag)"
}

/// What stands at a place where an object is expected.
private indirect enum GraphElement {
    case reference(String)
    case object(GraphObject)

    var json: String {
        switch self {
        case .reference(let json): json
        case .object(let object): object.json
        }
    }
}

/// An object as a document has it: each member may be missing, null or there.
private struct GraphObject {
    enum Member {
        case text(String?)
        case one(GraphElement?)
        case many([GraphElement])
    }

    let isNode: Bool
    let id: String
    /// In the order of the document.
    let members: [(key: String, value: Member)]

    subscript(key: String) -> Member? { members.first { $0.key == key }?.value }

    var json: String {
        let texts = members.map { key, value in
            switch value {
            case .text(let text): "\"\(key)\": \(text ?? "null")"
            case .one(let element): "\"\(key)\": \(element?.json ?? "null")"
            case .many(let elements):
                "\"\(key)\": [\(elements.map(\.json).joined(separator: ", "))]"
            }
        }
        return "{\((["\"id\": \(id)"] + texts).joined(separator: ", "))}"
    }
}

/// Makes random documents over few identities, so that objects meet again.
private struct RandomGraph {
    private var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &generator) < percent
    }

    private mutating func number(_ count: Int) -> Int {
        Int.random(in: 0..<count, using: &generator)
    }

    mutating func document() -> [GraphElement] { (0..<(1 + number(5))).map { _ in node(depth: 0) } }

    private mutating func node(depth: Int) -> GraphElement {
        let id = String(number(9))
        if depth > 3 || chance(depth * 20) { return .reference(id) }
        var members: [(key: String, value: GraphObject.Member)] = [
            ("x", .text("[{\"id\": 1}]"))
        ]
        if chance(60) { members.append(("a", .text(chance(20) ? nil : String(number(3))))) }
        if chance(30) { members.append(("b", .text(chance(20) ? nil : "\"\(number(3))\""))) }
        for key in ["next", "parent"] where chance(25) {
            members.append((key, .one(chance(20) ? nil : node(depth: depth + 1))))
        }
        if chance(25) {
            members.append(("children", .many((0..<number(4)).map { _ in node(depth: depth + 1) })))
        }
        if chance(30) {
            members.append(("tags", .many((0..<number(4)).map { _ in tag(depth: depth + 1) })))
        }
        members.shuffle(using: &generator)
        return .object(GraphObject(isNode: true, id: id, members: members))
    }

    private mutating func tag(depth: Int) -> GraphElement {
        let id = "\"t\(number(5))\""
        if depth > 3 || chance(40) { return .reference(id) }
        var members: [(key: String, value: GraphObject.Member)] = []
        if chance(60) { members.append(("a", .text(chance(20) ? nil : String(number(3))))) }
        if chance(30) {
            members.append(("nodes", .many((0..<number(3)).map { _ in node(depth: depth + 1) })))
        }
        return .object(GraphObject(isNode: false, id: id, members: members))
    }

    /// An object that only refers to others, and to none that others could contradict.
    mutating func flatNode(id: Int) -> GraphElement {
        .object(
            GraphObject(
                isNode: true, id: String(id),
                members: [
                    ("a", .text(chance(20) ? nil : String(number(1000)))),
                    ("b", .text("\"\(number(1000))\"")),
                    ("next", .one(chance(20) ? nil : .reference(String(number(60))))),
                    ("parent", .one(chance(20) ? nil : .reference(String(number(60))))),
                    ("tags", .many((0..<number(6)).map { _ in .reference("\"t\(number(9))\"") })),
                ]))
    }
}

/// What mapping means, spelled out over dictionaries.
private struct World {
    struct Node { var a, b, next, parent: String? }

    var nodes: [String: Node] = [:]
    var tags: [String: String?] = [:]
    var links: Set<[String]> = []

    mutating func map(_ element: GraphElement, owner: String?, isTag: Bool = false) -> String {
        switch element {
        case .reference(let id):
            if isTag {
                if tags[id] == nil { tags[id] = .some(nil) }
            } else {
                nodes[id, default: Node()].parent = owner ?? nodes[id]?.parent
            }
            return id
        case .object(let object):
            if object.isNode { mapNode(object, owner: owner) } else { mapTag(object) }
            return object.id
        }
    }

    private mutating func mapNode(_ object: GraphObject, owner: String?) {
        let next = one("next", of: object)
        let parent = one("parent", of: object)
        var node = nodes[object.id] ?? Node()
        if case .text(let a)? = object["a"] { node.a = a }
        if case .text(let b)? = object["b"] { node.b = b }
        if let next { node.next = next }
        if let parent { node.parent = parent }
        if let owner { node.parent = owner }
        nodes[object.id] = node
        if case .many(let elements)? = object["children"] {
            let children = Set(elements.map { map($0, owner: object.id) })
            for (id, node) in nodes where node.parent == object.id && !children.contains(id) {
                nodes[id]?.parent = nil
            }
        }
        if case .many(let elements)? = object["tags"] {
            let tags = Set(elements.map { map($0, owner: nil, isTag: true) })
            links = links.filter { $0[0] != object.id }.union(tags.map { [object.id, $0] })
        }
    }

    private mutating func mapTag(_ object: GraphObject) {
        if case .text(let a)? = object["a"] {
            tags[object.id] = .some(a)
        } else if tags[object.id] == nil {
            tags[object.id] = .some(nil)
        }
        if case .many(let elements)? = object["nodes"] {
            let nodes = Set(elements.map { map($0, owner: nil) })
            links = links.filter { $0[1] != object.id }.union(nodes.map { [$0, object.id] })
        }
    }

    /// Nil where the key is missing, nil inside where it is null.
    private mutating func one(_ key: String, of object: GraphObject) -> String?? {
        guard case .one(let element)? = object[key] else { return nil }
        guard let element else { return .some(nil) }
        return .some(map(element, owner: nil))
    }

    // MARK: Rows as the store has them

    private func text(_ value: String?) -> String {
        value?.replacing("\"", with: "") ?? "NULL"
    }

    var nodeRows: [String] {
        nodes.sorted { $0.key < $1.key }.map { id, node in
            [id, text(node.a), text(node.b), text(node.next), text(node.parent)]
                .joined(separator: "|")
        }
    }

    var tagRows: [String] {
        tags.sorted { $0.key < $1.key }.map { "\(text($0.key))|\(text($0.value))" }
    }

    var linkRows: [String] {
        links.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }.map { "\($0[0])|\(text($0[1]))" }
    }
}

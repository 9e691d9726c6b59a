import Testing

@testable import LarderObjectStore

/// Key paths as trees.
@Suite struct ExportTreeTests {
    /// A tree in one line: `a:0(b:1)`.
    private func text(_ members: [ExportTree.Member]) -> String {
        members.map { member in
            var text = member.key
            if let field = member.field { text += "\(field)" }
            if let value = member.entityValue { text += "=\(value)" }
            return member.members.isEmpty ? text : "\(text)(\(self.text(member.members)))"
        }.joined(separator: " ")
    }

    @Test(
        arguments: [
            ([], ""), (["a", nil, "b"], #""a":0 "b":2"#),
            (["a.b", "c", "a.d.e", "a.d.f"], #""a":("b":0 "d":("e":2 "f":3)) "c":1"#),
            (["a.b", "a"], #""a":1("b":0)"#), (["a", "a"], #""a":0"#),
            (["\"\n"], #""\"\n":0"#),
        ] as [([String?], String)])
    func `key paths that begin alike are one branch`(keyPaths: [String?], expected: String) {
        #expect(text(ExportTree(keyPaths: keyPaths).members) == expected)
    }

    @Test func `what names an entity comes first, the higher before the lower`() {
        let tree = ExportTree(
            keyPaths: ["id", "kind", "meta.size"],
            entityValues: [("kind", "top"), ("kind", "low"), ("meta.kind", "m")])
        #expect(text(tree.members) == #""kind":1=top "meta":("kind":=m "size":2) "id":0"#)
    }

    @Test func `an output is written and cut`() {
        var output = JSONOutput()
        output.append("[")
        let start = output.count
        output.append(string: "a\u{0}\u{1F}\u{7F}\u{2028}\\\"")
        #expect(
            String(decoding: output.text(from: start), as: UTF8.self)
                == #""a\u0000\u001f"# + "\u{7F}\u{2028}" + #"\\\"""#)
        output.cut(to: start)
        #expect(output.bytes == [UInt8(ascii: "[")])
        #expect(output.last == UInt8(ascii: "["))
        output.append([UInt8(ascii: "]")])
        #expect(output.count == 2)
        output.removeAll()
        #expect(output.bytes.isEmpty && output.last == nil)
    }
}

/// The way from the object at the top, and what may be written at its end.
@Suite struct ExportTrailTests {
    private let plan: StorePlan
    /// `A.bs` and `B.a` lead back to each other, `B.c` and `C.a` do not.
    private let relationships: [String: ExportedRelationship]

    init() throws {
        plan = try StorePlan(
            Model(
                name: "Test",
                entities: [
                    .numbered(
                        "A",
                        relationships: [
                            RelationshipDescription(
                                "bs", to: "B", isToMany: true, key: "bs", inverse: "a"),
                            RelationshipDescription(
                                "peers", to: "A", isToMany: true, key: "peers", inverse: "peers"),
                        ]),
                    .numbered(
                        "B",
                        relationships: [
                            RelationshipDescription(
                                "a", to: "A", isOptional: true, key: "a", inverse: "bs"),
                            RelationshipDescription("c", to: "C", isOptional: true, key: "c"),
                        ]),
                    .numbered(
                        "C",
                        relationships: [
                            RelationshipDescription("a", to: "A", isOptional: true, key: "a")
                        ]),
                ]))
        var relationships: [String: ExportedRelationship] = [:]
        for entity in plan.entities {
            for relationship in entity.description.relationships {
                relationships["\(entity.name).\(relationship.name)"] = ExportedRelationship(
                    relationship, of: entity, to: try plan.entity(relationship.destination))
            }
        }
        self.relationships = relationships
    }

    private func relationship(_ name: String) throws -> ExportedRelationship {
        try #require(relationships[name])
    }

    private func trail(_ names: String...) throws -> ExportTrail {
        var trail = ExportTrail()
        for name in names { trail.follow(try relationship(name)) }
        return trail
    }

    private func place(_ row: Int64) -> ExportTrail.Place { .init(table: "A", row: row) }

    @Test func `at the top all leads onward`() throws {
        for relationship in relationships.values {
            #expect(ExportTrail().direction(of: relationship) == .onward)
        }
    }

    @Test func `the inverse of the last step leads straight back`() throws {
        #expect(try trail("A.bs").direction(of: relationship("B.a")) == .straightBack)
        #expect(try trail("B.a").direction(of: relationship("A.bs")) == .straightBack)
        #expect(try trail("A.peers").direction(of: relationship("A.peers")) == .straightBack)
        #expect(try trail("A.bs").direction(of: relationship("B.c")) == .onward)
        // They only happen to lead to each other's entities.
        #expect(try trail("C.a").direction(of: relationship("A.bs")) == .onward)
    }

    @Test func `the inverse of an earlier step leads back`() throws {
        #expect(try trail("B.a", "A.bs", "B.c", "C.a").direction(of: relationship("A.bs")) == .back)
        #expect(try trail("B.c", "C.a").direction(of: relationship("A.bs")) == .onward)
        var trail = try trail("B.a", "A.peers")
        #expect(trail.direction(of: try relationship("A.bs")) == .back)
        trail.goBack()
        #expect(trail.direction(of: try relationship("A.bs")) == .straightBack)
        trail.goBack()
        #expect(trail.direction(of: try relationship("A.bs")) == .onward)
    }

    @Test func `an object may not stand inside itself, but beside`() throws {
        var trail = ExportTrail()
        trail.enter(place(1))
        trail.follow(try relationship("A.bs"))
        #expect(trail.allows(place(1)) == false)
        #expect(trail.allows(place(2)))
        trail.enter(place(2))
        trail.leave(place(2))
        #expect(trail.allows(place(2)))
        #expect(trail.allows(.init(table: "B", row: 1)))
        trail.goBack()
        trail.leave(place(1))
        #expect(trail.allows(place(1)))
    }

    @Test func `where a relationship leads through itself each object stands once`() throws {
        var trail = ExportTrail()
        trail.enter(place(1))
        trail.follow(try relationship("C.a"))
        trail.enter(place(2))
        trail.leave(place(2))
        #expect(trail.allows(place(2)))
        trail.enter(place(3))
        trail.follow(try relationship("C.a"))
        #expect(trail.allows(place(2)) == false)
        #expect(trail.allows(place(4)))
        // Another relationship shows it once more.
        trail.follow(try relationship("A.peers"))
        #expect(trail.allows(place(2)))
    }

    @Test func `a way has an end`() throws {
        var trail = ExportTrail()
        for _ in 1..<ExportTrail.deepest { trail.follow(try relationship("C.a")) }
        #expect(trail.allows(place(1)))
        trail.follow(try relationship("C.a"))
        #expect(trail.allows(place(1)) == false)
    }

    @Test func `an entity knows its relationships in the order of its fields`() throws {
        let store = try Comics.store()
        try store.read { snapshot in
            let plan = try store.plan.entity("Hero")
            let hero = try ExportedEntity(plan, in: store.plan, connection: snapshot.connection)
            #expect(hero.relationships.map(\.key.name) == ["publisher", "mentor", "powers"])
            #expect(hero.relationships.map(\.inverse?.name) == ["heroes", nil, "heroes"])
            #expect(hero.relationships.map(\.destination.name) == ["Publisher", "Hero", "Power"])
            #expect(hero.tree.members.count == 8)
            #expect(hero.identityTree.members.map(\.key) == [#""id":"#])
            let none = try hero.values(in: 1)
            #expect(none == nil)
            let rows = try hero.rows(of: 0, owner: 1)
            #expect(rows.isEmpty)
        }
    }
}

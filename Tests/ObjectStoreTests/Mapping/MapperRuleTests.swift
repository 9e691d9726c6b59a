import Foundation
import Testing

@testable import LarderObjectStore

struct MapperRuleTests {
    @Entity("Team") struct Team {
        @Identity var id: Int
        @Relationship(inverse: "team", ordered: false) var members: Many<Member>
        var badges: Many<Badge>

        static var rules: [Rule<Team>] {
            [
                Rule("has few members") { try $0.members.count <= 2 },
                Rule("has few badges") { try $0.badges.count <= 2 },
            ]
        }
    }

    @Entity("Member") struct Member {
        @Identity var id: Int
        var name: String?
        @Relationship(inverse: "members") var team: One<Team>?

        static var rules: [Rule<Member>] {
            [
                Rule("has a team") { $0.team != nil },
                Rule("is not in the ninth") { $0.team?.id != 9 },
            ]
        }
    }

    @Entity("Badge") struct Badge {
        @Identity var id: Int
        var name: String?
    }

    private func store() throws -> Store {
        let store = try Store.inMemory(entities: Team.self, Member.self, Badge.self)
        try store.import(
            [Team].self,
            from:
                #"[{"id": 1, "members": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}], "badges": [{"id": 1, "name": "a"}]}]"#
        )
        return store
    }

    private func rule(_ body: () throws -> Void) -> String? {
        do { try body() } catch let error as MappingError {
            if case .rule(let name) = error.reason { return name }
        } catch let error as WritingError {
            if case .rule(let name) = error.reason { return name }
        } catch { return "\(error)" }
        return nil
    }

    @Test func `what falls out of a list must keep its rules`() throws {
        let store = try store()
        #expect(
            rule {
                try store.write { try $0.edit(\.members, of: One<Team>(id: 1)).remove(One(id: 2)) }
            }
                == "has a team")
        #expect(
            rule { try store.import([Team].self, from: #"[{"id": 1, "members": [{"id": 1}]}]"#) }
                == "has a team")
        #expect(
            rule { try store.import([Team].self, from: #"[{"id": 1, "members": null}]"#) }
                == "has a team")
    }

    @Test func `what a bare identity links must keep its rules`() throws {
        let store = try store()
        #expect(
            rule {
                try store.write {
                    _ = try $0.save(Team(id: 9, members: Many(ids: [2]), badges: .unchanged))
                }
            }
                == "is not in the ninth")
        #expect(
            rule { try store.import([Team].self, from: #"[{"id": 9, "members": [2]}]"#) }
                == "is not in the ninth")
    }

    @Test func `an owner must keep its rules as its links change`() throws {
        let store = try store()
        #expect(
            rule {
                try store.write {
                    try $0.edit(\.badges, of: One<Team>(id: 1)).add(Many(ids: [2, 3]))
                }
            } == "has few badges")
        #expect(
            rule { try store.import([Team].self, from: #"[{"id": 1, "badges": [1, 2, 3]}]"#) }
                == "has few badges")
        #expect(
            rule {
                try store.import(
                    [Team].self,
                    from: #"[{"id": 1, "members": [{"id": 1}, {"id": 2}, {"id": 3, "name": "c"}]}]"#
                )
            } == "has few members")
    }

    @Test(arguments: [
        (#"[{"id": 2}, {"id": 1, "badges": [1, 2, 3]}]"#, "$[1]"),
        (#"[{"id": 1, "members": [1, 2, {"id": 3, "name": "c"}]}]"#, "$[0]"),
        (#"[{"id": 1, "members": [2]}]"#, "$[0].members"),
        (#"[{"id": 9, "members": [1, null, 2]}]"#, "$[0].members[0]"),
        (#"[{"id": 2, "badges": [1, 2, 3]}]"#, "$[0]"),
    ])
    func `a broken rule is told of where the object stands, or the list that it fell out of`(
        _ json: String, _ path: String
    ) throws {
        let store = try store()
        let error = #expect(throws: MappingError.self) {
            try store.import(Many<Team>.self, from: json)
        }
        #expect(error?.path == path)
    }
}

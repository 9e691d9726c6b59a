import Testing

@testable import LarderObjectStore

/// What a list makes that is the whole of something: the objects as they are once all is done, with links and
/// without their marks, so that to save them changes nothing.
struct CompletedValuesTests {
    private let store: Store

    init() throws {
        store = try .inMemory(entities: Ware.self, Stall.self, Part.self, Order.self)
        try store.import(
            [Ware].self, from: #"[{"id": 1, "name": "A"}, {"id": 2, "name": "B"}]"#)
    }

    private let ofStall = Completeness.whole(\.wares, of: One<Stall>(id: 7))
    private let marking = Completeness.whole(Ware.all, marking: \.isGone)

    /// What counts of an object.
    private func text(_ ware: Ware) -> String {
        "\(ware.id) \(ware.name) shop \(ware.shop?.id ?? 0) twin \(ware.twin?.id ?? 0)"
            + (ware.isGone ? " gone" : "")
    }

    private var stored: [String] {
        get throws { try store.fetch(Ware.all.sorted { $0.id.ascending }).map(text) }
    }

    private struct Page: Wrapper {
        @Stored var wares: [Ware]
        @Stored var best: Ware
        var total: Int
    }

    private struct Entry: Wrapper {
        @Stored var ware: Ware?
    }

    @Test func `a list has the links to whom it is of, and saving it keeps them`() throws {
        let wares = try store.import([Ware].self, from: "[1, 2]", completing: ofStall)
        #expect(wares.map { $0.shop?.id } == [7, 7])
        #expect(try wares.map(text) == stored)
        try store.save(wares)
        #expect(try stored.map { $0.contains("shop 7") } == [true, true])
    }

    @Test func `so has one that is not whole`() throws {
        let wares = try store.import(
            [Ware].self, from: #"{"more": true, "items": [1, 2]}"#, at: "items",
            completing: ofStall.unless("more"))
        #expect(wares.map { $0.shop?.id } == [7, 7])
    }

    @Test func `what comes back has no mark, and saving it gives none`() throws {
        try store.import([Ware].self, from: "[1]", completing: marking)
        #expect(try store.find(Ware.self, id: 2)?.isGone == true)
        let wares = try store.import([Ware].self, from: "[1, 2]", completing: marking)
        #expect(try wares.map(text) == stored && wares.allSatisfy { !$0.isGone })
        try store.save(wares)
        #expect(try store.count(Ware.where { $0.isGone == true }) == 0)
    }

    @Test func `what leads to an object that has vanished does so no more`() throws {
        try store.import(Ware.self, from: #"{"id": 1, "name": "A", "twin": 2}"#)
        let wares = try store.import(
            [Ware].self, from: #"[{"id": 1, "name": "Z"}]"#, completing: .whole(Ware.all))
        #expect(wares.map(text) == ["1 Z shop 0 twin 0"])
        #expect(try wares.map(text) == stored)
    }

    @Test func `wrappers, optionals and single objects have them, too`() throws {
        let page = try store.import(
            Page.self, from: #"{"total": 2, "wares": [1, 2], "best": 2}"#, completing: ofStall)
        #expect(try page.wares.map(text) == stored && page.total == 2)
        #expect(page.best.shop?.id == 7)
        let entries = try store.import(
            [Entry].self, from: #"[{"ware": 1}, {"ware": null}, {"ware": 2}]"#,
            completing: .whole(\.wares, of: One<Stall>(id: 8)))
        #expect(entries.map { $0.ware?.shop?.id } == [8, nil, 8])
        let lossy = try store.import(
            LossyList<Entry>.self, from: #"[{"ware": 1}, {"ware": 5}, {"ware": {"name": "x"}}]"#,
            completing: .whole(\.wares, of: One<Stall>(id: 9)))
        #expect(lossy.skipped.count == 1)
        #expect(lossy.elements.values.map { $0.ware?.shop?.id } == [9, nil])
        let many = try store.import(Many<Ware>.self, from: "[1]", completing: ofStall)
        #expect(try many.fetch().map { $0.shop?.id } == [7])
    }

    @Test func `what is done by a list is reported once`() throws {
        func report<Value: Importable>(_ type: Value.Type) throws -> ImportReport {
            let store = try CompletedValuesTests().store
            return try store.write { context in
                try context.import(type, from: "[1]", completing: ofStall.and(marking))
                return context.report
            }
        }
        #expect(try report([Ware].self) == report(Many<Ware>.self))
    }

    /// What writes by itself as it is imported, which can't be had twice.
    private struct Noted: Importable {
        let wares: [Ware]

        static func `import`(from value: JSONValue, in context: Context) throws -> Noted {
            try context.insert(Part(name: "first"))
            return Noted(wares: try context.import([Ware].self, from: value))
        }
    }

    @Test func `a value that writes on its own is what it was, once`() throws {
        let noted = try store.import(Noted.self, from: "[1, 2]", completing: ofStall)
        #expect(noted.wares.map(\.id) == [1, 2])
        #expect(try store.count(Part.all) == 1)
        #expect(try stored.allSatisfy { $0.contains("shop 7") })
    }

    @Test(arguments: 1...40)
    func `values are what the store has, whatever lists say`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        func ware(_ depth: Int = 0) -> String {
            let id = Int.random(in: 1...5, using: &random)
            let name = Int.random(in: 1...3, using: &random)
            var members = [#""id": \#(id)"#, #""name": "\#(name)""#]
            if depth < 2, Bool.random(using: &random) {
                members.append(#""twin": \#(ware(depth + 1))"#)
            }
            switch Int.random(in: 0..<6, using: &random) {
            case 0: members.append(#""shop": \#(id % 3 + 1)"#)
            case 1: members.append(#""shop": null"#)
            default: break
            }
            return "{\(members.joined(separator: ", "))}"
        }
        for _ in 0..<12 {
            let count = Int.random(in: 0..<4, using: &random)
            let list = "[\((0..<count).map { _ in ware() }.joined(separator: ", "))]"
            let stall = One<Stall>(id: Int.random(in: 1...3, using: &random))
            let completeness: Completeness =
                switch Int.random(in: 0..<4, using: &random) {
                case 0: .whole(Ware.all)
                case 1: .whole(Ware.all, marking: \.isGone)
                case 2: .whole(\.wares, of: stall, marking: \.isGone)
                default: .whole(\.wares, of: stall)
                }
            let wares = try store.import([Ware].self, from: list, completing: completeness)
            for ware in wares {
                let now = try store.find(Ware.self, id: ware.id)
                #expect(text(ware) == now.map(text), "\(list)")
            }
        }
    }
}

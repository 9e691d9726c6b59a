import Dispatch
import Foundation
import LarderPromises
import Testing

@testable import LarderObjectStore

/// Imports that meet: of several threads, and of several stores on one file.
struct ConcurrentImportTests {
    private static let model = try? Model(
        name: "Test",
        entities: [
            EntityDescription(
                name: "Item", isAbstract: true, identity: ["name"],
                attributes: [.required("name"), .optional("value", .integer)],
                mapper: EntityMapper(key: "kind", values: ["a": "A", "b": "B"])),
            EntityDescription(name: "A", parent: "Item", attributes: [.optional("x")]),
            EntityDescription(name: "B", parent: "Item"),
            EntityDescription(
                name: "Place", identity: ["x", "y"],
                attributes: [.required("x", .integer), .optional("y", .integer), .optional("n")]),
            EntityDescription(
                name: "Trip", identity: ["id"], attributes: [.required("id", .integer)],
                relationships: [
                    RelationshipDescription(
                        "items", to: "Item", isToMany: true, isOrdered: true, key: "items"),
                    RelationshipDescription(
                        "goal", to: "Place", isOptional: true, key: "goal"),
                ]),
        ])

    /// Trips to places whose identities are partly empty, with items of both entities.
    private func json(_ number: Int) -> String {
        let trips = (0..<20).map { trip in
            let items = (0..<5).map { item in
                #"{"kind":"\#(item % 2 == 0 ? "a" : "b")","name":"i\#(item)","value":\#(number)}"#
            }
            let y = trip % 3 == 0 ? "null" : "\(trip % 3)"
            return #"{"id":\#(trip),"items":[\#(items.joined(separator: ","))],"#
                + #""goal":{"x":\#(trip % 4),"y":\#(y),"n":"\#(number)"}}"#
        }
        return "[\(trips.joined(separator: ","))]"
    }

    private func check(_ store: Store) throws {
        func number(_ sql: String) throws -> Int { try store.withWriter { try $0.number(sql) } }
        #expect(try number("SELECT count(*) FROM Item") == 5)
        #expect(try number("SELECT count(*) FROM Item WHERE \"$entity\" = 'A'") == 3)
        #expect(try number("SELECT count(*) FROM Place") == 12)
        #expect(try number("SELECT count(*) FROM (SELECT DISTINCT x, y FROM Place)") == 12)
        #expect(try number("SELECT count(*) FROM Trip") == 20)
        #expect(try number("SELECT count(*) FROM \"Trip.items\"") == 100)
        #expect(try store.checkIntegrity().isSound)
        // Each transaction is whole: all objects have come with one of the imports.
        #expect(try number("SELECT count(DISTINCT value) FROM Item") == 1)
        #expect(try number("SELECT count(DISTINCT n) FROM Place") == 1)
    }

    private func importAll(into stores: [Store]) -> [String] {
        let errors = Guarded<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            do {
                try stores[number % stores.count].insert("Trip", json(number))
            } catch { errors.withLock { $0.append("\(error)") } }
        }
        return errors.withLock(\.self)
    }

    @Test func `threads that import at once make no object twice`() throws {
        let store = try Store.temporary(model: try #require(Self.model))
        #expect(importAll(into: [store]) == [])
        try check(store)
    }

    @Test func `stores that import into one file at once make no object twice`() throws {
        let folder = try TemporaryFolder()
        var configuration = Store.Configuration()
        configuration.busyTimeout = .seconds(600)
        let model = try #require(Self.model)
        let stores = try (0..<3).map { _ in
            try Store(at: folder.file("a"), model: model, configuration: configuration)
        }
        #expect(importAll(into: stores) == [])
        for store in stores { try check(store) }
    }

    @Test func `saving and importing at once make no object twice`() throws {
        let folder = try TemporaryFolder()
        var configuration = Store.Configuration()
        configuration.busyTimeout = .seconds(600)
        let stores = try (0..<2).map { _ in
            try Store(
                at: folder.file("a"), entities: Shape.self, Circle.self, Square.self,
                configuration: configuration)
        }
        let errors = Guarded<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 16) { number in
            do {
                let store = stores[number % 2]
                for name in 0..<10 {
                    if number % 4 < 2 {
                        try store.save(Circle(name: "\(name)", radius: 1))
                    } else {
                        try store.insert("Circle", #"{"name":"\#(name)","radius":1}"#)
                    }
                }
            } catch { errors.withLock { $0.append("\(error)") } }
        }
        #expect(errors.withLock(\.self) == [])
        #expect(try stores[0].count(Shape.all) == 10)
        #expect(try stores[1].count(Circle.all) == 10)
    }
}

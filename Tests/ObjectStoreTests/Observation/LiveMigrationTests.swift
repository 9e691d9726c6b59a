import Foundation
import Testing

@testable import LarderObjectStore

/// Stores that are observed once they have been brought to another model.
struct LiveMigrationTests {
    @Test func `a family that has grown is observed as one that was made so`() throws {
        let fixture = try MigrationFixture()
        do {
            let store = try Store(at: fixture.path, entities: Shape.self)
            try store.save(Shape(name: "a", note: nil))
        }
        let store = try Store(at: fixture.path, entities: Shape.self, Circle.self)
        let shapes = LiveRecorder(
            store.observe(Shape.all).map { $0.map(\.name) }, of: store)
        let circles = LiveRecorder(store.observe { try $0.count(Circle.all) }, of: store)
        #expect(shapes.take() == [["a"]] && circles.take() == [0])
        try store.save(Circle(name: "b", radius: 1))
        #expect(shapes.take() == [["a", "b"]] && circles.take() == [1])
        try store.delete(Shape(name: "a", note: nil))
        #expect(shapes.take() == [["b"]] && circles.take() == [])
    }

    @Test func `objects that a removed entity took along are gone for those who observe`() throws {
        let fixture = try MigrationFixture()
        do {
            let store = try Store(at: fixture.path, entities: Circle.self, Square.self)
            try store.save(Circle(name: "a", radius: 1))
            try store.save(Square(name: "b", side: 1))
        }
        var configuration = Store.Configuration()
        configuration.migration.allowedLosses = .all
        let store = try Store(
            at: fixture.path, entities: Circle.self, configuration: configuration)
        let shapes = LiveRecorder(store.observe { try $0.count(Shape.all) }, of: store)
        #expect(shapes.take() == [1])
        try store.save(Circle(name: "b", radius: 2))
        #expect(shapes.take() == [2])
    }
}

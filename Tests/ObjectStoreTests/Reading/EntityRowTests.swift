import Foundation
import Testing

@testable import LarderObjectStore

/// Reading rows into objects, and what is not of its type.
struct EntityRowTests {
    private struct Sample: Entity {
        enum State: String, AttributeValue { case open, closed }

        var id: Int
        var small: Int8?
        var double: Double
        var decimal: Decimal
        var isOn: Bool
        var text: String
        var date: Date
        var url: URL
        var uuid: UUID
        var data: Data
        var state: State

        static var entityName: String { "Sample" }
        static let entityDescription = EntityDescription(
            name: "Sample", identity: ["id"],
            attributes: [
                AttributeDescription("id", Int.self, key: "id"),
                AttributeDescription("small", Int8?.self, key: "small"),
                AttributeDescription("double", Double.self, key: "double"),
                AttributeDescription("decimal", Decimal.self, key: "decimal"),
                AttributeDescription("isOn", Bool.self, key: "isOn"),
                AttributeDescription("text", String.self, key: "text"),
                AttributeDescription("date", Date.self, key: "date"),
                AttributeDescription("url", URL.self, key: "url"),
                AttributeDescription("uuid", UUID.self, key: "uuid"),
                AttributeDescription("data", Data.self, key: "data"),
                AttributeDescription("state", State.self, key: "state"),
            ])

        struct Columns: EntityColumns {
            let path: ColumnPath
            init(path: ColumnPath) { self.path = path }
            var state: Column<State> { .init(path, "state") }
            var uuid: Column<UUID> { .init(path, "uuid") }
            var decimal: Column<Decimal> { .init(path, "decimal") }
            var url: Column<URL> { .init(path, "url") }
            var data: Column<Data> { .init(path, "data") }
        }

        init(row: EntityRow) throws {
            id = try row.attribute(0)
            small = try row.attribute(1)
            double = try row.attribute(2)
            decimal = try row.attribute(3)
            isOn = try row.attribute(4)
            text = try row.attribute(5)
            date = try row.attribute(6)
            url = try row.attribute(7)
            uuid = try row.attribute(8)
            data = try row.attribute(9)
            state = try row.attribute(10)
        }
    }

    private static func json(_ members: [String: String] = [:]) -> Data {
        let defaults = [
            "id": "1", "small": "-128", "double": "0.1", "decimal": "12.340", "isOn": "true",
            "text": "\"ü\"", "date": "\"2001-01-01T00:00:00.5Z\"",
            "url": "\"https://a.example/b?c\"",
            "uuid": "\"6f9619ff-8b86-d011-b42d-00c04fc964ff\"", "data": "\"AQI=\"",
            "state": "\"open\"",
        ]
        let all = defaults.merging(members) { $1 }
        return Data("{\(all.map { #""\#($0)": \#($1)"# }.joined(separator: ","))}".utf8)
    }

    @Test func `each type comes back as it went in`() throws {
        let store = try Store.inMemory(entities: Sample.self)
        let sample = try store.import(Sample.self, from: Self.json())
        #expect(sample.small == -128)
        #expect(sample.double == 0.1)
        #expect(sample.decimal == Decimal(string: "12.34"))
        #expect(sample.isOn)
        #expect(sample.text == "ü")
        #expect(sample.date == Date(timeIntervalSinceReferenceDate: 0.5))
        #expect(sample.url.absoluteString == "https://a.example/b?c")
        #expect(sample.uuid == UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF"))
        #expect(sample.data == Data([1, 2]))
        #expect(sample.state == .open)
    }

    @Test func `queries take values of each type`() throws {
        let store = try Store.inMemory(entities: Sample.self)
        let sample = try store.import(Sample.self, from: Self.json())
        let found = try [
            store.count(Sample.where { $0.state == .open }),
            store.count(Sample.where { $0.uuid == sample.uuid }),
            store.count(Sample.where { $0.decimal == sample.decimal }),
            store.count(Sample.where { $0.url == sample.url }),
            store.count(Sample.where { $0.data == sample.data }),
            store.count(Sample.where { $0.data.isIn([sample.data]) }),
            store.count(Sample.where { $0.state.isIn([.open, .closed]) }),
        ]
        #expect(found == Array(repeating: 1, count: 7))
        #expect(try store.count(Sample.where { $0.state == .closed }) == 0)
    }

    @Test(arguments: [("small", "128"), ("state", "\"unknown\"")])
    func `a value that the Swift type does not have is an error that names it`(
        _ attribute: String, _ value: String
    ) throws {
        // A model file does not know what the Swift type takes.
        var description = Sample.entityDescription
        for index in description.attributes.indices {
            description.attributes[index].allowedValues = .all
        }
        let store = try Store.inMemory(model: Model(name: "File", entities: [description]))
        let error = #expect(throws: StoreError.self) {
            try store.import(Sample.self, from: Self.json([attribute: value]))
        }
        #expect(error?.reason == .unexpectedValue)
        #expect(error?.message.contains("Sample.\(attribute) of id ") == true)
        #expect(try store.count(Sample.all) == 0)
    }

    @Test(arguments: [("small", "128"), ("state", "\"unknown\"")])
    func `a value that the Swift type does not have is refused on import`(
        _ attribute: String, _ value: String
    ) throws {
        let store = try Store.inMemory(entities: Sample.self)
        let error = #expect(throws: MappingError.self) {
            try store.import(Sample.self, from: Self.json([attribute: value]))
        }
        #expect(error?.attribute == attribute)
        #expect(error?.path == "$.\(attribute)")
    }
}

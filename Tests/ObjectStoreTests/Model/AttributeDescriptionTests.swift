import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct AttributeDescriptionTests {
    enum State: String, AttributeValue { case open, closed }

    @Test func `a Swift type says type and optionality`() {
        let description = AttributeDescription("at", Date?.self, key: "created_at")
        #expect(
            description == AttributeDescription("at", .date, isOptional: true, key: "created_at"))
        #expect(AttributeDescription("n", UInt8.self, key: "n").type == .integer)
        #expect(AttributeDescription("n", Float.self, key: "n").type == .double)
        #expect(AttributeDescription("n", Decimal.self, key: nil).type == .decimal)
        #expect(AttributeDescription("n", State.self, key: "n").type == .string)
    }

    @Test func `a Swift value says the default`() {
        #expect(
            AttributeDescription("n", Int.self, key: "n", default: 7).defaultValue == .integer(7))
        #expect(
            AttributeDescription("n", Bool.self, key: "n", default: true).defaultValue
                == .boolean(true))
        #expect(
            AttributeDescription("n", Double.self, key: "n", default: 0.5).defaultValue
                == .double(0.5))
        #expect(
            AttributeDescription("n", State.self, key: "n", default: .closed).defaultValue
                == .string("closed"))
        #expect(
            AttributeDescription("n", Decimal.self, key: "n", default: 5).defaultValue
                == .string("5"))
        #expect(
            AttributeDescription("n", Int?.self, key: "n", default: .some(nil)).defaultValue == nil)
        #expect(
            AttributeDescription("n", Int?.self, key: "n", default: 3).defaultValue == .integer(3))
    }

    @Test func `the transformer of a type need not be named`() {
        #expect(AttributeDescription("d", Date.self, key: "d").transformer == .iso8601)
        #expect(AttributeDescription("d", Data.self, key: "d").transformer == .base64)
        #expect(
            AttributeDescription("d", Date.self, key: "d", transformer: .unix).transformer == .unix)
        #expect(AttributeDescription("d", Int.self, key: "d").transformer == nil)
    }

    @Test func `a column has the type that keeps its values`() {
        let columns = Dictionary(
            uniqueKeysWithValues: AttributeType.allCases.map { ($0, $0.columnType) })
        #expect(
            columns == [
                .integer: "INTEGER", .boolean: "INTEGER", .double: "REAL", .date: "REAL",
                .decimal: "TEXT", .string: "TEXT", .url: "TEXT", .uuid: "TEXT", .json: "TEXT",
                .data: "BLOB",
            ])
    }

    @Test func `every type has a coder, with its own transformer or none`() {
        for type in AttributeType.allCases {
            #expect(ValueCoder(type, type.defaultTransformer) != nil, "\(type)")
        }
    }

    @Test func `each transformer gives values of just these types`() {
        let types: [Transformer: Set<AttributeType>] = [
            .iso8601: [.date], .rfc1123: [.date], .unix: [.date], .unixMilliseconds: [.date],
            .number: [.integer, .double, .decimal], .string: [.string], .base64: [.data],
            .boolean: [.boolean],
        ]
        #expect(Set(types.keys) == Transformer.builtIn)
        for (transformer, expected) in types {
            let fitting = AttributeType.allCases.filter { ValueCoder($0, transformer) != nil }
            #expect(Set(fitting) == expected, "\(transformer.rawValue)")
        }
        #expect(
            AttributeType.allCases.allSatisfy {
                ValueCoder($0, Transformer(rawValue: "own")) == nil
            })
    }
}

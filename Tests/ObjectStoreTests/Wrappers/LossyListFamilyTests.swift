import Foundation
import Testing

@testable import LarderObjectStore

/// Lossy lists of objects that share a table, from documents of which parts are read one by one.
struct LossyListFamilyTests {
    private static let entities = ["Animal", "Cage", "Food", "Collar", "Ticket"]

    private static func store() throws -> Store {
        try Store.inMemory(
            entities: Lion.self, Parrot.self, Cage.self, Food.self, Collar.self, Ticket.self)
    }

    /// The law: each element does what it does alone, one after the other.
    @Test(arguments: 0..<120)
    func `each element is as it were imported by itself`(_ seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let (together, alone) = try (Self.store(), Self.store())
        for _ in 0..<3 {
            let animals = (0..<Int.random(in: 0...8, using: &random)).map { _ in animal(&random) }
            let text = "[\(animals.joined(separator: ", "))]"
            let document = try JSONDocument(
                mapped: text.utf8, longArray: Int.random(in: 0...400, using: &random))
            let (list, report) = try together.import(
                LossyList<Animal>.self, from: document.root, willWait: { _ in },
                options: DecodingOptions(), isCancelled: { false }, willCommit: {})
            var (expected, failures) = (ImportReport(), 0)
            var rows: [One<Animal>] = []
            for animal in animals {
                do {
                    let (one, report) = try alone.import(
                        One<Animal>.self, from: JSONDocument(animal).root, willWait: { _ in },
                        options: DecodingOptions(), isCancelled: { false }, willCommit: {})
                    expected += report
                    if !rows.contains(one) { rows.append(one) }
                } catch is MappingError {
                    failures += 1
                }
            }
            #expect(report.entities == expected.entities, "\(seed): \(text)")
            #expect(list.skipped.count == failures, "\(seed): \(text)")
            #expect(try list.elements.count == rows.count, "\(seed): \(text)")
            for name in Self.entities {
                #expect(
                    try together.json(DynamicQuery(name), relationships: .identities)
                        == alone.json(DynamicQuery(name), relationships: .identities),
                    "\(seed): \(text)")
            }
            #expect(try together.checkIntegrity().isSound, "\(seed): \(text)")
        }
    }

    private func animal(_ random: inout SplitMix64) -> String {
        func id() -> Int { Int.random(in: 1...5, using: &random) }
        func one(of choices: String...) -> String {
            choices[Int.random(in: 0..<choices.count, using: &random)]
        }
        func perhaps(_ key: String, _ value: @autoclosure () -> String) -> String? {
            Bool.random(using: &random) ? "\"\(key)\": \(value())" : nil
        }
        let members = [
            "\"id\": \(id())",
            perhaps("kind", one(of: #""lion""#, #""bird""#, #""parrot""#, #""cow""#)),
            perhaps("name", one(of: #""a""#, #""b""#)),
            perhaps("weight", one(of: "40", "60", "100", "null", #""much""#)),
            perhaps("wingspan", one(of: "1", "2.5")),
            perhaps("words", one(of: "[]", #"["x"]"#, #"{"y": 1}"#)),
            perhaps("mood", one(of: #""calm""#, #""cross""#, #""odd""#)),
            perhaps("cage", one(of: "\(id())", #"{"number": \#(id()), "animals": [\#(id())]}"#)),
            perhaps("foods", one(of: #"["meat", {"name": "seeds"}]"#, "[]", "[7]")),
            perhaps("friends", "[\(id()), \(id())]"),
            perhaps("prey", one(of: "\(id())", "null")),
        ]
        return "{\(members.compactMap(\.self).joined(separator: ", "))}"
    }
}

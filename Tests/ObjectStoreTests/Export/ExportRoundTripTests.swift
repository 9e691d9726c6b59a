import Foundation
import Testing

@testable import LarderObjectStore

/// What a store writes as JSON makes the same objects in another one.
@Suite struct ExportRoundTripTests {
    /// The recorded answers of GitHub's API, nil where they are not on this machine.
    private static let recordings: Data? = {
        let file = ConformanceFiles.root.deletingLastPathComponent()
            .appending(path: "shared/data/github-exchanges.jsonl")
        let data = try? Data(contentsOf: file)
        if data == nil { print("SKIPPED: the recorded GitHub exchanges are not at ../shared/data") }
        return data
    }()

    private static let identities = [
        "Repository": "id", "PullRequest": "id", "Issue": "id", "User": "id", "Release": "id",
        "Commit": "sha", "Gist": "id", "Milestone": "id", "Label": "id", "Asset": "id",
    ]

    private func model(_ name: String) throws -> Model {
        try Model(contentsOf: ConformanceFiles.root.appending(path: "Schema/\(name).json"))
    }

    private func entity(of object: JSONValue) -> String? {
        func has(_ keys: String...) -> Bool { keys.allSatisfy { object[$0] != nil } }
        if has("full_name", "owner", "fork") { return "Repository" }
        if has("head", "base", "number") { return "PullRequest" }
        if has("number", "labels", "comments_url") { return "Issue" }
        if has("login", "gravatar_id", "id") { return "User" }
        if has("tag_name", "assets") { return "Release" }
        if has("commit", "sha", "parents") { return "Commit" }
        return has("files", "public", "id") ? "Gist" : nil
    }

    private func recordedStore(_ recordings: Data) throws -> Store {
        let store = try Store.inMemory(model: model("GitHub"))
        try store.write { context in
            for line in recordings.split(separator: UInt8(ascii: "\n")) {
                guard let body = try JSONDocument(Data(line)).root["body"],
                    let first = body.kind == .array ? body.elements?.first : body,
                    let entity = entity(of: first)
                else { continue }
                try context.import(entity, from: body)
            }
        }
        return store
    }

    @Test(
        .enabled(if: recordings != nil),
        arguments: [ExportedRelationships.nested, .identities])
    func `GitHub's objects come back to the byte`(relationships: ExportedRelationships) throws {
        let store = try recordedStore(try #require(Self.recordings))
        let all = try Store.inMemory(model: store.model)
        for (entity, identity) in Self.identities.sorted(by: { $0.key < $1.key }) {
            let query = DynamicQuery(entity).sorted(identity)
            #expect(try store.count(query) > 0, "\(entity)")
            let json = try store.json(query, relationships: relationships)
            // Nested objects bring all that they need along.
            let copy = relationships == .nested ? try Store.inMemory(model: store.model) : all
            try copy.import(entity, from: json)
            if relationships == .nested {
                let again = try copy.json(query, relationships: relationships)
                #expect(again == json, "\(entity)")
            }
        }
        guard relationships == .identities else { return }
        for (entity, identity) in Self.identities {
            let query = DynamicQuery(entity).sorted(identity)
            let (first, second) = (
                try store.json(query, relationships: relationships),
                try all.json(query, relationships: relationships)
            )
            #expect(first == second, "\(entity)")
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `random webs of heroes come back to the byte`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let heroes = (1...12).map { id -> String in
            let mentor = Int.random(in: 0...12, using: &random)
            let publisher = Int.random(in: 0...3, using: &random)
            let powers = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                #"{"id":"p\#(Int.random(in: 1...5, using: &random))","name":"\#(id)"}"#
            }
            let strength = Double.random(in: -1e6...1e6, using: &random)
            return #"{"id":\#(id),"name":"h\#(id)","strength":\#(strength),"#
                + #""mentor":\#(mentor == 0 ? "null" : "\(mentor)"),"#
                + #""publisher":\#(publisher == 0 ? "null" : #"{"id":\#(publisher),"name":"p"}"#),"#
                + #""powers":[\#(powers.joined(separator: ","))]}"#
        }
        let store = try Comics.store()
        try store.import(Many<Hero>.self, from: Data("[\(heroes.joined(separator: ","))]".utf8))
        for relationships in [ExportedRelationships.nested, .identities] {
            let query = Hero.all
            let powers = Power.all.sorted { $0.id.ascending }
            let copy = try Comics.store()
            try copy.import(
                Many<Hero>.self, from: store.json(query, relationships: relationships))
            try copy.import(
                Many<Power>.self, from: store.json(powers, relationships: relationships))
            try copy.import(
                Many<Publisher>.self,
                from: store.json(Publisher.all, relationships: relationships))
            let exports = try [store, copy].map { store in
                [
                    try store.json(query, relationships: relationships),
                    try store.json(powers, relationships: relationships),
                    try store.json(Publisher.all, relationships: relationships),
                ].map { String(decoding: $0, as: UTF8.self) }
            }
            #expect(exports[0] == exports[1])
        }
    }
}

import Foundation
import LarderPromises
import Testing

@testable import LarderObjectStore

/// Saving, importing, updating and deleting in any order, beside a simple picture of what must come
/// out.
struct FamilyRandomTests {
    /// What is known of an animal.
    private struct Entry: Equatable {
        var kind: String
        var name: String
    }

    private static let kinds = ["Lion", "Bird", "Parrot"]
    private static let above = [
        "Lion": ["Animal"], "Bird": ["Animal"], "Parrot": ["Bird", "Animal"],
    ]

    private static func isKind(_ kind: String, _ other: String) -> Bool {
        kind == other || above[kind]?.contains(other) == true
    }

    /// The expected animals and what has been done, for an error.
    private struct Picture {
        var animals: [Int: Entry] = [:]
        var steps: [String] = []

        /// Writes an animal as one of a kind; false where another one has its identity.
        mutating func write(_ id: Int, _ name: String, as kind: String, given: String) -> Bool {
            let known = animals[id]
            guard let known else {
                animals[id] = Entry(kind: kind, name: name)
                return true
            }
            guard isKind(known.kind, given) else { return false }
            animals[id]?.name = name
            return true
        }
    }

    @Test(arguments: 0..<12)
    func `any order of writing makes what each step says`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let store = try Store.temporary(
            entities: Lion.self, Parrot.self, Cage.self, Food.self, Collar.self, Ticket.self)
        let animals = LiveRecorder(
            store.observe(Animal.all).map { $0.map { "\($0.id) \($0.name)" } },
            of: store)
        let birds = LiveRecorder(store.observe { try $0.count(Bird.all) }, of: store)
        var seen = (animals: animals.take().last ?? [], birds: birds.take().last ?? 0)
        var picture = Picture()
        for step in 0..<60 {
            try store.write { context in
                for part in 0..<Int.random(in: 1...3, using: &random) {
                    try Self.take(
                        "\(step)\(part)", in: context, &picture, using: &random, mayNest: true)
                }
            }
            let expected = picture.animals.sorted { $0.key < $1.key }
            seen.animals = animals.take().last ?? seen.animals
            seen.birds = birds.take().last ?? seen.birds
            let steps = picture.steps.suffix(6).joined(separator: "; ")
            try #require(seen.animals == expected.map { "\($0.key) \($0.value.name)" }, "\(steps)")
            try #require(
                seen.birds == expected.count { Self.isKind($0.value.kind, "Bird") }, "\(steps)")
            let lions = try store.fetch(Lion.all).map(\.id)
            try #require(
                lions == expected.filter { $0.value.kind == "Lion" }.map(\.key), "\(steps)")
            try #require(
                try store.count(Parrot.all) == expected.count { $0.value.kind == "Parrot" },
                "\(steps)")
        }
        #expect(try store.checkIntegrity().isSound)
    }

    private static func take(
        _ name: String, in context: Context, _ picture: inout Picture,
        using random: inout SplitMix64, mayNest: Bool
    ) throws {
        let id = Int.random(in: 1...6, using: &random)
        let kind = kinds[Int.random(in: 0..<3, using: &random)]
        let choice = Int.random(in: 0..<7, using: &random)
        picture.steps.append("\(choice) \(kind) \(id) \(name)")
        switch choice {
        case 0, 1:
            let isWritten = picture.write(id, name, as: kind, given: kind)
            #expect(try refusal { try save(kind, id, name, in: context) } == isWritten)
        case 2:
            let given = Bool.random(using: &random) ? "Animal" : kind
            let isWritten = picture.write(id, name, as: kind, given: given)
            #expect(try refusal { try insert(kind, id, name, as: given, in: context) } == isWritten)
        case 3:
            try delete(kind, upTo: id, in: context)
            picture.animals = picture.animals.filter { $0.key > id || !isKind($0.value.kind, kind) }
        case 4:
            try context.update(Bird.where { $0.id > id }) { $0.name.set(name) }
            for (key, animal) in picture.animals where key > id && isKind(animal.kind, "Bird") {
                picture.animals[key]?.name = name
            }
        case 5 where mayNest:
            var lost = picture
            try? context.savepoint {
                for part in 0..<3 {
                    try take("\(name)x\(part)", in: context, &lost, using: &random, mayNest: false)
                }
                throw CancellationError()
            }
        default:
            guard var animal = try context.find(Animal.self, id: id) else { return }
            animal.name = name
            try context.save(animal)
            picture.animals[id]?.name = name
        }
    }

    /// Whether a body is not refused for another object's identity.
    private static func refusal(_ body: () throws -> Void) throws -> Bool {
        do {
            try body()
            return true
        } catch let error as WritingError {
            guard case .otherEntity = error.reason else { throw error }
        } catch let error as MappingError {
            guard case .otherEntity = error.reason else { throw error }
        }
        return false
    }

    private static func save(
        _ kind: String, _ id: Int, _ name: String, in context: Context
    ) throws {
        switch kind {
        case "Lion":
            var lion = Zoo.lion(id)
            lion.name = name
            try context.save(lion)
        case "Bird":
            var bird = Zoo.bird(id)
            bird.name = name
            try context.save(bird)
        default:
            var parrot = Zoo.parrot(id)
            parrot.name = name
            try context.save(parrot)
        }
    }

    private static func insert(
        _ kind: String, _ id: Int, _ name: String, as given: String, in context: Context
    ) throws {
        let json =
            #"[{"id":\#(id),"kind":"\#(kind.lowercased())","name":"\#(name)","wingspan":2,"words":[]}]"#
        let root = try JSONDocument(json).root
        switch given {
        case "Animal": try context.import(Many<Animal>.self, from: root)
        case "Lion": try context.import(Many<Lion>.self, from: root)
        case "Bird": try context.import(Many<Bird>.self, from: root)
        default: try context.import(Many<Parrot>.self, from: root)
        }
    }

    private static func delete(_ kind: String, upTo id: Int, in context: Context) throws {
        switch kind {
        case "Lion": try context.delete(Lion.where { $0.id <= id })
        case "Bird": try context.delete(Bird.where { $0.id <= id })
        default: try context.delete(Parrot.where { $0.id <= id })
        }
    }
}

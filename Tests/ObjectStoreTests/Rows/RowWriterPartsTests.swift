import Testing

@testable import LarderObjectStore

/// What an object lacks must be in its row already, whoever brings the rest, and whether or not its entity
/// shares a table.
struct RowWriterPartsTests {
    protocol Kind: Sendable {
        static var name: String { get }
        static var identity: [String] { get }
        static var parent: String? { get }
    }

    /// Alone in its table; a part of its identity may be empty.
    enum Lone: Kind {
        static let name = "Lone"
        static let identity = ["a", "b"]
        static let parent: String? = nil
    }

    /// Nothing identifies it.
    enum Loose: Kind {
        static let name = "Loose"
        static let identity: [String] = []
        static let parent: String? = nil
    }

    /// Shares its table with those below.
    enum Upper: Kind {
        static let name = "Upper"
        static let identity = ["a", "b"]
        static let parent: String? = nil
    }

    enum Lower: Kind {
        static let name = "Lower"
        static let identity: [String] = []
        static let parent: String? = "Upper"
    }

    enum LooseUpper: Kind {
        static let name = "LooseUpper"
        static let identity: [String] = []
        static let parent: String? = nil
    }

    enum LooseLower: Kind {
        static let name = "LooseLower"
        static let identity: [String] = []
        static let parent: String? = "LooseUpper"
    }

    /// An object that hands over as much as it has.
    struct Item<K: Kind>: Entity {
        /// By attribute; nil for those that are not handed over.
        var values: [Int??]

        static var names: [String] { K.parent == nil ? ["a", "b", "c", "d"] : ["e"] }
        /// With those that its parent has.
        static var allNames: [String] { ["a", "b", "c", "d"] + (K.parent == nil ? [] : ["e"]) }
        static var entityName: String { K.name }

        /// As the model has it, and with all that is inherited.
        static var inModel: EntityDescription { description(names, parent: K.parent) }
        static var entityDescription: EntityDescription { description(allNames) }

        static func isOptional(_ name: String) -> Bool { name == "b" || name == "d" }

        private static func description(
            _ names: [String], parent: String? = nil
        ) -> EntityDescription {
            let inherited = K.parent == "Upper" && parent == nil ? Upper.identity : []
            return EntityDescription(
                name: K.name, parent: parent, identity: K.identity + inherited,
                attributes: names.map { name in
                    isOptional(name)
                        ? AttributeDescription(name, Int?.self, key: name)
                        : AttributeDescription(name, Int.self, key: name)
                })
        }

        struct Columns: EntityColumns {
            let path: ColumnPath
            init(path: ColumnPath) { self.path = path }
        }

        init(values: [Int??]) { self.values = values }

        init(row: EntityRow) throws { values = [] }

        func write(to other: inout EntityValues) throws {
            for (index, value) in values.enumerated() {
                if let value { try other.attribute(index, value) }
            }
        }

        static func random(using random: inout SplitMix64) -> Item {
            Item(
                values: allNames.map { name in
                    let isIdentity = name == "a" || name == "b"
                    switch Int.random(in: 0..<6, using: &random) {
                    case 0: return nil
                    case 1 where isOptional(name): return .some(nil)
                    case 2 where !isIdentity: return nil
                    default: return Int.random(in: 0..<3, using: &random)
                    }
                })
        }
    }

    /// An object that can be saved and be spelled as JSON.
    private struct Step {
        let entity: String
        let json: String
        let save: (Context) throws -> Void
        /// Whether it hands over anything.
        let isThere: Bool

        init<K: Kind>(_ kind: K.Type, using random: inout SplitMix64) {
            let item = Item<K>.random(using: &random)
            entity = K.name
            let members = zip(Item<K>.allNames, item.values).compactMap { name, value in
                value.map { "\"\(name)\": \($0.map(String.init) ?? "null")" }
            }
            json = "{\(members.joined(separator: ", "))}"
            isThere = !members.isEmpty
            save = { _ = try $0.save(item) }
        }

        static func random(using random: inout SplitMix64) -> Step {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: Step(Lone.self, using: &random)
            case 1: Step(Loose.self, using: &random)
            case 2: Step(Upper.self, using: &random)
            case 3: Step(Lower.self, using: &random)
            case 4: Step(LooseUpper.self, using: &random)
            default: Step(LooseLower.self, using: &random)
            }
        }
    }

    private static func fixture() throws -> StoreFixture {
        try StoreFixture(
            Item<Lone>.inModel, Item<Loose>.inModel, Item<Upper>.inModel, Item<Lower>.inModel,
            Item<LooseUpper>.inModel, Item<LooseLower>.inModel)
    }

    private static func content(of fixture: StoreFixture) throws -> [String] {
        try ["Lone", "Loose", "Upper", "LooseUpper"].flatMap { table in
            try fixture.rows("SELECT * FROM \(table)").map { "\(table): \($0)" }.sorted()
        }
    }

    /// Why nothing was written, nil where something was.
    private static func refusal(_ body: () throws -> Void) throws -> String? {
        do {
            try body()
            return nil
        } catch let error as MappingError {
            switch error.reason {
            case .missing: return "\(error.entity) lacks \(error.attribute ?? "-")"
            case .otherEntity(let name): return "\(error.entity), but \(name)"
            default: throw error
            }
        } catch let error as WritingError {
            switch error.reason {
            case .missing: return "\(error.entity) lacks \(error.attribute ?? "-")"
            case .otherEntity(let name): return "\(error.entity), but \(name)"
            default: throw error
            }
        }
    }

    @Test(arguments: 0..<30)
    func `documents and code complete the same, and are refused for the same`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let imported = try Self.fixture()
        let saved = try Self.fixture()
        for number in 0..<60 {
            let step = Step.random(using: &random)
            guard step.isThere else { continue }
            let place: Comment = "step \(number): \(step.entity) \(step.json)"
            let refused = try Self.refusal { _ = try imported.insert(step.entity, step.json) }
            let other = try Self.refusal { try saved.store.write(step.save) }
            try #require(refused == other, place)
            try #require(try Self.content(of: imported) == Self.content(of: saved), place)
        }
        #expect(try imported.rows("SELECT count(*) > 1 FROM Upper") == ["1"])
    }
}

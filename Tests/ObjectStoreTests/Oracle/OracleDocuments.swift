@testable import LarderObjectStore

/// Makes random documents of much repetition: equal objects, equal texts of all lengths, the same object
/// with other values, permuted and left out keys, references, cycles.
struct OracleDocuments {
    private let schema: OracleSchema
    var random: OracleRandom
    /// Draws what models without tombstones have no use for, so that they get the same documents as ever.
    private var other: OracleRandom
    /// Objects that have been made before, by entity.
    private var made: [String: [OracleJSON]] = [:]

    init(_ schema: OracleSchema, _ random: OracleRandom) {
        self.schema = schema
        self.random = random
        other = random
    }

    mutating func document(of entity: String) -> OracleJSON {
        if random.chance(15) { return element(of: entity, depth: 0) }
        return .array((0..<1 + random.number(5)).map { _ in element(of: entity, depth: 0) })
    }

    mutating func elements(of entity: String) -> [OracleJSON] {
        (0..<1 + random.number(6)).map { _ in element(of: entity, depth: 0) }
    }

    private mutating func element(of entity: String, depth: Int) -> OracleJSON {
        let canRefer = schema[entity].identity.count == 1
        if depth > 0 && random.chance(4) { return .null }
        if canRefer, depth > 3 || random.chance(depth == 0 ? 8 : 30) {
            return identity(of: entity)
        }
        if random.chance(35), let known = made[entity], !known.isEmpty {
            return varied(random.pick(known), of: entity)
        }
        let object = object(of: entity, depth: depth)
        if case .object(let members) = object, members.count < 12 {
            made[entity, default: []].append(object)
        }
        return object
    }

    // MARK: Objects

    private mutating func object(of name: String, depth: Int) -> OracleJSON {
        let entity = schema[name]
        var members: [OracleJSON.Member] = []
        let concrete = concrete(of: entity, &members)
        for attribute in concrete.attributes {
            let isIdentity = concrete.identity.contains(attribute.name)
            let isNeeded = !attribute.isOptional && attribute.defaultValue == nil
            // What stands at the linked object's key is up to that.
            if concrete.ones.contains(where: { concrete.key(of: attribute, beyond: $0) != nil }) {
                continue
            }
            guard let key = attribute.key, random.chance(isIdentity ? 98 : isNeeded ? 93 : 65)
            else { continue }
            let isNull = random.chance(attribute.isOptional ? 12 : 1)
            put(isNull ? .null : value(of: attribute, isIdentity: isIdentity), at: key, &members)
        }
        for relationship in concrete.relationships where depth < 6 {
            let description = relationship.description
            let isNeeded = !description.isToMany && !description.isOptional
            guard let key = description.key, random.chance(isNeeded ? 90 : 50 - 14 * depth)
            else { continue }
            put(linked(description, depth: depth + 1), at: key, &members)
        }
        if let key = entity.tombstone, other.chance(25) {
            let signs: [OracleJSON] = [
                .boolean(true), .boolean(true), .string("2026-11-25"), .number("1"), .null,
                .boolean(false), .number("0"), .string(""),
            ]
            put(other.pick(signs), at: key, &members)
        }
        let object = OracleJSON.object(random.chance(30) ? random.shuffle(members) : members)
        guard entity.isWrapped, random.chance(60) else { return object }
        return .object([.init(key: OracleNames.wrapped, value: object)])
    }

    /// An entity that an object of another one may turn out to be of, with what says so.
    private mutating func concrete(
        of entity: OracleSchema.Entity, _ members: inout [OracleJSON.Member]
    ) -> OracleSchema.Entity {
        guard let mapper = entity.mapper, random.chance(85) else { return entity }
        let value = random.pick(mapper.values.keys.sorted())
        put(.string(value), at: mapper.key, &members)
        return schema[mapper.values[value] ?? entity.name]
    }

    private mutating func linked(
        _ relationship: RelationshipDescription, depth: Int
    ) -> OracleJSON {
        if random.chance(relationship.isToMany || relationship.isOptional ? 10 : 1) { return .null }
        if !relationship.isToMany { return element(of: relationship, depth: depth) }
        return .array(
            (0..<random.number(4)).map { _ in element(of: relationship, depth: depth) })
    }

    /// What a relationship leads to; nothing but an identity more often where it says so.
    private mutating func element(
        of relationship: RelationshipDescription, depth: Int
    ) -> OracleJSON {
        guard relationship.isPartial, random.chance(40) else {
            return element(of: relationship.destination, depth: depth)
        }
        var members: [OracleJSON.Member] = []
        let concrete = concrete(of: schema[relationship.destination], &members)
        for name in concrete.identity {
            guard let attribute = concrete.attribute(name), let key = attribute.key else {
                continue
            }
            put(value(of: attribute, isIdentity: true), at: key, &members)
        }
        return .object(members)
    }

    /// Puts a value at a dotted path of at most two steps.
    private func put(
        _ value: OracleJSON, at path: String, _ members: inout [OracleJSON.Member]
    ) {
        let steps = path.split(separator: ".").map(String.init)
        guard steps.count > 1 else {
            return members.append(.init(key: path, value: value))
        }
        if let index = members.firstIndex(where: { $0.key == steps[0] }),
            case .object(let inner) = members[index].value
        {
            members[index].value = .object(inner + [.init(key: steps[1], value: value)])
        } else {
            members.append(
                .init(key: steps[0], value: .object([.init(key: steps[1], value: value)])))
        }
    }

    /// The object as it was, or with another order, a key less or another value.
    private mutating func varied(_ object: OracleJSON, of name: String) -> OracleJSON {
        guard case .object(var members) = object, !members.isEmpty else { return object }
        switch random.number(10) {
        case 0, 1: members = random.shuffle(members)
        case 2: members.remove(at: random.number(members.count))
        case 5 where random.chance(30):
            // The last of two with one key counts.
            let key = random.pick(members).key
            if key == "more" { break }
            members.insert(
                .init(key: key, value: random.pick([.null, .string("a")])),
                at: 0)
        case 3, 4:
            let entity = schema[name]
            let attributes = entity.attributes.filter { attribute in
                !entity.identity.contains(attribute.name)
                    && members.contains { $0.key == attribute.key }
            }
            if !attributes.isEmpty {
                let attribute = random.pick(attributes)
                for index in members.indices where members[index].key == attribute.key {
                    members[index].value = value(of: attribute, isIdentity: false)
                }
            }
        default: break
        }
        return .object(members)
    }

    // MARK: Values

    mutating func identity(of name: String) -> OracleJSON {
        let entity = schema[name]
        guard let attribute = entity.attribute(entity.identity[0]) else { return .null }
        return value(of: attribute, isIdentity: true)
    }

    private mutating func value(
        of attribute: AttributeDescription, isIdentity: Bool
    ) -> OracleJSON {
        if random.chance(1) { return random.pick([.boolean(true), .string("?"), .number("1.5")]) }
        switch attribute.type {
        case .integer:
            if isIdentity, random.chance(8) { return .number("\(random.pick(Self.ends))") }
            let number = random.number(isIdentity ? 4 : 3)
            return .number(random.chance(5) ? "\(number).0" : "\(number)")
        case .double: return .number(random.pick(["0", "0.1", "2.5", "1e2", "-3"]))
        case .boolean: return .boolean(random.chance(50))
        case .date:
            let second = random.number(10)
            return .string("2001-01-01T00:00:0\(second)Z")
        default:
            if isIdentity, attribute.transformer == .string, random.chance(20) {
                return .number("\(random.number(3))")
            }
            let text = random.pick(isIdentity ? Self.names : Self.texts)
            return .string(text, isEscaped: !text.isEmpty && random.chance(6))
        }
    }

    /// The numbers that an identity of 64 bits lies between.
    static let ends: [Int64] = [.min, .max]

    static let names = [
        "0", "k1", "a name of more than sixteen", String(repeating: "long", count: 20),
    ]

    /// Texts on both sides of the lengths at which a store may treat them in another way.
    static let texts =
        ["", "a", "é🦸", "it's \"quoted\"\n", "\\"]
        + [7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 129].map { String(repeating: "t", count: $0) }
        + [String(repeating: "t", count: 64) + "u", String(repeating: "t", count: 32) + "u"]
}

import Foundation
import Testing

@testable import LarderObjectStore

@Entity
private struct Knot {
    @Identity var id: Int
    var a: Int?
    var b: Int
    var c: Int = 1
    var d: Double?
    var s: String?
    @Relationship(inverse: "before") var next: One<Knot>?
    var children: Many<Knot>
    @Relationship(inverse: "next", ordered: false) var before: Many<Knot>
}

/// Random conditions and orders find, and sort, what closures over the same objects do.
///
/// `LARDER_STRESS=1` makes a hundred times as many.
struct QueryRandomTests {
    private typealias Columns = Knot.Columns

    /// An object, or a reference of which nothing is known but its identity.
    private struct Row {
        let id: Int
        var isReference = true
        var a: Int?
        var b: Int?
        var c: Int?
        var d: Double?
        var s: String?
        var next: Int?
        var children: [Int] = []
    }

    private struct World {
        var rows: [Int: Row] = [:]

        func next(_ row: Row?) -> Row? { row?.next.flatMap { rows[$0] } }
        func children(_ row: Row) -> [Row] { row.children.compactMap { rows[$0] } }
        func before(_ row: Row) -> [Row] {
            rows.values.filter { $0.next == row.id }.sorted { $0.id < $1.id }
        }
    }

    private struct Term<Value: AttributeValue> {
        let text: String
        let column: (Columns) -> Column<Value?>
        let value: (Row) -> Value?
    }

    private struct Claim {
        let text: String
        let condition: (Columns) -> Condition
        let holds: (Row) -> Bool
    }

    private static let texts = [
        "", "a", "A", "b", "aB", "é", "E\u{301}", "ß", "%", "a%", "\u{0}a", "🦸",
    ]
    private static let numbers = [-2, -1, 0, 1, 2, 3, Int(Int32.max)]
    private static let reals = [
        -1.5, -0.0, 0, 0.1, 1, 2, .infinity, -.infinity, 1e300, .leastNonzeroMagnitude,
    ]

    /// Makes conditions, terms and orders.
    private struct Maker {
        let world: World
        var random: SplitMix64

        mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
        mutating func pick<Element>(_ all: [Element]) -> Element { all[number(all.count)] }

        mutating func integer(_ depth: Int) -> Term<Int> {
            let world = world
            switch number(depth > 2 ? 7 : 14) {
            case 0, 1: return Term(text: "a", column: { $0.a }, value: { $0.a })
            case 2: return Term(text: "b", column: { $0.b.optional }, value: { $0.b })
            case 3: return Term(text: "id", column: { $0.id.optional }, value: { $0.id })
            case 4:
                // A reference has no default.
                let hasDefault = number(2) == 0
                return Term(
                    text: hasDefault ? "next.c" : "next.a",
                    column: { hasDefault ? $0.next.c : $0.next.a },
                    value: { hasDefault ? world.next($0)?.c : world.next($0)?.a })
            case 5:
                return Term(text: "next.id", column: { $0.next.id }, value: { world.next($0)?.id })
            case 6:
                return Term(
                    text: "next.next.b", column: { $0.next.next.b },
                    value: { world.next(world.next($0))?.b })
            case 7:
                let isBefore = number(2) == 0
                return Term(
                    text: isBefore ? "before.count" : "children.count",
                    column: { (isBefore ? $0.before : $0.children).count.optional },
                    value: { (isBefore ? world.before($0) : world.children($0)).count })
            case 8:
                let test = test(depth + 1)
                let isBefore = number(2) == 0
                return Term(
                    text: "\(isBefore ? "before" : "children").count { \(test.text) }",
                    column: {
                        (isBefore ? $0.before : $0.children).count(where: test.condition).optional
                    },
                    value: {
                        (isBefore ? world.before($0) : world.children($0))
                            .count { !$0.isReference && test.holds($0) }
                    })
            case 9:
                let term = integer(depth + 1)
                let isLargest = number(2) == 0
                return Term(
                    text: "children.\(isLargest ? "max" : "min") { \(term.text) }",
                    column: {
                        isLargest
                            ? $0.children.max(term.column) : $0.children.min(term.column)
                    },
                    value: { row in
                        let values = world.children(row).filter { !$0.isReference }
                            .compactMap(term.value)
                        return isLargest ? values.max() : values.min()
                    })
            case 10:
                let (term, other) = (integer(depth + 1), pick([-1, 2]))
                return Term(
                    text: "(\(term.text) + \(other))", column: { term.column($0) + other },
                    value: { term.value($0).map { $0 &+ other } })
            case 11:
                let (term, other) = (integer(depth + 1), pick([-2, 0, 3]))
                let isRest = number(2) == 0
                return Term(
                    text: "(\(term.text) \(isRest ? "%" : "/") \(other))",
                    column: { isRest ? term.column($0) % other : term.column($0) / other },
                    value: { row in
                        other == 0
                            ? nil : term.value(row).map { isRest ? $0 % other : $0 / other }
                    })
            case 12:
                let (term, other) = (integer(depth + 1), integer(depth + 1))
                return Term(
                    text: "(\(term.text) ?? \(other.text))",
                    column: { term.column($0) ?? other.column($0) },
                    value: { term.value($0) ?? other.value($0) })
            default:
                let term = string(depth + 1)
                return Term(
                    text: "\(term.text).length", column: { term.column($0).length },
                    value: { term.value($0).map { $0.unicodeScalars.count } })
            }
        }

        mutating func string(_ depth: Int) -> Term<String> {
            let world = world
            switch number(6) {
            case 0, 1: return Term(text: "s", column: { $0.s }, value: { $0.s })
            case 2: return Term(text: "next.s", column: { $0.next.s }, value: { world.next($0)?.s })
            case 3:
                return Term(
                    text: "s.lowercased", column: { $0.s.lowercased() },
                    value: { $0.s?.lowercased() })
            case 4:
                let other = pick(texts)
                return Term(
                    text: "(s ?? \(other.debugDescription))",
                    column: { ($0.s ?? other).optional }, value: { $0.s ?? other })
            default:
                return Term(
                    text: "next.next.s", column: { $0.next.next.s },
                    value: { world.next(world.next($0))?.s })
            }
        }

        mutating func real() -> Term<Double> {
            let world = world
            return number(2) == 0
                ? Term(text: "d", column: { $0.d }, value: { $0.d })
                : Term(text: "next.d", column: { $0.next.d }, value: { world.next($0)?.d })
        }

        mutating func comparison<Value: AttributeValue & Comparable>(
            _ term: Term<Value>, _ other: Term<Value>, _ value: Value,
            _ isLess: @escaping (Value, Value) -> Bool, _ isSame: @escaping (Value, Value) -> Bool
        ) -> Claim {
            func same(_ left: Value?, _ right: Value?) -> Bool {
                if let left, let right { isSame(left, right) } else { left == nil && right == nil }
            }
            func less(_ left: Value?, _ right: Value?) -> Bool {
                if let left, let right { isLess(left, right) } else { false }
            }
            let (column, of) = (term.column, term.value)
            let text = "\(term.text) * \(value) * \(other.text)"
            switch number(12) {
            case 0:
                return Claim(
                    text: "== value \(text)", condition: { column($0) == value },
                    holds: { same(of($0), value) })
            case 1:
                return Claim(
                    text: "!= value \(text)", condition: { column($0) != value },
                    holds: { !same(of($0), value) })
            case 2:
                return Claim(
                    text: "< value \(text)", condition: { column($0) < value },
                    holds: { less(of($0), value) })
            case 3:
                return Claim(
                    text: ">= value \(text)", condition: { column($0) >= value },
                    holds: { row in of(row).map { !isLess($0, value) } ?? false })
            case 4:
                return Claim(
                    text: "isNil \(text)", condition: { column($0).isNil },
                    holds: { of($0) == nil })
            case 5:
                return Claim(
                    text: "== column \(text)", condition: { column($0) == other.column($0) },
                    holds: { same(of($0), other.value($0)) })
            case 6:
                return Claim(
                    text: "!= column \(text)", condition: { column($0) != other.column($0) },
                    holds: { !same(of($0), other.value($0)) })
            case 7:
                return Claim(
                    text: "< column \(text)", condition: { column($0) < other.column($0) },
                    holds: { less(of($0), other.value($0)) })
            case 8:
                return Claim(
                    text: "isIn [value, nil] \(text)",
                    condition: { column($0).isIn([value, nil]) },
                    holds: { of($0) == nil || same(of($0), value) })
            case 9:
                return Claim(
                    text: "isIn [value] \(text)", condition: { column($0).isIn([value]) },
                    holds: { same(of($0), value) })
            case 10:
                return Claim(
                    text: "isIn ...value \(text)", condition: { column($0).isIn(...value) },
                    holds: { row in of(row).map { !isLess(value, $0) } ?? false })
            default:
                return Claim(
                    text: "isIn value...value \(text)",
                    condition: { column($0).isIn(value...value) },
                    holds: { same(of($0), value) })
            }
        }

        private mutating func ofText(_ depth: Int) -> Claim {
            let (term, part, ignoring) = (string(depth), pick(texts), number(2) == 0)
            func fold(_ text: String) -> [Unicode.Scalar] {
                Array((ignoring ? text.lowercased() : text).unicodeScalars)
            }
            let text = "\(term.text) \(part.debugDescription) \(ignoring)"
            switch number(4) {
            case 0:
                return Claim(
                    text: "contains \(text)",
                    condition: { term.column($0).contains(part, ignoringCase: ignoring) },
                    holds: { row in
                        guard let whole = term.value(row).map(fold) else { return false }
                        let part = fold(part)
                        return part.isEmpty
                            || whole.indices.contains { whole[$0...].starts(with: part) }
                    })
            case 1:
                return Claim(
                    text: "hasPrefix \(text)",
                    condition: { term.column($0).hasPrefix(part, ignoringCase: ignoring) },
                    holds: { term.value($0).map(fold)?.starts(with: fold(part)) ?? false })
            case 2:
                return Claim(
                    text: "hasSuffix \(text)",
                    condition: { term.column($0).hasSuffix(part, ignoringCase: ignoring) },
                    holds: {
                        term.value($0).map(fold)?.reversed().starts(with: fold(part).reversed())
                            ?? false
                    })
            default:
                return Claim(
                    text: "isEqual \(text)",
                    condition: { term.column($0).isEqual(part, ignoringCase: ignoring) },
                    holds: { term.value($0).map(fold) == fold(part) })
            }
        }

        mutating func test(_ depth: Int) -> Claim {
            let world = world
            switch number(depth > 2 ? 6 : 14) {
            case 0, 1:
                return comparison(
                    integer(depth), integer(depth), pick(numbers), { $0 < $1 }, { $0 == $1 })
            case 2, 3:
                return comparison(
                    string(depth), string(depth), pick(texts),
                    { $0.utf8.lexicographicallyPrecedes($1.utf8) },
                    { $0.utf8.elementsEqual($1.utf8) })
            case 4: return comparison(real(), real(), pick(reals), { $0 < $1 }, { $0 == $1 })
            case 5: return ofText(depth)
            case 6, 7:
                let (left, right) = (test(depth + 1), test(depth + 1))
                return Claim(
                    text: "(\(left.text) && \(right.text))",
                    condition: { left.condition($0) && right.condition($0) },
                    holds: { left.holds($0) && right.holds($0) })
            case 8:
                let (left, right) = (test(depth + 1), test(depth + 1))
                return Claim(
                    text: "(\(left.text) || \(right.text))",
                    condition: { left.condition($0) || right.condition($0) },
                    holds: { left.holds($0) || right.holds($0) })
            case 9:
                let test = test(depth + 1)
                return Claim(
                    text: "!\(test.text)", condition: { !test.condition($0) },
                    holds: { !test.holds($0) })
            case 10, 11:
                let (inner, isBefore, areAll) = (test(depth + 1), number(2) == 0, number(2) == 0)
                return Claim(
                    text: (isBefore ? "before" : "children") + (areAll ? ".all" : ".contains")
                        + " { \(inner.text) }",
                    condition: {
                        let list = isBefore ? $0.before : $0.children
                        return areAll
                            ? list.allSatisfy(inner.condition)
                            : list.contains(where: inner.condition)
                    },
                    holds: { row in
                        let list = (isBefore ? world.before(row) : world.children(row))
                            .filter { !$0.isReference }
                        return areAll
                            ? list.allSatisfy(inner.holds) : list.contains(where: inner.holds)
                    })
            case 12:
                // What is said of an object itself is said beside what is said of its children.
                let (outer, inner) = (test(depth + 1), test(depth + 1))
                let isBehind = number(2) == 0
                return Claim(
                    text: "children.contains { \(inner.text) && outside(\(outer.text)) }",
                    condition: { columns in
                        let condition = outer.condition(columns)
                        return columns.children.contains {
                            isBehind
                                ? inner.condition($0) && condition
                                : condition && inner.condition($0)
                        }
                    },
                    holds: { row in
                        world.children(row).contains { !$0.isReference && inner.holds($0) }
                            && outer.holds(row)
                    })
            default:
                return Claim(
                    text: "next.isNil", condition: { $0.next.isNil }, holds: { $0.next == nil })
            }
        }
    }

    private static func world(_ random: inout SplitMix64) -> World {
        var world = World()
        let count = Int.random(in: 1...9, using: &random)
        for id in 0..<count {
            var row = Row(id: id)
            if Int.random(in: 0..<6, using: &random) > 0 {
                row.isReference = false
                if Bool.random(using: &random) { row.a = numbers.randomElement(using: &random) }
                row.b = numbers.randomElement(using: &random)
                row.c = numbers.randomElement(using: &random)
                if Bool.random(using: &random) { row.d = reals.randomElement(using: &random) }
                if Bool.random(using: &random) { row.s = texts.randomElement(using: &random) }
                if Bool.random(using: &random) {
                    row.next = Int.random(in: 0..<count, using: &random)
                }
                row.children = (0..<count).filter { _ in Int.random(in: 0..<3, using: &random) == 0
                }
            }
            world.rows[id] = row
        }
        return world
    }

    private static func store(of world: World) throws -> Store {
        let store = try Store.inMemory(entities: Knot.self)
        try store.write { context in
            for row in world.rows.values.sorted(by: { $0.id < $1.id }) where !row.isReference {
                try context.save(
                    Knot(
                        id: row.id, a: row.a, b: row.b ?? 0, c: row.c ?? 0, d: row.d, s: row.s,
                        next: row.next.map { One(id: $0) }, children: Many(ids: row.children),
                        before: .unchanged))
            }
        }
        return store
    }

    private static let count =
        ProcessInfo.processInfo.environment["LARDER_STRESS"] == "1" ? 40_000 : 400

    @Test func `conditions find what closures do`() throws {
        for seed in 0..<Self.count {
            var random = SplitMix64(seed: UInt64(seed))
            let world = Self.world(&random)
            let store = try Self.store(of: world)
            var maker = Maker(world: world, random: random)
            for _ in 0..<6 {
                let test = maker.test(0)
                let expected = world.rows.values.filter { !$0.isReference && test.holds($0) }
                    .map(\.id).sorted()
                let found = Result {
                    try store.fetch(Knot.where(test.condition)).map(\.id).sorted()
                }
                if (try? found.get()) != expected {
                    Issue.record("seed \(seed): \(test.text): \(found), not \(expected), \(world)")
                    return
                }
            }
        }
    }

    @Test func `orders sort as closures do, whole and page by page`() throws {
        for seed in 0..<Self.count {
            var random = SplitMix64(seed: UInt64(seed) &+ 1_000_000)
            let world = Self.world(&random)
            let store = try Self.store(of: world)
            var maker = Maker(world: world, random: random)
            let (term, other) = (maker.integer(0), maker.string(0))
            let (isDescending, putsLast) = (maker.number(2) == 0, maker.number(2) == 0)
            let query = Knot.all.sorted { columns in
                let key =
                    isDescending ? term.column(columns).descending : term.column(columns).ascending
                return putsLast ? key.nullsLast : key.nullsFirst
            }.sorted { other.column($0).descending }
            func isBefore(_ left: Row, _ right: Row) -> Bool {
                switch (term.value(left), term.value(right)) {
                case (let left?, let right?) where left != right:
                    return isDescending ? left > right : left < right
                case (nil, .some): return !putsLast
                case (.some, nil): return putsLast
                default: break
                }
                let texts = (other.value(left), other.value(right))
                switch texts {
                case (let left?, let right?) where !left.utf8.elementsEqual(right.utf8):
                    return right.utf8.lexicographicallyPrecedes(left.utf8)
                case (nil, .some): return false
                case (.some, nil): return true
                default: return left.id < right.id
                }
            }
            let expected = world.rows.values.filter { !$0.isReference }.sorted(by: isBefore)
                .map(\.id)
            let text = "seed \(seed): \(term.text) \(other.text), \(world)"
            #expect(try store.fetch(query).map(\.id) == expected, "\(text)")
            var (paged, cursor): ([Int], QueryCursor?) = ([], nil)
            repeat {
                let page = try store.page(query, size: 2, after: cursor)
                paged += page.objects.map(\.id)
                cursor = page.next
            } while cursor != nil && paged.count < 100
            #expect(paged == expected, "\(text)")
        }
    }
}

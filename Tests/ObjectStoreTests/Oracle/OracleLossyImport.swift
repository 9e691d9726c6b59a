@testable import LarderObjectStore

/// Maps the elements of a list, each as a document of its own; those that don't fit are left out.
struct OracleLossyImport {
    private(set) var world: OracleWorld
    private(set) var report: [String: ImportReport.Counts] = [:]
    /// The objects that are there in the end, in order.
    private(set) var objects: [Int] = []
    /// The places in the list of what was left out, or has gone, in order.
    private(set) var skipped: [Int] = []

    init(of elements: [OracleJSON], as entity: String, in world: OracleWorld) {
        self.world = world
        var places: [Int: Int] = [:]
        for (index, element) in elements.enumerated() where element != .null {
            var rules = OracleImport(self.world)
            let mapped: Int?
            do {
                mapped = try Self.map(element, as: entity, by: &rules)
            } catch {
                skipped.append(index)
                continue
            }
            let there = objects.filter { self.world.objects[$0] != nil }
            self.world = rules.world
            add(rules.tally.report)
            guard let object = mapped else {
                // What it says is gone is in the list no more, which is no mistake of the list's.
                let gone = Set(there.filter { self.world.objects[$0] == nil })
                objects.removeAll(where: gone.contains)
                for object in gone { places[object] = nil }
                continue
            }
            if rules.world.objects[object] == nil { skipped.append(index) }
            if places[object] == nil {
                places[object] = index
                objects.append(object)
            }
        }
        for object in objects where self.world.objects[object] == nil {
            if let place = places[object], !skipped.contains(place) { skipped.append(place) }
        }
        skipped.sort()
        objects.removeAll { self.world.objects[$0] == nil }
    }

    /// The object that an element is; nil for one that says that it is gone.
    private static func map(
        _ element: OracleJSON, as entity: String, by rules: inout OracleImport
    ) throws -> Int? {
        if case .array = element { throw OracleRefusal("neither an object nor an identity") }
        return try rules.map(document: element, as: entity).first
    }

    private mutating func add(_ other: [String: ImportReport.Counts]) {
        for (name, counts) in other { report[name, default: .init()].add(counts) }
    }
}

extension ImportReport.Counts {
    fileprivate mutating func add(_ other: ImportReport.Counts) {
        inserted += other.inserted
        updated += other.updated
        unchanged += other.unchanged
        deleted += other.deleted
        linked += other.linked
        unlinked += other.unlinked
    }
}

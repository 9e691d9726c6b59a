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
            guard let object = try? Self.map(element, as: entity, by: &rules) else {
                skipped.append(index)
                continue
            }
            self.world = rules.world
            add(rules.tally.report)
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

    private static func map(
        _ element: OracleJSON, as entity: String, by rules: inout OracleImport
    ) throws -> Int {
        if case .array = element { throw OracleRefusal("neither an object nor an identity") }
        return try rules.map(document: element, as: entity)[0]
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

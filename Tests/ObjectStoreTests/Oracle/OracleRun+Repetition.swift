@testable import LarderObjectStore

extension OracleRun {
    /// Throws where a document that has just been inserted changes something when it comes again.
    ///
    /// Objects that nothing identifies are new each time they come, and where a document speaks of an
    /// object, or of a link, at two places, each may say something else: nothing is asked of those.
    func checkRepetition(
        of json: OracleJSON, as entity: String, by rules: OracleImport
    ) throws {
        // What is gone would come again, and go again.
        guard rules.tombstones.isEmpty else { return }
        let objects = rules.named
        let areIdentified = objects.allSatisfy { key in
            guard let object = world.objects[key] else { return false }
            return world.schema[object.entity].identity.contains { object.values[$0] != nil }
        }
        guard areIdentified, Set(objects).count == objects.count, !rules.saysLinksTwice else {
            return
        }
        let total: ImportReport.Counts
        do {
            total = try stored(json, as: entity).report.total
        } catch {
            throw OracleDisagreement("refused when it comes again: \(error)")
        }
        guard total.changes == 0 else {
            throw OracleDisagreement("inserted again it changes something: \(total)")
        }
    }
}

extension ImportReport.Counts {
    /// How much has become different.
    var changes: Int { inserted + updated + deleted + linked + unlinked }
}

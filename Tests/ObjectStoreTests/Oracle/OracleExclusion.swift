import Foundation

/// Rules that the store is known not to keep yet; programs that would show it are not made, or
/// not compared in that.
///
/// Each entry goes with the mending of what it stands for.
enum OracleExclusion: String, CaseIterable {
    /// An object that loses several links by one deletion counts as updated once a link.
    case lostLinks
    /// Links that one document makes twice, from either side, count twice in a family.
    case countedLinks

    /// Names the rules that are left out; all others are in force.
    ///
    /// `LARDER_ORACLE_EXCLUDE` names others, separated by commas; none where it is empty.
    static let current: Set<OracleExclusion> = {
        let names = ProcessInfo.processInfo.environment["LARDER_ORACLE_EXCLUDE"]
        let added = names?.split(separator: ",").compactMap {
            OracleExclusion(rawValue: String($0))
        }
        return added.map(Set.init) ?? Set(allCases)
    }()

    var isInForce: Bool { Self.current.contains(self) }
}

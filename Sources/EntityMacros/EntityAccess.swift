import SwiftSyntax

/// The access levels, in order.
enum EntityAccess: String, Comparable {
    case `private`, `fileprivate`, `internal`, `package`, `public`

    /// The level that the modifiers spell; nil: none.
    init?(_ modifiers: DeclModifierListSyntax) {
        let levels = modifiers.lazy.filter { $0.detail == nil }
            .compactMap { EntityAccess(rawValue: $0.name.text) }
        guard let level = levels.first else { return nil }
        self = level
    }

    /// The modifier that gives a member this level; what is internal or less follows the type.
    var memberModifier: String {
        self > .internal ? "\(rawValue) " : ""
    }

    static func < (left: EntityAccess, right: EntityAccess) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .private: 0
        case .fileprivate: 1
        case .internal: 2
        case .package: 3
        case .public: 4
        }
    }
}

import SwiftSyntax

/// A stored property of an entity, read from its declaration.
struct Property {
    /// The name as the declaration has it.
    let identifier: TokenSyntax
    let type: PropertyType
    /// The level of the property's column.
    let access: EntityAccess
    let markers: PropertyMarkers
    /// The default, as code.
    let defaultValue: String?

    /// The name without backticks.
    var name: String { identifier.plainText }

    /// The name as code has it, with backticks where it needs them.
    var code: String { identifier.text }

    /// The name as the label of an argument, where most keywords need no backticks and the compiler
    /// warns of those that are not needed.
    var label: String {
        let isWord =
            name.first?.isNumber == false
            && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        return isWord && name != "inout" ? name : code
    }

    /// The JSON key path; nil: not mapped.
    func keyPath(snakeCase: Bool) -> String? {
        switch markers.key {
        case .derived: snakeCase ? SnakeCase(name).text : name
        case .path(let path, _): path
        case .unmapped: nil
        }
    }

    /// The node that spells the key path: the marker's argument, else the name.
    var keyPathNode: Syntax {
        if case .path(_, let node) = markers.key { Syntax(node) } else { Syntax(identifier) }
    }
}

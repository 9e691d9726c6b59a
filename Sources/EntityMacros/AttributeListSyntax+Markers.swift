import SwiftSyntax

extension AttributeListSyntax {
    /// The attributes of the given name, also where it is qualified by the library's.
    func named(_ name: String) -> [AttributeSyntax] {
        compactMap { element in
            guard case .attribute(let attribute) = element,
                NamedType(attribute.attributeName)?.isLarder(name) == true
            else { return nil }
            return attribute
        }
    }
}

extension AttributeSyntax {
    /// The arguments in parentheses, none where there are no parentheses.
    var labeledArguments: [LabeledExprSyntax] {
        guard case .argumentList(let list) = arguments else { return [] }
        return Array(list)
    }
}

import SwiftSyntax

/// A member of `Entity` that the macro leaves out where the struct has it already.
enum HandwrittenMember: Hashable {
    case entityName, parentType, inheritedProperties, entityDescription, columns, objectID
    case initializer, writer

    /// All that stand among the members of a struct.
    static func all(in members: MemberBlockItemListSyntax) -> Set<HandwrittenMember> {
        Set(members.flatMap { all(in: $0.decl) })
    }

    private static func all(in member: DeclSyntax) -> [HandwrittenMember] {
        if let initializer = member.as(InitializerDeclSyntax.self) {
            let parameter = initializer.signature.parameterClause.parameters.only(labeled: "row")
            guard let parameter else { return [] }
            return NamedType(parameter.type)?.isLarder("EntityRow") == true ? [.initializer] : []
        }
        if let function = member.as(FunctionDeclSyntax.self) {
            let parameter = function.signature.parameterClause.parameters.only(labeled: "to")
            guard function.name.text == "write",
                let type = parameter?.type.as(AttributedTypeSyntax.self)
            else { return [] }
            return NamedType(type.baseType)?.isLarder("EntityValues") == true ? [.writer] : []
        }
        if let variable = member.as(VariableDeclSyntax.self) {
            guard variable.isStatic else { return [] }
            return variable.bindings.compactMap { binding in
                switch binding.pattern.trimmedDescription {
                case "entityName": .entityName
                case "entityDescription": .entityDescription
                case "parentType": .parentType
                case "inheritedProperties": .inheritedProperties
                default: nil
                }
            }
        }
        let name = member.asProtocol((any NamedDeclSyntax).self)?.name.text
        return switch name {
        case "Columns": [.columns]
        case "ObjectID": [.objectID]
        default: []
        }
    }
}

extension FunctionParameterListSyntax {
    /// The parameter, where there is one alone and it has this label.
    fileprivate func only(labeled label: String) -> FunctionParameterSyntax? {
        guard let first, count == 1, first.firstName.text == label else { return nil }
        return first
    }
}

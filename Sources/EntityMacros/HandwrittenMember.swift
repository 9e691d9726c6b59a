import SwiftSyntax

/// A member of `Entity` that the macro leaves out where the struct has it already.
enum HandwrittenMember: Hashable {
    case entityName, parentType, inheritedProperties, entityDescription, columns
    case initializer, writer

    /// All that stand among the members of a struct.
    static func all(in members: MemberBlockItemListSyntax) -> Set<HandwrittenMember> {
        Set(members.flatMap { all(in: $0.decl) })
    }

    private static func all(in member: DeclSyntax) -> [HandwrittenMember] {
        if let initializer = member.as(InitializerDeclSyntax.self) {
            let labels = initializer.signature.parameterClause.parameters.map(\.firstName.text)
            return labels == ["row"] ? [.initializer] : []
        }
        if let function = member.as(FunctionDeclSyntax.self) {
            let labels = function.signature.parameterClause.parameters.map(\.firstName.text)
            return function.name.text == "write" && labels == ["to"] ? [.writer] : []
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
        return name == "Columns" ? [.columns] : []
    }
}

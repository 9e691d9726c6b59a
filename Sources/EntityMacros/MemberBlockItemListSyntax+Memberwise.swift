import SwiftSyntax

extension MemberBlockItemListSyntax {
    /// Whether a struct with these members surely has the memberwise initializer, with a parameter
    /// of the property's own type for each stored property.
    ///
    /// An initializer among the members takes its place, and a property wrapper may change a
    /// parameter's type.
    var leaveMemberwiseInitializer: Bool {
        allSatisfy { member in
            if member.decl.is(InitializerDeclSyntax.self) { return false }
            if let variable = member.decl.as(VariableDeclSyntax.self) {
                return variable.isStatic || variable.attributes.areMarkers
            }
            guard let condition = member.decl.as(IfConfigDeclSyntax.self) else { return true }
            return condition.clauses.allSatisfy { clause in
                guard case .decls(let members) = clause.elements else { return true }
                return members.leaveMemberwiseInitializer
            }
        }
    }
}

extension AttributeListSyntax {
    /// Whether these are nothing but markers of an entity's properties.
    fileprivate var areMarkers: Bool {
        let markers = ["Identity", "Attribute", "Relationship", "Inherited"]
        let count = markers.reduce(0) { $0 + named($1).count }
        return count == self.count
    }
}

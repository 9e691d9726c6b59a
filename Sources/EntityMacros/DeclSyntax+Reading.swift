import SwiftSyntax
import SwiftSyntaxBuilder

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

extension DeclSyntax {
    /// A declaration of which only the compiler has to know what it says.
    ///
    /// Parsing what is printed at once would take most of the time that an expansion takes.
    init(unparsed code: String) {
        self.init(MissingDeclSyntax(placeholder: .identifier(code)))
    }
}

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

extension StringLiteralExprSyntax {
    /// The text between the quotes; nil where it has an interpolation or an escape.
    var plainText: String? {
        guard segments.count == 1, case .stringSegment(let segment) = segments.first,
            !segment.content.text.contains("\\")
        else { return nil }
        return segment.content.text
    }

    /// Whether the text is known when the code is compiled.
    var isConstant: Bool {
        segments.allSatisfy { $0.is(StringSegmentSyntax.self) }
    }
}

extension TokenSyntax {
    /// The text of a name without the backticks around it.
    var plainText: String { identifier?.name ?? text }
}

extension VariableDeclSyntax {
    /// Whether the property belongs to the type instead of its values.
    var isStatic: Bool {
        modifiers.contains { ["static", "class"].contains($0.name.text) }
    }
}

extension PatternBindingSyntax {
    /// Whether the binding has storage: it has no accessors, or observers only.
    var isStored: Bool {
        switch accessorBlock?.accessors {
        case nil:
            true
        case .getter:
            false
        case .accessors(let accessors):
            accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
        }
    }

    /// The type that the initial value seems to have, else a placeholder.
    var likelyType: TypeSyntax {
        var value = initializer?.value
        if let call = value?.as(FunctionCallExprSyntax.self) { value = call.calledExpression }
        if let access = value?.as(MemberAccessExprSyntax.self) { value = access.base }
        let text = value?.trimmedDescription ?? ""
        guard value?.is(DeclReferenceExprSyntax.self) == true, text.first?.isUppercase == true
        else { return TypeSyntax(IdentifierTypeSyntax(name: .identifier("<#Type#>"))) }
        return "\(raw: text)"
    }
}

extension String {
    /// The text as a Swift string literal.
    var swiftLiteral: String {
        "\"" + replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}

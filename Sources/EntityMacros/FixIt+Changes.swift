import SwiftDiagnostics
import SwiftSyntax

extension FixIt {
    /// The title of a proposed change.
    private struct Title: FixItMessage {
        let message: String
        var fixItID: MessageID { MessageID(domain: "LarderEntityMacros", id: message) }
    }

    /// Puts `new` in the place of `old`, with the space around it.
    static func replace(
        _ old: some SyntaxProtocol, by new: some SyntaxProtocol, _ title: String
    ) -> FixIt {
        var new = Syntax(new)
        new.leadingTrivia = old.leadingTrivia
        new.trailingTrivia = old.trailingTrivia
        return FixIt(
            message: Title(message: title),
            changes: [.replace(oldNode: Syntax(old), newNode: new)])
    }

    /// Takes an attribute away from the property it stands on.
    static func remove(_ attribute: AttributeSyntax, _ title: String) -> [FixIt] {
        guard let property = attribute.property else { return [] }
        var changed = property
        changed.attributes = property.attributes.filter { $0.id != attribute.id }
        return [.replace(property, by: changed, title)]
    }

    /// Takes a modifier away from a property.
    static func remove(
        _ modifier: DeclModifierSyntax, of property: VariableDeclSyntax, _ title: String
    ) -> FixIt {
        var changed = property
        changed.modifiers = property.modifiers.filter { $0.id != modifier.id }
        return .replace(property, by: changed, title)
    }
}

extension AttributeSyntax {
    /// The property that the attribute stands on.
    fileprivate var property: VariableDeclSyntax? {
        parent?.as(AttributeListSyntax.self)?.parent?.as(VariableDeclSyntax.self)
    }
}

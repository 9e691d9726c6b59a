import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Writes what `Entity` asks for.
///
/// The description and the columns become members of the struct, where the types of its properties
/// mean what they mean to the properties. The initializer stands in an extension, so that the
/// struct keeps its memberwise one.
enum EntityMacro {
    static let formatMode = FormatMode.disabled
}

extension EntityMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        var problems = Problems()
        let entity = EntityDeclaration(
            declaration, attribute: node, lexicalContext: context.lexicalContext,
            problems: &problems)
        problems.diagnostics.forEach(context.diagnose)
        guard let entity else { return [] }
        let expansion = EntityExpansion(entity: entity)
        let members: [(HandwrittenMember, String?)] = [
            (.entityName, expansion.name),
            (.parentType, expansion.parentType),
            (.inheritedProperties, expansion.inheritedProperties),
            (.entityDescription, expansion.description),
            (.columns, expansion.columns),
            (.objectID, expansion.objectID),
        ]
        return members.filter { !entity.handwritten.contains($0.0) }
            .compactMap { $0.1.map(DeclSyntax.init(unparsed:)) }
    }
}

extension EntityMacro: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        // The members' expansion reports the problems.
        var problems = Problems()
        guard
            let entity = EntityDeclaration(
                declaration, attribute: node, lexicalContext: context.lexicalContext,
                problems: &problems)
        else { return [] }
        // Both are named although one implies the other: a closure that mentions a static member of
        // the type is checked before the conformance to the implied one is known.
        let missing = protocols.map { $0.trimmedDescription.split(separator: ".").last ?? "" }
        let conformances = missing.map { "nonisolated LarderObjectStore.\($0)" }
        let expansion = EntityExpansion(entity: entity)
        let members: [(HandwrittenMember, String)] = [
            (.initializer, expansion.initializer), (.writer, expansion.writer),
        ]
        let body = members.filter { !entity.handwritten.contains($0.0) }
            .map { "\n" + $0.1.indented + "\n" }
        return [extending(type, by: conformances.joined(separator: ", "), body: body.joined())]
    }

    /// An extension of which the compiler alone reads what it says.
    private static func extending(
        _ type: some TypeSyntaxProtocol, by conformances: String, body: String
    ) -> ExtensionDeclSyntax {
        let clause = conformances.isEmpty ? "" : ": \(conformances)"
        let head = IdentifierTypeSyntax(
            name: .identifier("\(type.trimmedDescription)\(clause)", trailingTrivia: .space))
        let member = MemberBlockItemSyntax(decl: DeclSyntax(unparsed: body))
        return ExtensionDeclSyntax(
            extensionKeyword: .keyword(.extension, trailingTrivia: .space),
            extendedType: TypeSyntax(head),
            memberBlock: MemberBlockSyntax(members: body.isEmpty ? [] : [member]))
    }
}

extension String {
    /// The lines, one step further in.
    fileprivate var indented: String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    \($0)" }
            .joined(separator: "\n")
    }
}

import SwiftDiagnostics
import SwiftSyntax

/// A struct marked `@Entity`, read and checked.
struct EntityDeclaration {
    let structName: TokenSyntax
    let arguments: EntityArguments
    let properties: [Property]
    /// The level of the members that the macro writes.
    let access: EntityAccess
    /// The members the macro would write that the struct has already.
    let handwritten: Set<HandwrittenMember>
    /// Whether the struct has the initializer that sets all its properties.
    let hasMemberwiseInitializer: Bool

    /// Reads a declaration; nil where `problems` tells why it cannot be an entity.
    init?(
        _ declaration: some DeclGroupSyntax, attribute: AttributeSyntax, lexicalContext: [Syntax],
        problems: inout Problems
    ) {
        guard let structure = declaration.as(StructDeclSyntax.self) else {
            EntityDeclaration.reject(declaration, attribute, &problems)
            return nil
        }
        structName = structure.name
        if structure.attributes.named("Entity").count > 1 {
            problems.report(.repeatedMarker(structName.plainText, "Entity"), at: attribute)
        }
        EntityDeclaration.checkGenerics(structure, lexicalContext, &problems)
        EntityDeclaration.checkAccess(structure, lexicalContext, &problems)
        arguments = EntityArguments(attribute, structName: structName, problems: &problems)
        let reader = PropertyReader(
            structure.memberBlock.members, hasParent: arguments.parent != nil)
        problems.append(reader.problems)
        properties = reader.properties
        if properties.isEmpty, problems.isEmpty, arguments.parent == nil {
            problems.report(.noStoredProperty(structName.plainText), at: structName)
        }
        let surroundings = lexicalContext.first?.as(ExtensionDeclSyntax.self)
        access =
            EntityAccess(structure.modifiers)
            ?? surroundings.flatMap { EntityAccess($0.modifiers) } ?? .internal
        handwritten = HandwrittenMember.all(in: structure.memberBlock.members)
        hasMemberwiseInitializer = structure.memberBlock.members.leaveMemberwiseInitializer
        EntityDeclaration.checkColumns(structure, &problems)
        checkKeyPaths(structure, &problems)
        checkIdentity(&problems)
        checkFetchedAt(&problems)
        guard problems.isEmpty else { return nil }
    }

    /// The properties that are not the parent's.
    var ownProperties: [Property] { properties.filter { !$0.markers.isInherited } }

    var inheritedProperties: [Property] { properties.filter(\.markers.isInherited) }

    var ownAttributes: [Property] { ownProperties.filter { $0.type.kind == .attribute } }

    var ownRelationships: [Property] { ownProperties.filter { $0.type.kind != .attribute } }

    // MARK: Checks

    private static func reject(
        _ declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax,
        _ problems: inout Problems
    ) {
        let introducer = declaration.introducer
        let name =
            declaration.asProtocol((any NamedDeclSyntax).self)?.name.plainText
            ?? declaration.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
        let keyword = introducer.text
        let article = ["a", "e"].contains(keyword.prefix(1)) ? "an" : "a"
        let fixIts: [FixIt] =
            ["class", "actor"].contains(keyword)
            ? [.replace(introducer, by: TokenSyntax.keyword(.struct), "make it a struct")] : []
        problems.report(
            .notAStruct(name ?? "this", "\(article) \(keyword)"), at: introducer, fixIts: fixIts)
    }

    private static func checkGenerics(
        _ structure: StructDeclSyntax, _ lexicalContext: [Syntax], _ problems: inout Problems
    ) {
        let name = structure.name.plainText
        if let parameters = structure.genericParameterClause {
            problems.report(.generic(name), at: parameters)
        }
        for outer in lexicalContext {
            let generic = outer.asProtocol((any WithGenericParametersSyntax).self)
            guard generic?.genericParameterClause != nil else { continue }
            let outerName = outer.asProtocol((any NamedDeclSyntax).self)?.name.plainText ?? ""
            problems.report(.insideGeneric(name, outerName), at: structure.name)
        }
    }

    /// An enum of that name would be taken for the columns, which none can be.
    private static func checkColumns(_ structure: StructDeclSyntax, _ problems: inout Problems) {
        for member in structure.memberBlock.members {
            guard let type = member.decl.as(EnumDeclSyntax.self), type.name.text == "Columns"
            else { continue }
            problems.report(.columnsNotStruct(structure.name.plainText), at: type.name)
        }
    }

    /// The conformance stands in an extension outside of all types.
    private static func checkAccess(
        _ structure: StructDeclSyntax, _ lexicalContext: [Syntax], _ problems: inout Problems
    ) {
        let modifier = structure.modifiers.first { $0.name.tokenKind == .keyword(.private) }
        guard let modifier, !lexicalContext.isEmpty else { return }
        problems.report(
            .privateInside(structure.name.plainText), at: modifier,
            fixIts: [
                .replace(modifier.name, by: TokenSyntax.keyword(.fileprivate), "use 'fileprivate'")
            ])
    }

    /// A type of that name elsewhere is hidden by the one that is written.
    private func checkIdentity(_ problems: inout Problems) {
        guard !handwritten.contains(.objectID) else { return }
        for property in ownProperties where property.markers.isIdentity {
            guard let type = NamedType(property.type.core), type.name == "ObjectID",
                type.qualifiers.isEmpty
            else { continue }
            problems.report(.hiddenIdentity(property.name), at: property.identifier)
        }
    }

    private func checkFetchedAt(_ problems: inout Problems) {
        guard let argument = arguments.fetchedAt,
            properties.contains(where: { $0.name == "fetchedAt" })
        else { return }
        problems.report(.fetchedAtProperty(structName.plainText), at: argument)
    }

    private func checkKeyPaths(_ structure: StructDeclSyntax, _ problems: inout Problems) {
        var readers: [String: String] = [:]
        for property in ownProperties {
            guard let path = property.keyPath(snakeCase: arguments.usesSnakeCase) else { continue }
            if let other = readers[path] {
                problems.report(
                    .duplicateKeyPath(property.name, other, path), at: property.keyPathNode)
            } else {
                readers[path] = property.name
            }
        }
    }
}

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

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// Reads the stored properties of a struct, and reports those that an entity cannot have.
struct PropertyReader {
    private(set) var properties: [Property] = []
    private(set) var problems = Problems()

    /// The types that the struct declares.
    private let ownTypes: Set<String>
    /// The types that only the struct itself can see.
    private let privateTypes: Set<String>
    /// Whether the entity has a parent to inherit properties from.
    private let hasParent: Bool

    init(_ members: MemberBlockItemListSyntax, hasParent: Bool) {
        self.hasParent = hasParent
        ownTypes = PropertyReader.types(among: members)
        privateTypes = PropertyReader.privateTypes(among: members)
        for member in members {
            if let variable = member.decl.as(VariableDeclSyntax.self) {
                read(variable)
            } else if let condition = member.decl.as(IfConfigDeclSyntax.self) {
                reject(condition)
            }
        }
    }

    // MARK: Declarations

    private mutating func read(_ variable: VariableDeclSyntax) {
        guard !variable.isStatic else { return }
        // In `var a, b: Int` the type at the end is that of both.
        var annotations: [TypeSyntax?] = []
        var following: TypeSyntax?
        for binding in variable.bindings.reversed() {
            if let annotation = binding.typeAnnotation?.type {
                following = annotation
            } else if binding.initializer != nil {
                following = nil
            }
            annotations.insert(following, at: 0)
        }
        for (binding, annotation) in zip(variable.bindings, annotations) where binding.isStored {
            guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
                problems.report(.tuplePattern, at: binding.pattern)
                continue
            }
            read(pattern.identifier, binding, of: variable, annotation: annotation)
        }
    }

    private mutating func read(
        _ identifier: TokenSyntax, _ binding: PatternBindingSyntax, of variable: VariableDeclSyntax,
        annotation: TypeSyntax?
    ) {
        let name = identifier.plainText
        checkModifiers(of: variable, name)
        checkConstant(variable, binding, name)
        let value = binding.initializer.map { DefaultArgument($0.value) }
        guard let type = type(annotation, value, binding, name) else { return }
        let markers = PropertyMarkers(
            variable.attributes, of: identifier, type: type, hasParent: hasParent,
            problems: &problems)
        checkDefault(value, binding, of: name, type, isInherited: markers.isInherited)
        properties.append(
            Property(
                identifier: identifier,
                type: type,
                access: access(of: variable, type),
                markers: markers,
                defaultValue: value?.expression(for: type.core)))
    }

    // MARK: Parts

    private mutating func type(
        _ annotation: TypeSyntax?, _ value: DefaultArgument?, _ binding: PatternBindingSyntax,
        _ name: String
    ) -> PropertyType? {
        if let annotation {
            do throws(PropertyType.Refusal) {
                return try PropertyType(annotation, of: name, ownTypes: ownTypes)
            } catch {
                let fixIts = error.replacement.map {
                    FixIt.replace(annotation, by: $0, "use '\($0.trimmedDescription)'")
                }
                problems.report(error.message, at: annotation, fixIts: fixIts.map { [$0] } ?? [])
                return nil
            }
        }
        if case .literal(_, let type) = value {
            return try? PropertyType(type, of: name)
        }
        var changed = binding
        let type = TypeAnnotationSyntax(
            colon: .colonToken(trailingTrivia: .space), type: binding.likelyType)
        changed.pattern.trailingTrivia = []
        changed.typeAnnotation = type.with(\.trailingTrivia, .space)
        problems.report(
            .missingType(name), at: binding.pattern,
            fixIts: [.replace(binding, by: changed, "add a type annotation")])
        return nil
    }

    private mutating func checkDefault(
        _ value: DefaultArgument?, _ binding: PatternBindingSyntax, of name: String,
        _ type: PropertyType, isInherited: Bool
    ) {
        guard let value, let initializer = binding.initializer, type.kind == .attribute else {
            return
        }
        if case .empty = value { return }
        let message: EntityDiagnostic
        if isInherited {
            message = .inheritedDefault(name)
        } else if type.isJSON {
            message = .jsonDefault(name)
        } else if case .computed = value {
            message = .computedDefault(name)
        } else {
            return
        }
        var changed = binding
        changed.initializer = nil
        changed.typeAnnotation?.type.trailingTrivia = []
        problems.report(
            message, at: initializer.value,
            fixIts: binding.typeAnnotation == nil
                ? [] : [.replace(binding, by: changed, "remove the default")])
    }

    private mutating func checkModifiers(of variable: VariableDeclSyntax, _ name: String) {
        for modifier in variable.modifiers
        where ["lazy", "weak", "unowned"].contains(modifier.name.text) {
            problems.report(
                .modifier(name, modifier.name.text), at: modifier,
                fixIts: [
                    .remove(modifier, of: variable, "remove '\(modifier.trimmedDescription)'")
                ])
        }
    }

    private mutating func checkConstant(
        _ variable: VariableDeclSyntax, _ binding: PatternBindingSyntax, _ name: String
    ) {
        guard variable.bindingSpecifier.tokenKind == .keyword(.let), binding.initializer != nil
        else { return }
        var shared = variable
        shared.leadingTrivia = []
        shared.modifiers.append(
            DeclModifierSyntax(name: .keyword(.static), trailingTrivia: .space))
        problems.report(
            .constantWithValue(name), at: variable.bindingSpecifier,
            fixIts: [
                .replace(
                    variable.bindingSpecifier, by: TokenSyntax.keyword(.var), "make it a 'var'"),
                .replace(variable, by: shared, "make it 'static'"),
            ])
    }

    /// The level of the property's column, which no type in its spelling may be narrower than.
    private func access(of variable: VariableDeclSyntax, _ type: PropertyType) -> EntityAccess {
        let access = EntityAccess(variable.modifiers) ?? .internal
        guard access == .private else { return access }
        let names = type.spelling.tokens(viewMode: .sourceAccurate).map(\.plainText)
        return privateTypes.isDisjoint(with: names) ? .fileprivate : .private
    }

    private mutating func reject(_ condition: IfConfigDeclSyntax) {
        for clause in condition.clauses {
            guard case .decls(let members) = clause.elements else { continue }
            for member in members {
                guard let variable = member.decl.as(VariableDeclSyntax.self) else { continue }
                if !variable.isStatic, variable.bindings.contains(where: \.isStored) {
                    problems.report(.conditionalProperty, at: variable)
                }
            }
        }
    }

    private static func types(among members: MemberBlockItemListSyntax) -> Set<String> {
        Set(
            members.compactMap { member in
                if member.decl.is(FunctionDeclSyntax.self) { return nil }
                return member.decl.asProtocol((any NamedDeclSyntax).self)?.name.plainText
            })
    }

    private static func privateTypes(among members: MemberBlockItemListSyntax) -> Set<String> {
        let names = members.lazy.compactMap { member -> String? in
            let modifiers = member.decl.asProtocol((any WithModifiersSyntax).self)?.modifiers
            guard modifiers.flatMap(EntityAccess.init) == .private else { return nil }
            return member.decl.asProtocol((any NamedDeclSyntax).self)?.name.plainText
        }
        return Set(names)
    }
}

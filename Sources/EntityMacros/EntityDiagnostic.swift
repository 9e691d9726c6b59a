import SwiftDiagnostics
import SwiftSyntax

/// A message about a use of `@Entity` or its markers that cannot be expanded.
struct EntityDiagnostic: DiagnosticMessage {
    let diagnosticID: MessageID
    let message: String
    let severity = DiagnosticSeverity.error

    private init(_ message: String, id: String = #function) {
        let name = id.prefix { $0 != "(" }
        diagnosticID = MessageID(domain: "LarderEntityMacros", id: String(name))
        self.message = message
    }
}

// MARK: - The declaration

extension EntityDiagnostic {
    static func notAStruct(_ name: String, _ kind: String) -> Self {
        .init("'@Entity' applies to a struct; '\(name)' is \(kind)")
    }

    static func generic(_ name: String) -> Self {
        .init("an entity describes one table, so '\(name)' cannot be generic")
    }

    static func insideGeneric(_ name: String, _ outer: String) -> Self {
        .init("entity '\(name)' cannot be nested in '\(outer)', which is generic")
    }

    static func privateInside(_ name: String) -> Self {
        .init("entity '\(name)' is nested, so 'private' hides it from its own conformance")
    }

    static func noStoredProperty(_ name: String) -> Self {
        .init("entity '\(name)' has no stored property, so there is nothing to store")
    }

    static var conditionalProperty: Self {
        .init("'@Entity' cannot see stored properties inside '#if'")
    }

    static func columnsNotStruct(_ name: String) -> Self {
        .init(
            "'Columns' is what conditions on '\(name)' are made of, so an enum needs another name")
    }

    static var nameNotLiteral: Self {
        .init("the name of an entity must be a plain string literal that is not empty")
    }

    static var keysNotLiteral: Self {
        .init("'keys' must be spelled '.verbatim' or '.snakeCase'")
    }

    static var fetchedAtNotLiteral: Self {
        .init("'fetchedAt' must be spelled 'true' or 'false'")
    }

    static func fetchedAtProperty(_ name: String) -> Self {
        .init("'\(name)' has a property 'fetchedAt', the name that queries have for a column of it")
    }

    static var parentNotType: Self {
        .init("'parent' must be spelled as a type, such as 'Message.self'")
    }

    static func parentOfItself(_ name: String) -> Self {
        .init("entity '\(name)' cannot inherit from itself")
    }
}

// MARK: - Properties

extension EntityDiagnostic {
    static var tuplePattern: Self {
        .init("'@Entity' cannot take properties apart from a tuple; declare them one by one")
    }

    static func modifier(_ name: String, _ modifier: String) -> Self {
        .init("'\(name)' is '\(modifier)'; an entity holds plain values")
    }

    static func unknownAttribute(_ name: String, _ attribute: String) -> Self {
        .init(
            "'\(attribute)' on '\(name)' is not known to '@Entity', which must know how the property "
                + "is stored")
    }

    static func conditionalAttribute(_ name: String) -> Self {
        .init("'@Entity' cannot see the attributes of '\(name)' inside '#if'")
    }

    static func constantWithValue(_ name: String) -> Self {
        .init("'\(name)' always has the same value, so it cannot be read from the store")
    }

    static func missingType(_ name: String) -> Self {
        .init("'\(name)' needs a type annotation; '@Entity' sees the type of literals only")
    }

    static func computedDefault(_ name: String) -> Self {
        .init(
            "the default of '\(name)' is part of the model, so it must be a literal or a named "
                + "constant")
    }

    static func jsonDefault(_ name: String) -> Self {
        .init("'\(name)' is kept as JSON, which has no default in the model")
    }

    static func implicitlyUnwrapped(_ name: String) -> Self {
        .init("'\(name)' is implicitly unwrapped; an entity's optional is spelled with '?'")
    }

    static func doubleOptional(_ name: String) -> Self {
        .init("'\(name)' is optional twice, but the store knows one kind of nothing")
    }

    static func optionalMany(_ name: String) -> Self {
        .init("'\(name)' cannot be optional; a 'Many' without links is empty")
    }

    static func hiddenIdentity(_ name: String) -> Self {
        .init(
            "'ObjectID' is the entity's own here; spell the type of '\(name)' with its module, such as "
                + "'App.ObjectID'")
    }

    static func unsupportedType(_ name: String, _ type: TypeSyntax, advice: String) -> Self {
        .init("'\(name)' cannot be of type '\(type.trimmedDescription)'; \(advice)")
    }
}

// MARK: - Markers

extension EntityDiagnostic {
    static func notAStoredProperty(_ marker: String) -> Self {
        .init("'@\(marker)' applies to a stored property of an entity")
    }

    static func outsideEntity(_ marker: String) -> Self {
        .init("'@\(marker)' has no meaning outside a struct marked '@Entity'")
    }

    static func repeatedMarker(_ name: String, _ marker: String) -> Self {
        .init("'\(name)' has more than one '@\(marker)'")
    }

    static func attributeOnRelationship(_ name: String) -> Self {
        .init("'\(name)' is a relationship; '@Attribute' applies to attributes")
    }

    static func relationshipOnAttribute(_ name: String, _ elements: TypeSyntax? = nil) -> Self {
        let example = elements.map { ", such as 'Many<\($0.trimmedDescription)>'" } ?? ""
        return .init(
            "'\(name)' is an attribute; '@Relationship' applies to 'One' and 'Many'\(example)")
    }

    static func identityOnRelationship(_ name: String) -> Self {
        .init("'\(name)' is a relationship; an object is identified by its attributes")
    }

    static func inheritedWithoutParent(_ name: String) -> Self {
        .init("'\(name)' has nothing to be inherited from; name a 'parent' in '@Entity'")
    }

    static func inheritedMarker(_ name: String, _ marker: String) -> Self {
        .init("'\(name)' is inherited with all that is said of it; '@\(marker)' is the parent's")
    }

    static func inheritedDefault(_ name: String) -> Self {
        .init("'\(name)' is inherited, and its default is the parent's")
    }

    static func toManyOnly(_ name: String, _ label: String) -> Self {
        .init("'\(label)' applies to a 'Many'; '\(name)' links to one object")
    }

    static var keyNotLiteral: Self {
        .init("a key path must be a plain string literal")
    }

    static func keyPathStep(_ path: String) -> Self {
        .init("the key path \"\(path)\" has an empty step")
    }

    static func mappedNotLiteral(_ name: String) -> Self {
        .init("'mapped' of '\(name)' must be spelled 'true' or 'false'")
    }

    static func keyWithoutMapping(_ name: String) -> Self {
        .init("'\(name)' has a key path, but 'mapped: false' keeps it out of the JSON")
    }

    static func duplicateKeyPath(_ name: String, _ other: String, _ path: String) -> Self {
        .init("'\(name)' and '\(other)' are both read from the key path \"\(path)\"")
    }
}

/// The diagnostics of an entity, in the order of the source.
struct Problems {
    private(set) var diagnostics: [Diagnostic] = []

    var isEmpty: Bool { diagnostics.isEmpty }

    mutating func report(
        _ message: EntityDiagnostic, at node: some SyntaxProtocol, fixIts: [FixIt] = []
    ) {
        diagnostics.append(Diagnostic(node: node, message: message, fixIts: fixIts))
    }

    mutating func append(_ others: Problems) {
        diagnostics += others.diagnostics
    }
}

import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import LarderEntityMacros

private let macros: [String: MacroSpec] = [
    "Entity": MacroSpec(
        type: EntityMacro.self,
        conformances: ["Importable", "Entity"].map {
            TypeSyntax(IdentifierTypeSyntax(name: .identifier($0)))
        }),
    "Identity": MacroSpec(type: IdentityMacro.self),
    "Attribute": MacroSpec(type: AttributeMacro.self),
    "Relationship": MacroSpec(type: RelationshipMacro.self),
    "Inherited": MacroSpec(type: InheritedMacro.self),
]

/// Expects that source expands to exactly this, without a diagnostic.
func expectExpansion(
    _ source: String, _ expanded: String, location: Testing.SourceLocation = #_sourceLocation
) {
    assertMacroExpansion(
        source, expandedSource: expanded, macroSpecs: macros,
        failureHandler: { Issue.record("\($0.message)", sourceLocation: location) })
}

/// Expects that properties are described by these calls, without a diagnostic.
///
/// A call is given without its type's name and its parentheses.
func expectDescriptions(
    of properties: String, keys: String? = nil, attributes: [String] = [],
    relationships: [String] = [], location: Testing.SourceLocation = #_sourceLocation
) {
    func list(_ type: String, _ calls: [String]) -> String {
        let lines = calls.map { "            LarderObjectStore.\(type)(\($0)),\n" }
        return lines.isEmpty ? "[]" : "[\n\(lines.joined())        ]"
    }
    let handwritten = """
        static let entityName = "Thing"
            struct Columns {}; typealias ObjectID = Int
            init(row: EntityRow) {}
            func write(to values: inout EntityValues) {}
        """
    let markers = /@(Identity|Attribute|Relationship|Inherited)(\([^()]*\))?[ ]/
    expectExpansion(
        """
        @Entity\(keys.map { "(keys: \($0))" } ?? "") struct Thing {
            \(properties)
            \(handwritten)
        }
        """,
        """
        struct Thing {
            \(properties.replacing(markers, with: ""))
            \(handwritten)

            nonisolated static let entityDescription = LarderObjectStore.EntityDescription(
                name: Self.entityName,
                identity: [],
                attributes: \(list("AttributeDescription", attributes)),
                relationships: \(list("RelationshipDescription", relationships))
            )
        }

        extension Thing: nonisolated LarderObjectStore.Importable, nonisolated LarderObjectStore.Entity {}
        """, location: location)
}

/// Expects that source is refused with these messages, that nothing is written, and that each
/// fix-it is offered and turns the source into the text beside its title.
///
/// Markers in `source` stand on the line of what they mark; `marker` is one with parentheses in
/// its arguments.
func expectRefusal(
    _ source: String, marker: String = "", _ refusals: Refusal...,
    location: Testing.SourceLocation = #_sourceLocation
) {
    let markers = /@(Entity|Identity|Attribute|Relationship|Inherited)(\([^()]*\))?[ ]*/
    let bare = source.replacing(marker, with: "").replacing(markers, with: "")
    let diagnostics = refusals.map { refusal in
        DiagnosticSpec(
            message: refusal.message, line: refusal.line, column: refusal.column,
            fixIts: refusal.fixes.map { FixItSpec(message: $0.key) })
    }
    assertMacroExpansion(
        source, expandedSource: bare, diagnostics: diagnostics, macroSpecs: macros,
        failureHandler: { Issue.record("\($0.message)", sourceLocation: location) })
    for (title, fixed) in refusals.flatMap(\.fixes) {
        assertMacroExpansion(
            source, expandedSource: bare, diagnostics: diagnostics, macroSpecs: macros,
            applyFixIts: [title], fixedSource: fixed,
            failureHandler: { Issue.record("\($0.message)", sourceLocation: location) })
    }
}

/// A diagnostic that a test expects.
struct Refusal {
    let message: String
    let line: Int
    let column: Int
    /// The titles of the fix-its in their order, and the source that each leads to.
    let fixes: KeyValuePairs<String, String>

    static func at(
        _ line: Int, _ column: Int, _ message: String, fixes: KeyValuePairs<String, String> = [:]
    ) -> Refusal {
        Refusal(message: message, line: line, column: column, fixes: fixes)
    }
}

/// Expects that a property can't be of a type, and what is offered in its place.
func expectUnsupported(
    _ type: String, _ message: String, replacement: String? = nil,
    location: Testing.SourceLocation = #_sourceLocation
) {
    func source(_ type: String) -> String {
        """
        @Entity struct Thing {
            var x: \(type)
        }
        """
    }
    let fixes: KeyValuePairs =
        replacement.map { ["use '\($0)'": source($0)] } ?? [:] as KeyValuePairs<String, String>
    expectRefusal(source(type), .at(2, 12, message, fixes: fixes), location: location)
}

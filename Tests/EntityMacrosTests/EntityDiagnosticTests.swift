import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import Testing

@testable import LarderEntityMacros

@Suite struct EntityDiagnosticTests {
    static let all: [EntityDiagnostic] = [
        .notAStruct("A", "a class"), .generic("A"), .insideGeneric("A", "B"), .privateInside("A"),
        .noStoredProperty("A"), .conditionalProperty, .nameNotLiteral, .keysNotLiteral,
        .tuplePattern, .modifier("a", "lazy"), .unknownAttribute("a", "@B"),
        .constantWithValue("a"), .missingType("a"), .computedDefault("a"),
        .implicitlyUnwrapped("a"), .doubleOptional("a"), .optionalMany("a"),
        .unsupportedType("a", "[Int]", advice: "b"), .notAStoredProperty("A"),
        .outsideEntity("A"), .repeatedMarker("a", "B"), .attributeOnRelationship("a"),
        .relationshipOnAttribute("a"), .identityOnRelationship("a"), .toManyOnly("a", "b"),
        .keyNotLiteral, .keyPathStep("a"), .mappedNotLiteral("a"), .keyWithoutMapping("a"),
        .duplicateKeyPath("a", "b", "c"), .parentNotType, .parentOfItself("A"), .jsonDefault("a"),
        .inheritedWithoutParent("a"), .inheritedMarker("a", "B"), .inheritedDefault("a"),
        .conditionalAttribute("a"), .columnsNotStruct("A"), .fetchedAtNotLiteral,
        .fetchedAtProperty("A"),
    ]

    @Test func `has an id of its own for each message`() {
        #expect(Set(Self.all.map(\.diagnosticID)).count == Self.all.count)
        #expect(
            EntityDiagnostic.generic("A").diagnosticID
                == MessageID(domain: "LarderEntityMacros", id: "generic"))
        #expect(
            EntityDiagnostic.tuplePattern.diagnosticID
                == MessageID(domain: "LarderEntityMacros", id: "tuplePattern"))
    }

    @Test func `has the same id for different names`() {
        #expect(
            EntityDiagnostic.generic("A").diagnosticID
                == EntityDiagnostic.generic("B").diagnosticID)
    }

    @Test(arguments: all.indices)
    func `is an error in one sentence without a full stop`(index: Int) {
        let diagnostic = Self.all[index]
        #expect(diagnostic.severity == .error)
        #expect(!diagnostic.message.hasSuffix("."))
        #expect(!diagnostic.message.contains("\n"))
        #expect(!diagnostic.message.isEmpty)
    }

    @Test func `names a type without the space around it`() {
        let type = TypeSyntax("[Int]").with(\.leadingTrivia, .spaces(3))
        let diagnostic = EntityDiagnostic.unsupportedType("a", type, advice: "b")
        #expect(diagnostic.message == "'a' cannot be of type '[Int]'; b")
    }
}

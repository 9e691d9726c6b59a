import SwiftSyntax
import SwiftSyntaxBuilder

/// A type of which its spelling alone tells that no attribute can have it.
struct RefusedType {
    /// The advice on what to write instead.
    let advice: String
    /// The type to use instead, where it is clear which.
    private(set) var replacement: TypeSyntax?

    private init(advice: String, replacement: TypeSyntax? = nil) {
        self.advice = advice
        self.replacement = replacement
    }

    /// Nil: the type may be one that an attribute can have.
    ///
    /// - Parameter ownTypes: The names of the types that the entity itself declares, which hide
    ///   others of such a name.
    init?(_ type: TypeSyntax, ownTypes: Set<String>) {
        if let name = NamedType(type) {
            self.init(name, ownTypes)
        } else if let array = type.as(ArrayTypeSyntax.self) {
            self.init(arrayOf: array.element.trimmed, ownTypes)
        } else if let dictionary = type.as(DictionaryTypeSyntax.self) {
            self.init(
                dictionaryFrom: dictionary.key.trimmed, to: dictionary.value.trimmed, ownTypes)
        } else if let optional = type.as(OptionalTypeSyntax.self) {
            self.init(optional.wrappedType.trimmed, ownTypes: ownTypes)
        } else {
            self.init(
                advice: RefusedType.advice(
                    for: type.as(AttributedTypeSyntax.self)?.baseType.kind ?? type.kind))
        }
    }

    private init?(_ name: NamedType, _ ownTypes: Set<String>) {
        if name.qualifiers.isEmpty, ownTypes.contains(name.name) {
            return nil
        } else if name.isStandard("Array"), let element = name.arguments.first {
            self.init(arrayOf: element, ownTypes)
        } else if name.isStandard("Dictionary"), name.arguments.count == 2 {
            self.init(dictionaryFrom: name.arguments[0], to: name.arguments[1], ownTypes)
        } else if name.isStandard("Set", "ArraySlice", "ContiguousArray"),
            let element = name.arguments.first
        {
            self.init(advice: "JSON has arrays only", replacement: "[\(element)]")
        } else if name.arguments.isEmpty, RefusedType.modules.contains(name.qualifiers) {
            self.init(named: name.name)
        } else {
            return nil
        }
    }

    private init?(arrayOf element: TypeSyntax, _ ownTypes: Set<String>) {
        if NamedType(element)?.isStandard("UInt8") == true {
            advice = "bytes are 'Data'"
            replacement = "Data"
        } else if let refusal = RefusedType(element, ownTypes: ownTypes) {
            advice = refusal.advice
            replacement = refusal.replacement.map { "[\($0)]" }
        } else {
            return nil
        }
    }

    private init?(
        dictionaryFrom key: TypeSyntax, to value: TypeSyntax, _ ownTypes: Set<String>
    ) {
        guard NamedType(key)?.isStandard("String") == true else {
            advice = "the keys of JSON are strings"
            replacement = "[String: \(value)]"
            return
        }
        guard let refusal = RefusedType(value, ownTypes: ownTypes) else { return nil }
        advice = refusal.advice
        replacement = refusal.replacement.map { "[String: \($0)]" }
    }

    private init?(named name: String) {
        switch name {
        case "Any", "AnyObject", "AnyHashable", "Codable", "Encodable", "Decodable":
            advice = "name one type that conforms to 'AttributeValue'"
        case "Void", "Never":
            advice = "there is nothing to store"
        case "UInt", "UInt64", "Int128", "UInt128":
            advice = "the store has integers of 64 bits with a sign"
            replacement = "Int64"
        default:
            guard let other = RefusedType.equivalents[name] else { return nil }
            advice = "the store has '\(other)'"
            replacement = "\(raw: other)"
        }
    }

    /// The modules that have such types; whatever else stands before a name makes it another's.
    private static let modules: [[String]] = [
        [], ["Swift"], ["Foundation"], ["CoreFoundation"], ["CoreGraphics"],
    ]

    /// Types that hold what another does.
    private static let equivalents = [
        "Character": "String", "Substring": "String", "StaticString": "String",
        "NSString": "String",
        "CGFloat": "Double", "Float16": "Float", "Float80": "Double", "NSDate": "Date",
        "NSURL": "URL", "NSUUID": "UUID", "NSData": "Data", "NSDecimalNumber": "Decimal",
        "NSNumber": "Double",
    ]

    private static func advice(for kind: SyntaxKind) -> String {
        switch kind {
        case .tupleType: "give each element a property of its own"
        case .functionType: "a function cannot be stored"
        default: "name one type that conforms to 'AttributeValue'"
        }
    }
}

package import Foundation

extension ImportSkeleton {
    /// Whether a value is made of objects alone, all of them in one part, so that nothing else of it was read.
    package func isWhole<Value: Importable>(of value: JSONValue, as type: Value.Type) -> Bool {
        parts.count == 1 && !lacksParts && parts[0].offset == value.storage.offset(of: value.node)
            && ObjectsAloneCheck.passes(type)
    }
}

extension JSONValue {
    /// The bytes of the document that the value stands in.
    package var documentSource: Data { JSONValue(storage: storage.document, node: 0).source }
}

/// A type that may be made of nothing but objects.
protocol ObjectsAlone {
    static var areObjectsAlone: Bool { get }
}

extension Optional: ObjectsAlone {
    static var areObjectsAlone: Bool { ObjectsAloneCheck.passes(Wrapped.self) }
}

extension Array: ObjectsAlone {
    static var areObjectsAlone: Bool { ObjectsAloneCheck.passes(Element.self) }
}

extension Many: ObjectsAlone {
    static var areObjectsAlone: Bool { ObjectsAloneCheck.passes(Element.self) }
}

extension LossyList: ObjectsAlone {
    static var areObjectsAlone: Bool { ObjectsAloneCheck.passes(Element.self) }
}

extension One: ObjectsAlone {
    static var areObjectsAlone: Bool { true }
}

/// The check whether a type is made of nothing but objects.
enum ObjectsAloneCheck {
    static func passes(_ type: Any.Type) -> Bool {
        type is any Entity.Type || (type as? any ObjectsAlone.Type)?.areObjectsAlone == true
    }
}

import Foundation

/// The closures of a transformer, between JSON and what a column holds.
struct TransformerConversion: Sendable {
    /// JSON of another kind than a transformer takes.
    struct Mismatch: Error {
        let expectation: String
    }

    /// The type of its values.
    let type: AttributeType
    /// The value of JSON that is not null, nil for an empty one.
    let value: @Sendable (JSONValue) throws -> SQLValue?
    /// The JSON of a value that is not empty, nil for none; no closure where there is no way back.
    let json: (@Sendable (SQLValue) throws -> Data?)?

    init<JSON: Codable & Sendable, Value: AttributeValue>(
        from: @escaping @Sendable (JSON) throws -> Value?,
        to: (@Sendable (Value) throws -> JSON?)?
    ) {
        type = Value.attributeType
        value = { (json: JSONValue) throws -> SQLValue? in
            let read = try Self.read(JSON.self, from: json)
            return try Self.sqlValue(of: try from(read))
        }
        guard let to else {
            json = nil
            return
        }
        json = { (sqlValue: SQLValue) throws -> Data? in
            guard let value = Value(sqlValue: sqlValue), let made = try to(value) else {
                return nil
            }
            return try JSONEncoder.plain.encode(made)
        }
    }

    init<Value: AttributeValue>(from: @escaping @Sendable (JSONValue) throws -> Value?) {
        type = Value.attributeType
        value = { (json: JSONValue) throws -> SQLValue? in try Self.sqlValue(of: try from(json)) }
        json = nil
    }

    /// Values that fit by a transformer, and a fallback where they don't.
    init<Value: AttributeValue>(by transformer: Transformer?, or fallback: Value?) {
        // One of closures may give values of another type, which the model's check says.
        type = transformer?.conversion?.type ?? Value.attributeType
        let plain = transformer ?? Value.attributeType.defaultTransformer
        let coder = ValueCoder(
            Value.attributeType, plain?.conversion == nil ? plain : nil,
            isSingle: Value.allowedValues.isSingle)
        let converter = ValueConverter(
            coder ?? .json, transformer: transformer, allowed: Value.allowedValues)
        value = { (json: JSONValue) throws -> SQLValue? in
            guard coder != nil || plain?.conversion != nil else {
                throw Mismatch(expectation: "a transformer that gives values of type \(Value.self)")
            }
            do {
                let value = try converter.value(of: json.node, in: json.storage)
                return value == .null ? nil : value
            } catch {
                return try Self.sqlValue(of: fallback)
            }
        }
        if let transformer, transformer.conversion != nil {
            json = transformer.conversion?.json
        } else {
            json = { (value: SQLValue) throws -> Data? in
                var output = JSONOutput()
                guard coder?.writeJSON(of: value, to: &output) == true else {
                    throw StoreError(.unexpectedValue, "JSON has no such value")
                }
                return Data(output.bytes)
            }
        }
    }

    /// Numbers that are none are nothing that a store can hold.
    private static func sqlValue<Value: AttributeValue>(of value: Value?) throws -> SQLValue? {
        guard let value = value?.sqlValue, value != .null else { return nil }
        if case .real(let number) = value, number.isNaN {
            throw StoreError(.unexpectedValue, "a value that is not a number can't be stored")
        }
        return value
    }

    /// Reads the value that a closure takes, the common types without a decoder.
    private static func read<JSON: Codable>(_ type: JSON.Type, from value: JSONValue) throws -> JSON
    {
        let scalar: Any? =
            if type == String.self {
                value.string
            } else if type == Int.self {
                value.integer.map { Int($0) }
            } else if type == Double.self {
                value.double
            } else if type == Bool.self {
                value.bool
            } else {
                try? value.decode(type)
            }
        guard let read = scalar as? JSON else {
            throw Mismatch(expectation: "JSON that makes a value of type \(type)")
        }
        return read
    }
}

/// A converter of an attribute's JSON into what its column holds where a built-in coder alone does
/// not do: for a transformer of closures, or a Swift type that takes only some of the values.
final class ValueConverter: Sendable {
    /// The reason why JSON makes no value.
    enum Failure: Error {
        /// It is none of the values that can be taken.
        case unexpected(String)
        /// The closure of a transformer has thrown.
        case thrown(transformer: String, String)
    }

    /// The coder that makes the value unless a transformer does.
    private let coder: ValueCoder
    private let transformer: Transformer?
    private let allowed: AllowedValues

    /// The form of the JSON that is taken, in an error's words.
    var expectation: String { allowed.expectation ?? coder.expectation }

    init(_ coder: ValueCoder, transformer: Transformer? = nil, allowed: AllowedValues = .all) {
        self.coder = coder
        self.transformer = transformer
        self.allowed = allowed
    }

    /// The value of JSON that is not null; `.null` where a transformer makes it empty.
    func value(of node: Int, in document: JSONDocument.Storage) throws(Failure) -> SQLValue {
        let value: SQLValue
        if let transformer, let conversion = transformer.conversion {
            value = try converted(
                JSONValue(storage: document, node: node), by: conversion, transformer.rawValue)
        } else {
            guard let coded = coder.value(of: node, in: document.tape) else {
                throw .unexpected(expectation)
            }
            value = coded
        }
        guard allowed.contains(value) else {
            throw .unexpected(allowed.objection(to: value) ?? expectation)
        }
        return allowed.nearest(to: value)
    }

    private func converted(
        _ value: JSONValue, by conversion: TransformerConversion, _ name: String
    ) throws(Failure) -> SQLValue {
        do {
            return try conversion.value(value) ?? .null
        } catch let error as TransformerConversion.Mismatch {
            throw .unexpected("\(error.expectation), for the transformer \(name)")
        } catch {
            throw .thrown(transformer: name, "\(error)")
        }
    }

    /// The way back for a transformer that has one, nil where the built-in coder is it.
    var json: (@Sendable (SQLValue) throws -> Data?)? { transformer?.conversion?.json }

    /// The built-in coder that stands behind, for the way back.
    var plainCoder: ValueCoder { coder }
}

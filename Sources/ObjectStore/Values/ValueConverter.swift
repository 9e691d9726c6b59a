import Foundation

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

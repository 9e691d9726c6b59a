import Foundation

/// Feeds the JSON document with whatever the fuzzer makes up.
///
/// What is taken must hold the same values as Foundation finds in it; what is refused must say
/// where; and the text of every object and array, parsed on its own, must be taken too.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDocument(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let data = Data(bytes: start, count: count)
    do {
        let document = try JSONDocument(data)
        walk(document.root, in: data)
        // Foundation refuses what RFC 8259 leaves open: lone surrogates and numbers beyond `Double`.
        if let other = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) {
            check(isSame(document.root, other), data)
        }
    } catch let error as JSONError {
        check(error.line >= 1 && error.column >= 1 && error.offset <= count, data)
        check(!error.description.isEmpty, data)
    } catch {
        check(false, data)
    }
    return 0
}

/// Touches every value in every way that it can be asked.
private func walk(_ value: JSONValue, in data: Data) {
    _ = (value.string, value.bool, value.integer, value.double, value.path, value.count)
    _ = try? value.decode(Decimal.self)
    _ = try? value.decode([String: Int].self)
    if value.kind == .object || value.kind == .array {
        check((try? JSONDocument(value.source)) != nil, data)
    }
    for key in Set(value.keys ?? []) {
        if let member = value[key] { walk(member, in: data) } else { check(false, data) }
    }
    for element in value.elements ?? [] { walk(element, in: data) }
}

private func isSame(_ value: JSONValue, _ other: Any) -> Bool {
    switch value.kind {
    case .null:
        return other is NSNull
    case .string:
        return value.string == other as? String || isReadOtherwise(value.source)
    case .array:
        guard let others = other as? [Any], let elements = value.elements else { return false }
        return elements.count == others.count && zip(elements, others).allSatisfy(isSame)
    case .object:
        guard let others = other as? [String: Any], let keys = value.keys else { return false }
        // Of a key that comes twice the last one counts here; Foundation says nothing of it.
        guard Set(keys).count == keys.count, Set(keys.map(\.unicodeScalars.first)).count > 0 else {
            return true
        }
        return keys.allSatisfy { key in
            guard let member = value[key], let other = others[key] else {
                return isReadOtherwise(value.source)
            }
            return isSame(member, other)
        }
    default:
        guard let number = other as? NSNumber else { return false }
        if let bool = value.bool { return number.boolValue == bool }
        // Foundation's numbers are not the nearest ones in the last digit.
        let text = String(decoding: value.source, as: UTF8.self)
        if let integer = value.integer, Double(integer) != Double(text) { return false }
        return value.double.map { $0 == Double(text) } ?? true
    }
}

/// Whether Foundation may read text as something else: it puts U+FFFD where half of a surrogate pair
/// stands, and drops a byte order mark at the beginning of a string.
private func isReadOtherwise(_ source: Data) -> Bool {
    source.contains(UInt8(ascii: "\\")) || source.range(of: Data([0xEF, 0xBB, 0xBF])) != nil
}

private func check(_ condition: Bool, _ data: Data) {
    guard !condition else { return }
    print("violated by these \(data.count) bytes in base64: \(data.base64EncodedString())")
    abort()
}

import Foundation

@testable import LarderObjectStore

extension JSONDocument {
    /// Parses bytes that need not be text.
    init(bytes: [UInt8], depthLimit: Int = JSONDocument.defaultDepthLimit) throws(JSONError) {
        try self.init(Data(bytes), depthLimit: depthLimit)
    }

    /// Why bytes are refused, nil where they are taken.
    static func refusal(
        of bytes: some Sequence<UInt8>, depthLimit: Int = JSONDocument.defaultDepthLimit
    ) -> JSONError? {
        do throws(JSONError) {
            _ = try JSONDocument(Data(bytes), depthLimit: depthLimit)
            return nil
        } catch {
            return error
        }
    }

    /// Looks at the tape while the document is sure to be alive.
    func withTape<Result>(_ body: (JSONTape) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(storage) { try body(storage.tape) }
    }

    static func refusal(of text: String) -> JSONError? { refusal(of: text.utf8) }
}

extension JSONValue {
    /// Reads everything there is in a value, so that a tape that leads astray is noticed.
    func readAll() -> Int {
        var read = source.count + path.utf8.count
        read += (string?.utf8.count ?? 0) + (integer == nil ? 0 : 1) + (double == nil ? 0 : 1)
        read += isNull || bool != nil ? 1 : 0
        for element in elements ?? [] { read += element.readAll() }
        for key in keys ?? [] { read += key.utf8.count + (self[key]?.readAll() ?? 0) }
        return read
    }

    /// The value in canonical words of ASCII, to compare with what another parser made of it.
    var spelled: String {
        switch kind {
        case .null: return "null"
        case .boolean: return bool == true ? "true" : "false"
        case .number: return integer.map(String.init) ?? double.map { "\($0)" } ?? "?"
        case .string: return Self.quoted(string ?? "?")
        case .array: return "[" + (elements ?? []).map(\.spelled).joined(separator: ",") + "]"
        case .object:
            var members: [String: String] = [:]
            for key in keys ?? [] { members[Self.quoted(key)] = self[key]?.spelled }
            return "{"
                + members.sorted { $0.key < $1.key }.map { "\($0):\($1)" }
                .joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() + "\""
    }
}

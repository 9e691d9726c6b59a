public import Foundation

/// The strategies by which `Decodable` types read what JSON has no form of its own for.
///
/// The strategies are those of Foundation's `JSONDecoder` and give the same values, but dates are
/// ISO 8601 unless said otherwise, with or without fractions of a second, and documents are always
/// RFC 8259: a comma after the last element is an error.
public struct DecodingOptions: Sendable {
    /// A rule that finds the key of a property in an object.
    public enum Keys: Sendable {
        /// The one of the same name.
        case useDefaultKeys
        /// The one that becomes it when `snake_case` is turned into `camelCase`.
        ///
        /// Underscores at both ends stay. Keys of `[String: Value]` are data and are not converted.
        case convertFromSnakeCase
        /// The one that becomes it by a function of the key and, before it, of the path to it.
        case custom(@Sendable ([any CodingKey]) -> any CodingKey)
    }

    /// A form of dates in JSON.
    public enum Dates: Sendable {
        /// As ISO 8601 strings: `2026-11-21T10:30:00.25Z`, with an offset, or a date alone.
        case iso8601
        /// As `Date` itself has it: seconds since the beginning of 2001 (UTC).
        case deferredToDate
        /// As seconds since the beginning of 1970 (UTC).
        case secondsSince1970
        /// As milliseconds since the beginning of 1970 (UTC).
        case millisecondsSince1970
        /// As a formatter has it.
        case formatted(DateFormatter)
        /// As a function reads it.
        case custom(@Sendable (any Decoder) throws -> Date)
    }

    /// A form of bytes in JSON.
    public enum Bytes: Sendable {
        /// As base64 (RFC 4648).
        case base64
        /// As `Data` itself has it: an array of numbers.
        case deferredToData
        /// As a function reads it.
        case custom(@Sendable (any Decoder) throws -> Data)
    }

    /// A form of the floating-point numbers that are no numbers in JSON.
    public enum NonConformingFloats: Sendable {
        /// Not at all.
        case `throw`
        /// As these strings.
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// The rule that finds the key of a property; the same name unless set.
    public var keys: Keys
    /// The form of dates; ISO 8601 unless set.
    public var dates: Dates
    /// The form of bytes; base64 unless set.
    public var bytes: Bytes
    /// The form of infinities and of what is not a number; refused unless set.
    public var nonConformingFloats: NonConformingFloats
    /// The `userInfo` of the decoder that types which read themselves get.
    public var userInfo: [CodingUserInfoKey: any Sendable]
    /// Whether these stand for none at all.
    private(set) var isAbsent = false

    /// The value that stands for no options.
    static let absent: DecodingOptions = {
        var options = DecodingOptions()
        options.isAbsent = true
        return options
    }()

    /// Creates options.
    public init(
        keys: Keys = .useDefaultKeys, dates: Dates = .iso8601, bytes: Bytes = .base64,
        nonConformingFloats: NonConformingFloats = .throw,
        userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) {
        self.keys = keys
        self.dates = dates
        self.bytes = bytes
        self.nonConformingFloats = nonConformingFloats
        self.userInfo = userInfo
    }
}

extension DecodingOptions.Keys {
    /// Whether keys stand in the JSON as they are asked for.
    var areVerbatim: Bool {
        if case .useDefaultKeys = self { true } else { false }
    }

    /// The name that a key of an object at a path is asked for by.
    func name(of key: String, at path: [any CodingKey]) -> String {
        switch self {
        case .useDefaultKeys: key
        case .convertFromSnakeCase: Self.camelCase(key)
        case .custom(let convert): convert(path + [JSONCodingKey(stringValue: key)]).stringValue
        }
    }

    /// The first word in small letters, the others capitalized; underscores at the ends stay.
    private static func camelCase(_ key: String) -> String {
        let head = key.prefix { $0 == "_" }
        let core = key[head.endIndex...]
        guard let last = core.lastIndex(where: { $0 != "_" }) else { return key }
        let words = core[...last].split(separator: "_")
        guard let first = words.first, words.count > 1 else { return key }
        let camel = first.lowercased() + words.dropFirst().map(\.capitalized).joined()
        return head + camel + core[last...].dropFirst()
    }
}

/// A rule that makes the JSON key of a property from its name.
public enum KeyStyle: String, Codable, Sendable, CaseIterable {
    /// The key is the name.
    case verbatim
    /// The key is the name in small letters with an underscore between its words.
    ///
    /// A word begins at a capital after a small letter or a digit, and at the last capital of
    /// several that a small letter follows: `createdAt` becomes `created_at`, `avatarURL`
    /// `avatar_url`, `htmlURLText` `html_url_text`. The `s` of a plural stays with its capitals
    /// (`labelIDs`: `label_ids`) and digits with the letters before them (`id2`: `id2`,
    /// `sha256Sum`: `sha256_sum`). Underscores stay as they are.
    case snakeCase = "snake_case"

    /// The key of a property.
    public func key(for name: String) -> String {
        switch self {
        case .verbatim: name
        case .snakeCase: KeyStyle.snakeCased(name)
        }
    }

    private static func snakeCased(_ name: String) -> String {
        var key = ""
        let letters = Array(name)
        for (index, letter) in letters.enumerated() {
            if letter.isUppercase, startsWord(at: index, in: letters) { key.append("_") }
            key.append(contentsOf: letter.lowercased())
        }
        return key
    }

    /// Whether the capital at `index` opens a word: the first of several does, and so does the last
    /// that a small letter follows, unless that letter is the plural's `s`.
    private static func startsWord(at index: Int, in letters: [Character]) -> Bool {
        guard index > 0, letters[index - 1] != "_" else { return false }
        guard letters[index - 1].isUppercase else { return true }
        guard index + 1 < letters.count, letters[index + 1].isLowercase else { return false }
        let isPlural =
            letters[index + 1] == "s"
            && (index + 2 == letters.count || !letters[index + 2].isLowercase)
        return !isPlural
    }
}

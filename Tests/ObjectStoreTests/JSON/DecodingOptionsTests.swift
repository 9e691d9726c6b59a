import Foundation
import Testing

@testable import LarderObjectStore

/// Strategies, beside what Foundation's decoder makes of the same JSON with the same ones.
struct DecodingOptionsTests {
    /// A text read as a type, by Foundation's decoder and by the document's.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let outcomes: @Sendable () -> (ours: String, foundation: String)

        init<Value: Decodable & Sendable>(
            _ type: Value.Type, _ json: String, _ options: DecodingOptions = DecodingOptions(),
            _ configure: @escaping @Sendable (JSONDecoder) -> Void
        ) {
            testDescription = "\(type) from \(json)"
            outcomes = {
                let decoder = JSONDecoder()
                configure(decoder)
                return (
                    Self.outcome { try JSONDocument(json).root.decode(type, options: options) },
                    Self.outcome { try decoder.decode(type, from: Data(json.utf8)) }
                )
            }
        }

        /// The value in full, or that there is none.
        private static func outcome(_ decode: () throws -> some Any) -> String {
            do {
                var text = ""
                dump(try decode(), to: &text)
                // Dictionaries have no order.
                return text.split(separator: "\n").sorted().joined(separator: "\n")
            } catch {
                return "refused"
            }
        }
    }

    @Test(arguments: keys + dates + bytes + floats + decimals)
    func `reads what Foundation reads, and refuses what it refuses`(example: Case) {
        let (ours, foundation) = example.outcomes()
        #expect(ours == foundation)
    }

    // MARK: Keys

    struct Named: Decodable {
        var firstName: String
        var url: String?
        var nested: Inner?
        var list: [Inner]?
        var data: [String: Inner]?

        struct Inner: Decodable { var imageURL: Int?, imageUrl: Int? }
    }

    struct Odd: Decodable {
        var values: [String: Int]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            values = try Dictionary(
                uniqueKeysWithValues: container.allKeys.map {
                    ($0.stringValue, try container.decode(Int.self, forKey: $0))
                })
        }
    }

    struct AnyKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init?(intValue: Int) { nil }
        init(stringValue: String) { self.stringValue = stringValue }
    }

    private static func snake<Value: Decodable & Sendable>(
        _ type: Value.Type, _ json: String
    ) -> Case {
        Case(type, json, DecodingOptions(keys: .convertFromSnakeCase)) {
            $0.keyDecodingStrategy = .convertFromSnakeCase
        }
    }

    private static func upper<Value: Decodable & Sendable>(
        _ type: Value.Type, _ json: String
    ) -> Case {
        let convert: @Sendable ([any CodingKey]) -> any CodingKey = { path in
            let depth = String(repeating: "_", count: path.count - 1)
            return AnyKey(stringValue: depth + (path.last?.stringValue.lowercased() ?? ""))
        }
        return Case(type, json, DecodingOptions(keys: .custom(convert))) {
            $0.keyDecodingStrategy = .custom(convert)
        }
    }

    private static let keys: [Case] = [
        snake(Named.self, #"{"first_name": "a", "url": "b"}"#),
        snake(Named.self, #"{"firstName": "a"}"#), snake(Named.self, #"{"FIRST_NAME": "a"}"#),
        snake(Named.self, #"{"first": "a"}"#), snake(Named.self, #"{"first_name": 1}"#),
        snake(Named.self, #"{"first_name": "a", "nested": {"image_url": 1, "image_u_r_l": 2}}"#),
        snake(Named.self, #"{"first_name": "a", "list": [{"image_url": 1}, {"image_URL": 2}]}"#),
        snake(Named.self, #"{"first_name": "a", "data": {"a_b": {"image_url": 1}}}"#),
        snake([String: Int].self, #"{"a_b": 1, "__c": 2}"#),
        snake([String: [String: Int?]].self, #"{"a_b": {"c_d": null}}"#),
        snake([[String: Int]].self, #"[{"a_b": 1}]"#), snake([String: Int]?.self, #"{"a_b": 1}"#),
        snake([String: Int].self, "[]"), snake([String: Int].self, #"{"a_b": "x"}"#),
        snake(Odd.self, #"{"a": 1, "_": 2, "__": 3, "_a_b": 4, "c_d_": 5, "__e_f__": 6}"#),
        snake(Odd.self, #"{"one__two": 1, "oneTwoThree": 2, "ab_CD_eF": 3, "x_1_y": 4, "": 5}"#),
        snake(Odd.self, #"{"é_à": 1, "a-b_c-d": 2, "A": 3, "ABC": 4, "a_": 5, "_b": 6}"#),
        upper(Named.self, #"{"FIRSTNAME": "a"}"#), upper(Odd.self, #"{"A": 1, "b": 2}"#),
        upper([String: Odd].self, #"{"A": {"B": 2}}"#), upper([Odd].self, #"[{"B": 2}]"#),
    ]

    @Test func `of two keys that become one, the last is read`() throws {
        struct Name: Decodable { var aB: Int }
        let json = try JSONDocument(#"{"aB": 1, "a_b": 2}"#).root
        #expect(try json.decode(Name.self, options: .init(keys: .convertFromSnakeCase)).aB == 2)
        #expect(try json.decode(Name.self).aB == 1)
    }

    // MARK: Dates

    struct Dated: Decodable {
        var at: Date
        var until: Date?
        var all: [Date]?
        var named: [String: Date]?
    }

    private static func dates(
        _ strategy: DecodingOptions.Dates, _ theirs: JSONDecoder.DateDecodingStrategy,
        _ values: String...
    ) -> [Case] {
        values.map { value in
            Case(
                Dated.self,
                #"{"at": \#(value), "until": \#(value), "all": [\#(value)], "named": {"a": \#(value)}}"#,
                DecodingOptions(dates: strategy)
            ) { $0.dateDecodingStrategy = theirs }
        } + [
            Case(Date.self, values[0], DecodingOptions(dates: strategy)) {
                $0.dateDecodingStrategy = theirs
            },
            Case(Dated.self, #"{"at": \#(values[0]), "until": null}"#, .init(dates: strategy)) {
                $0.dateDecodingStrategy = theirs
            },
            Case([Date?].self, "[null, \(values[0])]", DecodingOptions(dates: strategy)) {
                $0.dateDecodingStrategy = theirs
            },
        ]
    }

    private static let formatter: DateFormatter = {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "dd/MM/yyyy HH:mm"
        return formatter
    }()

    @Sendable private static func year(_ decoder: any Decoder) throws -> Date {
        let year = try decoder.singleValueContainer().decode(Int.self)
        guard year > 0 else { throw CancellationError() }
        return Date(timeIntervalSince1970: Double(year - 1970) * 31_556_952)
    }

    private static let dates: [Case] =
        dates(.deferredToDate, .deferredToDate, "0", "-1.5", "804000000.25", "\"x\"", "null", "[]")
        + dates(
            .secondsSince1970, .secondsSince1970, "0", "1.5", "-1e9", "1780000000", "\"1\"", "{}")
        + dates(
            .millisecondsSince1970, .millisecondsSince1970, "0", "1500", "1780000000123", "true")
        + dates(
            .iso8601, .iso8601, "\"2026-11-21T10:30:00Z\"", "\"2026-11-21T10:30:00+02:00\"",
            "\"1969-12-31T23:59:59-11:30\"", "\"soon\"", "\"\"", "5", "null")
        + dates(
            .formatted(formatter), .formatted(formatter), "\"21/11/2026 10:30\"", "\"2026\"", "7")
        + dates(.custom(year), .custom(year), "2026", "1969", "0", "\"x\"")

    @Test func `ISO 8601 has fractions and days, where Foundation refuses them`() throws {
        for (text, seconds) in [("2001-01-01T00:00:00.25Z", 0.25), ("2001-01-02", 86_400)] {
            let date = try JSONDocument("\"\(text)\"").root.decode(Date.self)
            #expect(date.timeIntervalSinceReferenceDate == seconds)
        }
    }

    @Test func `dates are ISO 8601 unless said otherwise`() throws {
        #expect(throws: DecodingError.self) { try JSONDocument("5").root.decode(Date.self) }
    }

    // MARK: Bytes

    struct Blob: Decodable { var bytes: Data, more: Data?, all: [Data]? }

    private static func bytes(
        _ strategy: DecodingOptions.Bytes, _ theirs: JSONDecoder.DataDecodingStrategy,
        _ values: String...
    ) -> [Case] {
        values.map { value in
            Case(
                Blob.self, #"{"bytes": \#(value), "more": \#(value), "all": [\#(value)]}"#,
                DecodingOptions(bytes: strategy)
            ) { $0.dataDecodingStrategy = theirs }
        }
    }

    @Sendable private static func hex(_ decoder: any Decoder) throws -> Data {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let byte = UInt8(text, radix: 16) else { throw CancellationError() }
        return Data([byte])
    }

    private static let bytes: [Case] =
        bytes(.base64, .base64, "\"\"", "\"AQID\"", "\"AQI\"", "\"A Q==\"", "5", "[1]", "null")
        + bytes(.deferredToData, .deferredToData, "[]", "[0, 255]", "[256]", "[-1]", "\"AQID\"")
        + bytes(.custom(hex), .custom(hex), "\"ff\"", "\"x\"", "1")

    // MARK: Numbers

    struct Number: Decodable { var double: Double?, float: Float?, all: [Double]?, int: Int? }

    private static func floats<Value: Decodable & Sendable>(
        _ type: Value.Type, _ json: String
    ) -> Case {
        let options = DecodingOptions(
            nonConformingFloats: .convertFromString(
                positiveInfinity: "+Inf", negativeInfinity: "-Inf", nan: "NaN"))
        return Case(type, json, options) {
            $0.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "+Inf", negativeInfinity: "-Inf", nan: "NaN")
        }
    }

    private static let floats: [Case] =
        [#""+Inf""#, #""-Inf""#, #""NaN""#, #""Inf""#, #""1""#, "1.5", "1e400", "null"].flatMap {
            value in
            [
                floats(Number.self, #"{"double": \#(value)}"#),
                floats(Number.self, #"{"float": \#(value)}"#),
                floats(Number.self, #"{"all": [\#(value)]}"#),
                floats(Number.self, #"{"int": \#(value)}"#), floats(Double.self, value),
                Case(Number.self, #"{"double": \#(value)}"#) { _ in },
            ]
        }

    private static let decimals: [Case] = [
        "0.1", "-0.0", "1e-5", "12345678901234567890123456789012345678", "1e127",
        "0.12345678901234567890123456789012345678", "-99999999999999999999999999999999999999",
    ].map { value in Case([Decimal].self, "[\(value)]") { _ in } }

    @Test(arguments: ["0.\(String(repeating: "7", count: 45))", String(repeating: "7", count: 45)])
    func `decimals of more than 38 digits are refused`(_ json: String) throws {
        #expect(throws: DecodingError.self) { try JSONDocument(json).root.decode(Decimal.self) }
    }

    @Test func `integers are exact`() throws {
        for text in ["9223372036854775807", "-9223372036854775808", "9007199254740993"] {
            #expect(try JSONDocument(text).root.decode(Int64.self).description == text)
        }
    }

    // MARK: User info and key paths

    @Test func `reads from a key path`() throws {
        let root = try JSONDocument(#"{"data": {"a_b": [1, 2], "no": null}, "x": 5}"#).root
        #expect(try root.decode([Int].self, at: "data.a_b") == [1, 2])
        let options = DecodingOptions(keys: .convertFromSnakeCase)
        #expect(try root.decode([Int].self, at: "data.a_b", options: options) == [1, 2])
        #expect(try root.decode(Int?.self, at: "data.no") == nil)
    }

    @Test(arguments: ["data.b", "none", "data.no.a", "x.y", "data.list.a", ""])
    func `a key path that leads nowhere is an error`(_ keyPath: String) throws {
        let root = try JSONDocument(#"{"data": {"no": null, "list": [1]}, "x": 5}"#).root
        #expect(throws: DecodingError.self) { try root.decode(Int.self, at: keyPath) }
    }

    @Test func `a comma after the last element is an error, whatever Foundation does`() {
        #expect(throws: JSONError.self) { try JSONDocument("[1,]").root.decode([Int].self) }
    }

    // MARK: Signatures

    /// A formatter of dates.
    private static func formatter(_ format: String, _ locale: String = "en_US") -> DateFormatter {
        let formatter = DateFormatter()
        (formatter.locale, formatter.timeZone) = (Locale(identifier: locale), .gmt)
        formatter.dateFormat = format
        return formatter
    }

    @Test func `those that say the same have one signature, and others another`() throws {
        #expect(DecodingOptions().signature == "")
        let (one, two) = (
            try #require(CodingUserInfoKey(rawValue: "one")),
            try #require(CodingUserInfoKey(rawValue: "two"))
        )
        let all: [() -> DecodingOptions] = [
            { DecodingOptions(keys: .convertFromSnakeCase) },
            { DecodingOptions(keys: .custom { $0[0] }) },
            { DecodingOptions(dates: .deferredToDate) },
            { DecodingOptions(dates: .secondsSince1970) },
            { DecodingOptions(dates: .millisecondsSince1970) },
            { DecodingOptions(dates: .formatted(Self.formatter("yyyy"))) },
            { DecodingOptions(dates: .formatted(Self.formatter("yyyy MM"))) },
            { DecodingOptions(dates: .formatted(Self.formatter("yyyy", "de_DE"))) },
            { DecodingOptions(dates: .custom { _ in Date() }) },
            { DecodingOptions(bytes: .deferredToData) },
            { DecodingOptions(bytes: .custom { _ in Data() }) },
            {
                DecodingOptions(
                    nonConformingFloats: .convertFromString(
                        positiveInfinity: "+", negativeInfinity: "-", nan: "?"))
            },
            {
                DecodingOptions(
                    nonConformingFloats: .convertFromString(
                        positiveInfinity: "-", negativeInfinity: "+", nan: "?"))
            },
            { DecodingOptions(userInfo: [one: 1, two: "x"]) },
            { DecodingOptions(userInfo: [one: 2, two: "x"]) },
            { DecodingOptions(userInfo: [one: [1]]) },
            { DecodingOptions(keys: .convertFromSnakeCase, dates: .secondsSince1970) },
        ]
        for options in all { #expect(options().signature == options().signature) }
        #expect(Set(all.map { $0().signature }).union([""]).count == all.count + 1)
    }

    private enum Own {
        struct Plain: Wrapper { var count: Int }

        struct Optional: Wrapper {
            static var decodingOptions: DecodingOptions? { DecodingOptions(dates: .deferredToDate) }
            var count: Int
        }

        struct Definite: Wrapper {
            static let decodingOptions = DecodingOptions(dates: .deferredToDate)
            var count: Int
        }
    }

    @Test func `a wrapper is read by its own, and objects by none`() {
        let options = DecodingOptions(keys: .convertFromSnakeCase)
        func signature(_ type: Any.Type) -> String {
            ElementTypes.signature(of: type, by: options)
        }
        #expect(signature(LossyList<Own.Plain>.self) == options.signature)
        let own = DecodingOptions(dates: .deferredToDate).signature
        #expect(signature([Own.Optional].self) == own && signature(Own.Definite?.self) == own)
        #expect(signature([Shelf].self) == "" && signature(Many<Shelf>.self) == "")
    }
}

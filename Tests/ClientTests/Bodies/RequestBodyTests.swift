import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

@Suite struct RequestBodyTests {
    @Test func `JSON is encoded as the encoder says`() throws {
        struct User: Encodable {
            let firstName: String
            let born: Date
        }
        let user = User(firstName: "Ann", born: Date(timeIntervalSince1970: 0))
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = .sortedKeys
        let body = try RequestBody.json(user, encoder: encoder).encoded()
        #expect(body.contentType == "application/json")
        #expect(
            String(decoding: body.data, as: UTF8.self)
                == #"{"born":"1970-01-01T00:00:00Z","first_name":"Ann"}"#)
    }

    @Test func `members of several types make an object`() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = .sortedKeys
        let note: String? = nil
        let body = RequestBody.json(
            [
                "isNew": true, "made": Date(timeIntervalSince1970: 7), "n": 3, "note": note,
                "title": "x", "values": [1, 2],
            ], encoder: encoder)
        let encoded = try body.encoded()
        #expect(encoded.contentType == "application/json")
        #expect(
            String(decoding: encoded.data, as: UTF8.self)
                == #"{"isNew":true,"made":7,"n":3,"note":null,"title":"x","values":[1,2]}"#)
    }

    @Test func `the names of members are sent as they are written, whatever their types`() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = .sortedKeys
        let alike = RequestBody.json(["firstName": "a", "lastName": "b"], encoder: encoder)
        let mixed = RequestBody.json(["firstName": "a", "lastName": 2], encoder: encoder)
        #expect(
            String(decoding: try alike.encoded().data, as: UTF8.self)
                == #"{"firstName":"a","lastName":"b"}"#)
        #expect(
            String(decoding: try mixed.encoded().data, as: UTF8.self)
                == #"{"firstName":"a","lastName":2}"#)
    }

    @Test func `dates are ISO 8601, and slashes stay`() throws {
        let body = RequestBody.json([
            "made": Date(timeIntervalSince1970: 0.25), "url": URL(string: "http://a/b"), "n": 1,
        ])
        let text = String(decoding: try body.encoded().data, as: UTF8.self)
        #expect(text.contains(#""made":"1970-01-01T00:00:00.25Z""#))
        #expect(text.contains(#""url":"http://a/b""#))
        let alone = RequestBody.json([Date(timeIntervalSince1970: 0)])
        #expect(try alone.encoded().data == Data(#"["1970-01-01T00:00:00Z"]"#.utf8))
        #expect(throws: EncodingError.self) {
            try RequestBody.json([Date.distantPast + -1e12]).encoded()
        }
    }

    @Test func `what is sent is read back as it was`() async throws {
        struct Everything: Codable, Equatable, Sendable {
            var dates: [Date]
            var named: [String: Date]
            var maybe: Date?
            var bytes: Data
            var url: URL
            var text: String
            var number: Double
        }
        var random = SystemRandomNumberGenerator()
        func date() -> Date {
            let seconds = Double.random(in: -3e10...2e11, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: return Date(timeIntervalSinceReferenceDate: seconds.rounded())
            case 1: return Date(timeIntervalSinceReferenceDate: (seconds * 1000).rounded() / 1000)
            default: return Date(timeIntervalSinceReferenceDate: seconds)
            }
        }
        let transport = StubTransport { .json(String(decoding: $0.body ?? Data(), as: UTF8.self)) }
        let client = try TestClient.client(over: transport)
        for _ in 0..<300 {
            let value = Everything(
                dates: [date(), date()], named: ["a_b": date()],
                maybe: Bool.random(using: &random) ? date() : nil,
                bytes: Data((0..<9).map { _ in UInt8.random(in: 0...255, using: &random) }),
                url: try #require(URL(string: "https://h/a%20b?c=d/e")), text: "a/b\\\"\u{1F44D}\n",
                number: Double.random(in: -1e300...1e300, using: &random))
            let promise = client.enqueue(Sending(value: .json(value)), as: Everything.self)
            #expect(try await promise.value == value)
        }
    }

    @Test func `of a name that is there twice, the last value is sent`() throws {
        let data = try RequestBody.json(["a": 1, "a": "x"]).encoded().data
        #expect(String(decoding: data, as: UTF8.self) == #"{"a":"x"}"#)
    }

    @Test func `what cannot be encoded throws`() {
        #expect(throws: EncodingError.self) { try RequestBody.json([Double.nan]).encoded() }
    }

    @Test func `a form keeps the order and repeats names`() throws {
        let body = try RequestBody.form(["b": "1", "a": "2", "b": "ä +"]).encoded()
        #expect(body.contentType == "application/x-www-form-urlencoded")
        #expect(String(decoding: body.data, as: UTF8.self) == "b=1&a=2&b=%C3%A4+%2B")
    }

    @Test func `a form is of several types, or of a type's properties`() throws {
        struct LogIn: Encodable {
            var userName: String
            var remember: Bool
            var code: Int?
        }
        func text(_ body: RequestBody) throws -> String {
            String(decoding: try body.encoded().data, as: UTF8.self)
        }
        #expect(try text(.form(["b": 1, "a": true, "c": nil])) == "b=1&a=true")
        #expect(
            try text(.form(LogIn(userName: "a b", remember: true)))
                == "remember=true&user_name=a+b")
        #expect(
            try text(.form(QueryParameters(["a": ["x", "y"]], arrays: .repeated))) == "a=x&a=y")
        #expect(try text(.form([URLQueryItem(name: "a", value: nil)])) == "a")
        #expect(throws: EncodingError.self) { try text(.form(["a": Double.infinity])) }
    }

    @Test func `text is sent in UTF-8`() throws {
        let body = try RequestBody.text("é").encoded()
        #expect(body.data == Data([0xC3, 0xA9]))
        #expect(body.contentType == "text/plain; charset=utf-8")
        #expect(
            try RequestBody.text("", contentType: "text/csv").encoded().contentType == "text/csv")
    }

    @Test func `data is sent as it is`() throws {
        let body = try RequestBody.data(Data([0, 255]), contentType: "image/png").encoded()
        #expect(body.data == Data([0, 255]))
        #expect(body.contentType == "image/png")
        #expect(try RequestBody.data(Data()).encoded().contentType == "application/octet-stream")
        #expect(try RequestBody.data(Data(), contentType: nil).encoded().contentType == nil)
    }

    @Test(arguments: ["a/b\r\nX: y", "a\0", "a\n"])
    func `a content type with control characters is refused`(_ contentType: String) {
        #expect(throws: TransportError.self) {
            try RequestBody.data(Data(), contentType: contentType).encoded()
        }
    }
}

private struct Sending: Endpoint {
    let value: RequestBody

    var method: HTTPRequest.Method { .post }
    var path: String { "x" }
    var body: RequestBody? { value }
}

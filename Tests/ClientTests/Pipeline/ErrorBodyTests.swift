import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Logging
import Testing

@Suite struct ErrorBodyTests {
    struct Problem: Decodable, Sendable, Equatable {
        var message: String
    }

    struct Other: Decodable, Sendable, Equatable {
        var code: Int
    }

    struct Decline: Decodable, Sendable, Equatable {
        var errorCode: Int
    }

    private static func error(
        _ answer: TransportResponse, _ endpoint: some Endpoint = Resource("x"),
        _ configure: (inout Client.Configuration) -> Void = { $0.errorBody = .json(Problem.self) }
    ) async throws -> ClientError {
        let client = try TestClient.client(over: StubTransport(answer), configure)
        let promise: Promise<User> = client.enqueue(endpoint)
        return try #require(await #expect(throws: ClientError.self) { try await promise.value })
    }

    private static let refusal = TransportResponse.json(
        #"{"message": "no", "code": 7}"#, status: .conflict)

    @Test func `a refused response has its details`() async throws {
        let error = try await Self.error(Self.refusal)
        #expect(error.details as? Problem == Problem(message: "no"))
        #expect(error.reason == .unacceptableStatus)
        #expect(try error.decodeBody(as: Other.self) == Other(code: 7))
    }

    @Test func `an endpoint has a type of its own`() async throws {
        struct Mine: Endpoint {
            let path = "x"
            let errorBody = ErrorBody.json(Other.self)
        }
        #expect(try await Self.error(Self.refusal, Mine()).details as? Other == Other(code: 7))
        let error = try await Self.error(Self.refusal, Mine()) { $0.errorBody = nil }
        #expect(error.details as? Other == Other(code: 7))
    }

    @Test func `whoever refuses it`() async throws {
        struct Refused: Error {}
        let validator = Validator { _, _ in throw Refused() }
        for isInside in [true, false] {
            let error = try await Self.error(.json(#"{"message": "no"}"#)) {
                $0.errorBody = .json(Problem.self)
                if isInside { $0.interceptors = [validator] } else { $0.validators = [validator] }
            }
            #expect(error.details as? Problem == Problem(message: "no"))
            #expect(error.underlying is Refused)
        }
    }

    @Test(arguments: ["<html>", "", "{}", #"{"message": 7}"#])
    func `content of another kind is no detail, and no other error`(_ text: String) async throws {
        let error = try await Self.error(.json(text, status: .badGateway))
        #expect(error.details == nil)
        #expect(error.status == .badGateway)
        #expect(error.body == Data(text.utf8))
        #expect(throws: (any Error).self) { try error.decodeBody(as: Problem.self) }
    }

    @Test func `a response that does not fit is no error response`() async throws {
        let error = try await Self.error(.json(#"{"message": "hello"}"#))
        #expect(error.reason == .notStored)
        #expect(error.details == nil)
    }

    @Test func `a closure reads what is no JSON`() async throws {
        let error = try await Self.error(Self.refusal) {
            $0.errorBody = ErrorBody { content, fields in
                "\(content.count) \(fields[.contentType] ?? "")"
            }
        }
        #expect(error.details as? String == "28 application/json")
    }

    @Test func `without a type there are none`() async throws {
        #expect(try await Self.error(Self.refusal) { _ in }.details == nil)
    }

    /// Each way in which something is decoded, of a client whose options are not the usual ones.
    @Test func `errors are decoded by the client's options, as values are`() async throws {
        let transport = StubTransport { request in
            switch request.head.path {
            case "/value": .json(#"{"error_code": 1}"#)
            case "/envelope": .json(#"{"data": {"error_code": 2}}"#)
            default: .json(#"{"error_code": 3}"#, status: .conflict)
            }
        }
        let client = try TestClient.client(over: transport) {
            $0.decodingOptions.keys = .convertFromSnakeCase
            $0.errorBody = .json(Decline.self)
        }
        let value: Decline = try await client.enqueue(.get("value")).value
        #expect(value == Decline(errorCode: 1))
        let inside = try await client.enqueue(.get("envelope"), as: Decline.self, at: "data").value
        #expect(inside == Decline(errorCode: 2))
        let refused: Promise<Decline> = client.enqueue(.get("refused"))
        let error = try #require(
            await #expect(throws: ClientError.self) { try await refused.value })
        #expect(error.details as? Decline == Decline(errorCode: 3))
        #expect(try error.decodeBody(as: Decline.self) == Decline(errorCode: 3))
        let verbatim = DecodingOptions()
        #expect(throws: DecodingError.self) {
            try error.decodeBody(as: Decline.self, options: verbatim)
        }
    }

    @Test func `options that are given take the place of the client's`() async throws {
        let refusal = TransportResponse.json(#"{"error_code": 3}"#, status: .conflict)
        let snakeCase = DecodingOptions(keys: .convertFromSnakeCase)
        let verbatim = DecodingOptions()
        for isOwn in [true, false] {
            let error = try await Self.error(refusal) {
                let (own, client) = isOwn ? (snakeCase, verbatim) : (verbatim, snakeCase)
                $0.errorBody = .json(Decline.self, options: own)
                $0.decodingOptions = client
            }
            #expect((error.details != nil) == isOwn)
        }
    }

    @Test func `the log says why there are no details`() async throws {
        let lines = Seen<String>()
        let error = try await Self.error(.json(#"{"message": 7}"#, status: .conflict)) {
            $0.errorBody = .json(Problem.self)
            $0.logger = LineHandler.logger(lines, level: .debug)
        }
        #expect(error.details == nil)
        let line = lines.values.first { $0.hasPrefix("debug no details: ") }
        #expect(line?.hasSuffix(" from http://test.invalid/x") == true)
    }
}

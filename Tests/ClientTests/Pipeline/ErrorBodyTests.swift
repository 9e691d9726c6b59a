import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@Suite struct ErrorBodyTests {
    struct Problem: Decodable, Sendable, Equatable {
        var message: String
    }

    struct Other: Decodable, Sendable, Equatable {
        var code: Int
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
}

import Foundation
import HTTPTypes
import LarderClient
import LarderPromises
import LarderTesting
import Testing

/// Validators among the interceptors; those of the configuration are in `DeliveryTests`.
@Suite struct ValidatorTests {
    /// Tries again what fails.
    struct Retrying: Interceptor {
        let seen: Seen<String>

        func intercept(
            _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
        ) -> Promise<TransportResponse> {
            Promise.retry {
                next(request).recover { error in
                    seen.note("\((error as? ClientError)?.status?.code ?? 0)")
                    throw error
                }
            }
        }
    }

    /// Notes each status that comes by.
    struct Noting: Interceptor {
        let seen: Seen<String>

        func intercept(
            _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
        ) -> Promise<TransportResponse> {
            next(request).then { response in
                seen.note("\(response.head.status.code)")
                return response
            }
        }
    }

    @Test func `those before it see a failure, those behind it a response`() async throws {
        let (failures, responses) = (Seen<String>(), Seen<String>())
        let transport = StubTransport { _ in
            .json("[]", status: responses.count < 2 ? .serviceUnavailable : .ok)
        }
        let client = try TestClient.client(over: transport) {
            $0.interceptors = [
                Retrying(seen: failures), Validator.status(200..<300), Noting(seen: responses),
            ]
        }
        let promise: Promise<Void> = client.enqueue(Resource("x"))
        try await promise.value
        #expect(failures.values == ["503", "503"])
        #expect(responses.values == ["503", "503", "200"])
    }

    @Test func `its error says what was sent and what came back`() async throws {
        struct Refused: Error {}
        let answer = TransportResponse.json(
            "{}", status: .conflict, headerFields: [.eTag: "\"7\""])
        for (validator, reason) in [
            (Validator.status(200..<300), ClientError.Reason.unacceptableStatus),
            (Validator { _, _ in throw Refused() }, .refused),
        ] {
            let client = try TestClient.client(over: StubTransport(answer)) {
                $0.interceptors = [
                    validator,
                    ClosureInterceptor { request, next in
                        var request = request
                        request.head.path = "/y?token=secret"
                        return next(request)
                    },
                ]
                $0.validators = []
            }
            let promise: Promise<Void> = client.enqueue(Resource("x"))
            let error = await #expect(throws: ClientError.self) { try await promise.value }
            #expect(error?.reason == reason)
            #expect(error?.method == .get)
            #expect(error?.url == "http://test.invalid/y?token=…")
            #expect(error?.status == .conflict)
            #expect(error?.headerFields?[.eTag] == "\"7\"")
            #expect(error?.body == Data("{}".utf8))
            #expect(reason != .refused || error?.underlying is Refused)
        }
    }

    @Test func `it sees the request that was sent`() async throws {
        let seen = Seen<String>()
        let client = try TestClient.client(over: StubTransport(.json("[]"))) {
            $0.interceptors = [
                Validator { _, request in seen.note(request.head.path ?? "") },
                ClosureInterceptor { request, next in
                    var request = request
                    request.head.path = "/y"
                    return next(request)
                },
            ]
        }
        let promise: Promise<Void> = client.enqueue(Resource("x"))
        try await promise.value
        #expect(seen.values == ["/y"])
    }
}

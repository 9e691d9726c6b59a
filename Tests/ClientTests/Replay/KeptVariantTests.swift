import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Whether a confirmation is about what is kept, by what the response's `Vary` names.
@Suite struct KeptVariantTests {
    /// A server that tells versions by their times alone, and answers by a field that an interceptor adds.
    private final class Server: Sendable {
        let name: HTTPField.Name
        private let fields: HTTPFields
        private let value = Guarded<String?>(nil)
        private let answers = Guarded<[String]>([])

        init(by name: HTTPField.Name, varying vary: String? = nil) {
            self.name = name
            fields = [
                .lastModified: "Mon, 01 Jan 2024 00:00:00 GMT", .vary: vary ?? name.rawName,
            ]
        }

        /// A client of it, which sends the field as it is by then.
        func setting(
            _ change: (inout Client.Configuration) -> Void = { _ in }
        ) throws -> FetchSetting {
            let transport = StubTransport { request in
                let (fields, head) = (self.fields, request.head)
                let isKnown = head.headerFields[.ifModifiedSince] == fields[.lastModified]
                self.answers.withLock { $0.append(isKnown ? "304" : "200") }
                if isKnown { return .json("", status: .notModified, headerFields: fields) }
                let login = head.headerFields[self.name] ?? "none"
                return .json(#"[{"id": 1, "login": "\#(login)"}]"#, headerFields: fields)
            }
            return try FetchSetting(over: transport) {
                $0.interceptors = [
                    ClosureInterceptor { request, next in
                        var request = request
                        request.head.headerFields[self.name] = self.value.withLock(\.self)
                        return next(request)
                    }
                ]
                change(&$0)
            }
        }

        /// Asks by a value of the field; who comes, and by which answers.
        func asked(by value: String?, _ setting: FetchSetting) async throws -> [String] {
            self.value.withLock { $0 = value }
            let users: [User] = try await setting.client.enqueue(Resource("x")).value
            return users.map(\.login)
                + answers.withLock { answers in
                    defer { answers = [] }
                    return answers
                }
        }
    }

    /// Asks by a value after the other.
    private static func ask(
        _ server: Server, _ values: [String?],
        _ change: (inout Client.Configuration) -> Void = { _ in }
    ) async throws -> [[String]] {
        let setting = try server.setting(change)
        var answers: [[String]] = []
        for value in values { answers.append(try await server.asked(by: value, setting)) }
        return answers
    }

    @Test func `what was sent in another language is not confirmed`() async throws {
        let answers = try await Self.ask(
            Server(by: .acceptLanguage), ["de", "DE", "en", "en", nil, nil, "de"])
        #expect(
            answers == [
                ["de", "200"], ["de", "304"], ["en", "304", "200"], ["en", "304"],
                ["none", "304", "200"], ["none", "304"], ["de", "304", "200"],
            ])
    }

    @Test func `where anything may have chosen it, nothing is asked on a condition`() async throws {
        let answers = try await Self.ask(
            Server(by: .acceptLanguage, varying: "*"), ["de", "de"])
        #expect(answers == [["de", "200"], ["de", "200"]])
    }

    /// A token is another one after a while, whosever it is.
    @Test(arguments: [nil, "ann"])
    func `a credential counts where no account says whose the response is`(
        _ account: String?
    ) async throws {
        let answers = try await Self.ask(Server(by: .authorization), ["a", "b"]) {
            $0.account = account
        }
        #expect(answers.last == (account == nil ? ["b", "304", "200"] : ["a", "304"]))
    }

    @Test func `what was kept without it is confirmed once by any request, and by its like then`()
        async throws
    {
        let server = Server(by: .acceptLanguage)
        let setting = try server.setting()
        _ = try await server.asked(by: "de", setting)
        let client = setting.client
        let key = try #require(
            KeptResponseKey(
                of: client.request(for: Resource("x")), for: Resource("x"), account: nil,
                isOfSession: false
            ) { _ in false })
        try client.store.writeBeside { tables in
            var kept = try #require(try client.kept.find(key, in: tables))
            #expect(kept.variant.text?.contains("accept-language=") == true)
            kept.variant = KeptVariant()
            try client.kept.keep(kept, for: key, since: 0, wasGood: true, in: tables)
        }
        #expect(try await server.asked(by: "de", setting) == ["de", "304"])
        #expect(try await server.asked(by: "en", setting) == ["en", "304", "200"])
    }

    @Test func `it stands before the head as that was, and none of its values does`() throws {
        var head = HTTPResponse(status: .ok)
        head.headerFields = [.vary: "Accept-Language, X-Key, not a name", .eTag: "\"1\""]
        var request = try Client(baseURL: "http://test.invalid/", store: TestClient.store())
            .request(for: Resource("x"))
        request.head.headerFields[.acceptLanguage] = "de"
        let variant = KeptVariant(of: head, to: request) { _ in false }
        let kept = KeptHead(response: head, variant: variant, reading: "ab")
        let read = try #require(KeptHead(bytes: kept.bytes))
        #expect(read.response == head && read.reading == "ab")
        #expect(read.variant.text == variant.text && read.variant.isMatch(request))
        #expect(!String(decoding: kept.bytes, as: UTF8.self).contains("=de"))
        request.head.headerFields[.acceptLanguage] = "en"
        #expect(!read.variant.isMatch(request))
        // As an older version has it.
        let old = try #require(KeptHead(bytes: Array(head.lines.joined(separator: "\n").utf8)))
        #expect(old.response == head && old.reading == "" && old.variant.isMatch(request))
        #expect(KeptHead(bytes: Array("=ab\n200 OK".utf8)) == nil)
    }
}

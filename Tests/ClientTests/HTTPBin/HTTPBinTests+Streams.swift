import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

extension HTTPBinTests {
    /// Contents that come in pieces, in part, or late.
    @Suite struct Streams {
        let bin: HTTPBin
        let client: Client

        init() async throws {
            bin = try await HTTPBin.shared
            client = try TestClient.client(at: bin.baseURL)
        }

        @Test func `what comes in chunks is whole`() async throws {
            // Those of one seed are the same as long as nobody else asks for some.
            let bytes = try await client.enqueue(.get("bytes/5000?seed=7"), as: Data.self).value
            #expect(bytes.count == 5000)
            for size in [1, 7, 4999, 5000, 10_000] {
                let query: QueryParameters = ["seed": 7, "chunk_size": size]
                let response = try await client.enqueue(
                    .get("stream-bytes/5000", query: query), as: Response<Data>.self
                ).value
                #expect(response.value == bytes)
                #expect(response.headerFields[.contentLength] == nil)
            }
            let none = try await client.enqueue(.get("stream-bytes/0"), as: Data.self).value
            #expect(none.isEmpty)
        }

        @Test func `lines of JSON are text, and one of them is a document`() async throws {
            let text = try await client.enqueue(.get("stream/100?x=1"), as: String.self).value
            let lines = text.split(separator: "\n")
            #expect(lines.count == 100)
            for (index, line) in lines.enumerated() {
                let root = try JSONDocument(String(line)).root
                #expect(root.value(at: "id")?.integer == Int64(index))
                #expect(root.text("args.x") == "1")
            }
            let one = try await client.json(.get("stream/1"))
            #expect(one.value(at: "id")?.integer == 0)
            let two = client.enqueue(.get("stream/2"), as: JSONDocument.self)
            #expect(await two.clientError()?.reason == .malformedJSON)
        }

        @Test(arguments: [200, 404, 503])
        func `what drips is whole, whatever its status`(_ code: Int) async throws {
            let endpoint = AdHocEndpoint.get(
                "drip", query: ["numbytes": 500, "duration": 0, "code": code])
            let stars = Data(repeating: UInt8(ascii: "*"), count: 500)
            guard code == 200 else {
                let error = try #require(await client.error(of: endpoint))
                #expect(error.status?.code == code && error.body == stars)
                return
            }
            #expect(try await client.enqueue(endpoint, as: Data.self).value == stars)
        }

        // MARK: - Parts

        @Test(arguments: [
            ("bytes=10-19", "klmnopqrst", "bytes 10-19/100"), ("bytes=0-0", "a", "bytes 0-0/100"),
            ("bytes=95-", "rstuv", "bytes 95-99/100"), ("bytes=-3", "tuv", "bytes 97-99/100"),
        ])
        func `a part is what was asked for, and says which it is`(
            _ range: String, _ text: String, _ expected: String
        ) async throws {
            let part = try await client.enqueue(
                .get("range/100", headerFields: [.range: range]), as: Response<String>.self
            ).value
            #expect(part.status == .partialContent)
            #expect(part.value == text)
            #expect(part.headerFields[.contentRange] == expected)
            #expect(part.headerFields[.acceptRanges] == "bytes")
        }

        @Test func `what has no such part says how much there is`() async throws {
            let error = try #require(
                await client.error(of: .get("range/100", headerFields: [.range: "bytes=100-"])))
            #expect(error.reason == .unacceptableStatus && error.status == .rangeNotSatisfiable)
            #expect(error.headerFields?[.contentRange] == "bytes */100")
            let parts = [0..<40, 40..<80, 80..<100].map { range in
                client.enqueue(
                    .get(
                        "range/100",
                        headerFields: [
                            .range: "bytes=\(range.lowerBound)-\(range.upperBound - 1)"
                        ]), as: Data.self)
            }
            var whole = Data()
            for part in parts { whole += try await part.value }
            let all = try await client.enqueue(.get("range/100"), as: Data.self).value
            #expect(whole == all)
        }

        @Test func `large content goes through a file, and too large content is refused`()
            async throws
        {
            let whole = try await client.enqueue(
                .get("range/102400?chunk_size=1000"), as: Data.self
            ).value
            let spooling = client.configured { $0.limits.maximumMemory = 1_000 }
            let spooled = try await spooling.enqueue(
                .get("range/102400?chunk_size=1000"), as: Data.self
            ).value
            #expect(whole.count == 102_400 && spooled == whole)
            let limited = client.configured { $0.limits.maximumBodySize = 1_000 }
            for path in ["range/1001", "stream/20"] {
                let error = try #require(
                    await limited.enqueue(Resource(path), as: Data.self).clientError())
                #expect(error.reason == .transport)
                #expect((error.underlying as? TransportError)?.reason == .limitExceeded)
            }
        }

        @Test func `progress counts what has come, and ends with all of it`() async throws {
            let download = client.progress {
                $0.enqueue(.get("range/50000?chunk_size=500"), as: Data.self)
            }
            var seen: [TransferProgress] = []
            for await progress in download.progress { seen.append(progress) }
            #expect(try await download.promise.value.count == 50_000)
            #expect(seen.last?.received == 50_000 && seen.last?.fractionReceived == 1)
            #expect(seen.map(\.received) == seen.map(\.received).sorted())
        }

        // MARK: - Time

        @Test(arguments: [HTTPRequest.Method.get, .post])
        func `what takes its time arrives`(_ method: HTTPRequest.Method) async throws {
            let seen = try await client.json(
                AdHocEndpoint(method, "delay/0.05", query: ["x": 1]))
            #expect(seen.text("args.x") == "1")
        }

        /// httpbin waits for ten seconds, for ten minutes after the first byte, and for ten minutes before it.
        @Test(arguments: ["delay/10", "drip?numbytes=2&duration=1200", "drip?delay=600"])
        func `what takes longer than it may is given up`(_ path: String) async throws {
            let error = try #require(
                await client.error(of: AdHocEndpoint(.get, URLPath(path), timeout: .seconds(0.2))))
            #expect(error.reason == .transport)
            #expect(error.status == nil && error.body == nil)
            #expect((error.underlying as? TransportError)?.reason == .timedOut)
            // By the promise's own bound, too.
            let promise = client.enqueue(Resource(path), as: Void.self).timeout(after: .zero)
            await #expect(throws: PromiseError.self) { try await promise.value }
        }

        @Test func `one time is for all that a request leads to`() async throws {
            let endpoint = AdHocEndpoint.get(
                "redirect-to", query: ["url": "/delay/10"], timeout: .seconds(0.3))
            let error = try #require(await client.error(of: endpoint))
            #expect((error.underlying as? TransportError)?.reason == .timedOut)
        }

        @Test func `what is cancelled in the midst of its content stops there`() async throws {
            let hasBegun = Gate()
            let received = Seen<Int64>()
            let promise = client.reportingProgress { progress in
                received.note(progress.received)
                if progress.received > 0 { hasBegun.open() }
            }.enqueue(.get("drip?numbytes=100&duration=60000"), as: Data.self)
            try await hasBegun.wait()
            #expect(client.requestsInFlight.count == 1)
            promise.cancel()
            await #expect(throws: CancellationError.self) { try await promise.value }
            #expect(client.requestsInFlight.isEmpty)
            #expect(received.values.max() == 1)
            // Its connection carries nothing else.
            #expect(try await client.json(.get("get?x=1")).text("args.x") == "1")
        }

        // MARK: - Many at once

        @Test func `fifty at once each have their own answer`() async throws {
            let methods = (0..<50).map { [HTTPRequest.Method.post, .put, .patch][$0 % 3] }
            let echoes = methods.enumerated().map { number, method in
                let endpoint = AdHocEndpoint(
                    method, "anything/\(number)", query: ["n": number],
                    headerFields: [.named("X-Number"): "\(number)"],
                    body: .json(["id": number]))
                return client.enqueue(endpoint, as: Response<JSONDocument>.self)
            }
            for (number, promise) in echoes.enumerated() {
                let response = try await promise.value
                let seen = response.value.root
                #expect(seen.text("method") == methods[number].rawValue)
                #expect(seen.text("url") == "\(bin.baseURL)anything/\(number)?n=\(number)")
                #expect(seen.text("headers.X-Number") == "\(number)")
                #expect(seen.value(at: "json.id")?.integer == Int64(number))
                #expect(response.url?.absoluteString == seen.text("url"))
            }
        }

        @Test func `fifty at once are stored, but for those that are refused`() async throws {
            let users = (0..<50).map { number in
                let path = number.isMultiple(of: 5) ? "status/409" : "post"
                let body = RequestBody.json(["id": number, "login": "user \(number)"])
                let endpoint = AdHocEndpoint(.post, URLPath(path), body: body)
                return client.enqueue(endpoint, as: User.self, at: "json")
            }
            for (number, promise) in users.enumerated() {
                if number.isMultiple(of: 5) {
                    #expect(await promise.clientError()?.status == .conflict)
                } else {
                    #expect(try await promise.value.login == "user \(number)")
                }
            }
            let stored = try client.store.fetch(User.all).map(\.id)
            #expect(stored.sorted() == (0..<50).filter { !$0.isMultiple(of: 5) })
        }
    }
}

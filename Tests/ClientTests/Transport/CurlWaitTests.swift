#if !canImport(Darwin)
import CLarderCurl
import Foundation
import LarderTesting
import Testing

@testable import LarderClient

@Suite struct CurlWaitTests {
    @Test func `where it cannot wait for its connections it looks at them now and then`()
        async throws
    {
        let server = try RawServer { connection in
            while true {
                _ = try connection.readRequest()
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
            }
        }
        defer { server.stop() }
        let failures = Seen<Int32>()
        let pauses = Seen<Void>()
        var configuration = CurlTransport.Configuration()
        configuration.wait.poll = { _, milliseconds in
            failures.note(milliseconds)
            return CURLM_INTERNAL_ERROR
        }
        configuration.wait.pause = { [pause = configuration.wait.pause] in
            pauses.note(())
            pause()
        }
        let transport = CurlTransport(configuration: configuration)
        for _ in 0..<3 {
            let response = try await transport.response(to: TransportRequest.to(server.baseURL))
            #expect(response.body == Data("[]".utf8))
        }
        // Once more while it is being counted.
        #expect(failures.count > 0)
        #expect(pauses.count >= failures.count - 1)
    }
}
#endif

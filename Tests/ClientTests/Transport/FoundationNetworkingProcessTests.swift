#if LARDER_URLSESSION && !canImport(Darwin)
import Foundation
import LarderTesting
import Testing

@testable import LarderClient

/// Each hostile response in a process of its own, as some end theirs with FoundationNetworking.
@Suite struct FoundationNetworkingProcessTests {
    @Test(arguments: HostileResponse.all.map(\.name))
    func `a hostile response ends in what it deserves, in its own process`(
        _ name: String
    ) async throws {
        try await FoundationNetworkingFault.expecting(.of(name)) {
            await #expect(processExitsWith: .success) { [name] in
                let hostile = HostileResponse.all.first { $0.name == name }
                if let complaint = try await hostile?.complaint() {
                    print(complaint)
                    exit(1)
                }
            }
        }
    }
}

extension HostileResponse {
    fileprivate func complaint() async throws -> String? {
        let server = try RawServer { [self] connection in
            _ = try connection.readRequest()
            try connection.send(bytes)
            if staysOpen { connection.waitForClose() }
        }
        defer { server.stop() }
        let timeout: Duration = staysOpen ? .seconds(1) : .seconds(20)
        return complaint(
            about: await PlatformTransport().result(
                of: .to(server.baseURL, timeout: timeout, limits: Self.limits)))
    }
}
#endif

#if LARDER_URLSESSION && !canImport(Darwin)
import LarderTesting
import Testing

@testable import LarderClient

/// The hostile responses that end a process with FoundationNetworking, in a process for each.
@Suite struct FoundationNetworkingProcessTests {
    private static let names = HostileResponse.all.map(\.name).filter {
        FoundationNetworkingFault.of($0)?.effect == .isLeftOut
    }

    @Test(arguments: names)
    func `what is left out for that ends its process`(_ name: String) async {
        await #expect(processExitsWith: .failure) { [name] in
            guard let hostile = HostileResponse.all.first(where: { $0.name == name }) else {
                return
            }
            let server = try RawServer(sending: hostile.bytes)
            defer { server.stop() }
            _ = await PlatformTransport().error(
                of: .to(server.baseURL, timeout: .seconds(20), limits: HostileResponse.limits))
        }
    }
}
#endif

#if !canImport(Darwin)
import Foundation
import HTTPTypes
import LarderTesting
import Synchronization
import Testing

@testable import LarderClient

@Suite(.enabled(if: TLSServer.isPossible, "There is no python3 or no openssl on the PATH."))
struct CurlStandstillTests {
    @Test func `a process may end while exchanges are under way`() async {
        for _ in 0..<5 {
            await #expect(processExitsWith: .success) {
                let server = try await TLSServer(.echo)
                // Asked for before the TLS library, it runs behind that one's end, and lets others go on.
                atexit { for _ in 0..<2000 { sched_yield() } }
                let isAnswered = Gate()
                // All shake hands, as no connection is there yet.
                let transports = (0..<4).map { _ in
                    CurlTransport(configuration: server.configuration)
                }
                for _ in 0..<30 {
                    for transport in transports {
                        transport.send(.secure(server.baseURL)) { _ in isAnswered.open() }
                    }
                }
                try await isAnswered.wait()
                withExtendedLifetime((server, transports)) { exit(EXIT_SUCCESS) }
            }
        }
    }

    @Test func `a child that is forked amid work does not wait for it`() async {
        await #expect(processExitsWith: .success) {
            guard CurlTransport.isLibraryReady, let symbol = dlsym(dlopen(nil, RTLD_NOW), "fork")
            else { exit(EXIT_FAILURE) }
            let fork = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
            var status: CInt = -1
            CurlStandstill.working {
                let child = fork()
                if child == 0 {
                    // Ends it before the time for which it would wait.
                    alarm(20)
                    exit(EXIT_SUCCESS)
                }
                waitpid(child, &status, 0)
            }
            exit(status == 0 ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}
#endif

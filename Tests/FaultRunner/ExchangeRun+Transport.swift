import Foundation
import LarderClient

#if canImport(Darwin)
extension ExchangeRun {
    /// The platform's transport, which speaks HTTP/1.1 without TLS.
    static func transport(speaking version: String) throws -> any Transport {
        guard version == "1.1" else { throw Wrong("URLSession can't be told to speak \(version)") }
        return URLSessionTransport()
    }

    /// The platform's transport.
    static func transport(threadName: String) -> any Transport { URLSessionTransport() }

    /// The platform's transport, which trusts those that the system does.
    static func transport(trusting authority: Data) -> any Transport { URLSessionTransport() }
}
#else
extension ExchangeRun {
    /// The platform's transport, which speaks a version of HTTP without TLS.
    static func transport(speaking version: String) throws -> any Transport {
        var configuration = CurlTransport.Configuration()
        switch version {
        case "1.1": break
        case "2": configuration.httpVersions = .priorKnowledge
        default: throw Wrong("no version \(version)")
        }
        return CurlTransport(configuration: configuration)
    }

    /// The platform's transport, whose threads have a name.
    static func transport(threadName: String) -> any Transport {
        CurlTransport(configuration: .init(threadName: threadName))
    }

    /// The platform's transport, which trusts an authority about this machine.
    static func transport(trusting authority: Data) -> any Transport {
        var configuration = CurlTransport.Configuration()
        configuration.tls["127.0.0.1"] = TLSSettings(authorities: .only(authority))
        return CurlTransport(configuration: configuration)
    }
}
#endif

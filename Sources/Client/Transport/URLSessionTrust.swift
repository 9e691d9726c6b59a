#if canImport(Darwin) || LARDER_URLSESSION
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The settings of hosts as the answers to those who show certificates, or ask for one.
struct URLSessionTrust: Sendable {
    /// An error where settings cannot be kept, by which nothing is sent at all.
    private let hosts: Result<HostSettings<HostTrust>, TransportError>

    init(_ tls: [String: TLSSettings]) {
        hosts = Result { () throws(TransportError) in
            var trusts: [String: HostTrust] = [:]
            for (name, settings) in tls { trusts[name] = try HostTrust(settings) }
            return try HostSettings(trusts)
        }
    }

    /// Refuses a request whose host may have settings that it would not be found by.
    func check(_ request: TransportRequest) throws(TransportError) {
        let hosts = try hosts.get()
        guard !hosts.isEmpty, let url = URL(string: request.urlText), let host = url.host() else {
            return
        }
        guard !HostName(host).isAddressInOtherForm else {
            throw .invalidRequest("The URL's host is an address in a form of its own.")
        }
    }

    func answer(to challenge: URLAuthenticationChallenge) -> TrustAnswer {
        guard case .success(let hosts) = hosts,
            let trust = hosts[HostName(challenge.protectionSpace.host)]
        else { return .asEver }
        return trust.answer(to: challenge)
    }
}
#endif

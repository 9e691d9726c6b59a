#if LARDER_URLSESSION && !canImport(Darwin)
import FoundationNetworking

/// The settings of a host, none of which FoundationNetworking can keep.
struct HostTrust: Sendable {
    init(_ settings: TLSSettings) throws(TransportError) {
        guard settings == TLSSettings() else {
            throw TransportError(
                .secureConnectionFailed, "FoundationNetworking has no settings of hosts.")
        }
    }

    func answer(to challenge: URLAuthenticationChallenge) -> TrustAnswer { .asEver }
}
#endif

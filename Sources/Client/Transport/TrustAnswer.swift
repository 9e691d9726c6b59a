#if canImport(Darwin) || LARDER_URLSESSION
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The answer to a server that shows its certificate, or asks for one.
enum TrustAnswer {
    /// What the system does by itself.
    case asEver
    case credential(URLCredential)
    case refusal(TransportError)
}
#endif

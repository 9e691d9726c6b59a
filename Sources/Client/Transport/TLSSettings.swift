public import Foundation

/// What is asked of a host's certificate, and shown to it, beyond what is asked of all.
///
/// ```swift
/// var configuration = CurlTransport.Configuration()
/// configuration.tls["intranet.example.com"] = TLSSettings(authorities: .only(pem))
/// configuration.tls["*.example.com"] = TLSSettings(pins: [current, next])
/// ```
///
/// Certificates, their dates and host names are verified with any settings.
public struct TLSSettings: Sendable, Hashable {
    /// The authorities that vouch for a host's certificate.
    public enum Authorities: Sendable, Hashable {
        /// Those of the system.
        case system
        /// Those of the system and others, whose certificates stand one after the other as PEM.
        case systemAnd(Data)
        /// Only those whose certificates stand one after the other as PEM.
        case only(Data)
    }

    /// The authorities that vouch for the host's certificate; those of the system unless set.
    public var authorities: Authorities

    /// The public keys of which the host's certificate has to have one; any unless set.
    ///
    /// With only one, nobody gets through any more once the server has to change its key: have the next one made,
    /// and pin it as well.
    public var pins: [PublicKeyPin]

    /// The certificate that is shown to the host where it asks for one; none unless set.
    public var clientCertificate: ClientCertificate?

    /// Creates settings.
    public init(
        authorities: Authorities = .system, pins: [PublicKeyPin] = [],
        clientCertificate: ClientCertificate? = nil
    ) {
        self.authorities = authorities
        self.pins = pins
        self.clientCertificate = clientCertificate
    }
}

/// The SHA-256 of a certificate's public key, as RFC 7469 pins keys.
///
/// `openssl x509 -in server.pem -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64`
/// gives a certificate's.
public struct PublicKeyPin: Sendable, Hashable, CustomStringConvertible {
    /// The hash in base64.
    public let description: String

    /// Creates a pin of a hash in base64, which may begin with `sha256/`.
    ///
    /// - Throws: ``TransportError`` of the reason ``TransportError/Reason/invalidRequest`` where it is not the base64
    ///   of 32 bytes.
    public init(_ base64: String) throws(TransportError) {
        let text = base64.hasPrefix("sha256/") ? String(base64.dropFirst(7)) : base64
        guard let hash = Data(base64Encoded: text), hash.count == 32 else {
            throw .invalidRequest("A pin is the base64 of a SHA-256, of 32 bytes.")
        }
        description = hash.base64EncodedString()
    }
}

/// A certificate that is shown to servers, and its key.
public struct ClientCertificate: Sendable, Hashable {
    enum Contents: Hashable {
        case pem(certificates: Data, key: Data)
        case pkcs12(Data)
    }

    let contents: Contents
    let password: String?

    /// The certificate, those between it and its authority if the server needs them, and its key, as PEM.
    public static func pem(
        certificates: Data, key: Data, password: String? = nil
    ) -> ClientCertificate {
        ClientCertificate(
            contents: .pem(certificates: certificates, key: key), password: password)
    }

    /// A certificate and its key in one, as PKCS #12 (`.p12`, `.pfx`), the one form that Apple's systems read.
    public static func pkcs12(_ contents: Data, password: String? = nil) -> ClientCertificate {
        ClientCertificate(contents: .pkcs12(contents), password: password)
    }
}

extension ClientCertificate: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The form of the certificate, without its content.
    public var description: String {
        switch contents {
        case .pem: "ClientCertificate(PEM)"
        case .pkcs12: "ClientCertificate(PKCS #12)"
        }
    }

    /// The description.
    public var debugDescription: String { description }

    /// Nothing, as there is nothing but secrets.
    public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}

#if canImport(Darwin)
import CryptoKit
import Foundation
import Security

/// The settings of a host, in the system's terms.
struct HostTrust: Sendable {
    let settings: TLSSettings
    /// As DER.
    private let authorities: [Data]

    /// Takes settings, all of which the system can keep.
    init(_ settings: TLSSettings) throws(TransportError) {
        self.settings = settings
        switch settings.authorities {
        case .system: authorities = []
        case .systemAnd(let text), .only(let text):
            guard let certificates = CertificateKey.certificates(inPEM: text),
                !certificates.isEmpty,
                certificates.allSatisfy({ SecCertificateCreateWithData(nil, $0 as CFData) != nil })
            else {
                throw Self.failed("The authorities that are set for the host could not be read.")
            }
            authorities = certificates
        }
        if settings.clientCertificate != nil { _ = try credential() }
    }

    func answer(to challenge: URLAuthenticationChallenge) -> TrustAnswer {
        let space = challenge.protectionSpace
        do throws(TransportError) {
            switch space.authenticationMethod {
            case NSURLAuthenticationMethodServerTrust:
                guard let trust = space.serverTrust else {
                    throw Self.failed("The server's certificate is not trusted.")
                }
                try check(trust)
                return .credential(URLCredential(trust: trust))
            case NSURLAuthenticationMethodClientCertificate:
                guard settings.clientCertificate != nil else { return .asEver }
                return .credential(try credential())
            default: return .asEver
            }
        } catch {
            return .refusal(error)
        }
    }

    private func check(_ trust: SecTrust) throws(TransportError) {
        if !authorities.isEmpty {
            let certificates = authorities.compactMap {
                SecCertificateCreateWithData(nil, $0 as CFData)
            }
            var isOnly = false
            if case .only = settings.authorities { isOnly = true }
            guard SecTrustSetAnchorCertificates(trust, certificates as CFArray) == errSecSuccess,
                SecTrustSetAnchorCertificatesOnly(trust, isOnly) == errSecSuccess
            else {
                throw Self.failed("The authorities that are set for the host could not be read.")
            }
        }
        var error: CFError?
        guard SecTrustEvaluateWithError(trust, &error) else {
            let code = error.map { CFErrorGetCode($0) } ?? 0
            throw Self.failed(Self.sentence(for: code), code: code)
        }
        guard !settings.pins.isEmpty else { return }
        let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
        let key = chain?.first.flatMap {
            CertificateKey.info(ofCertificate: SecCertificateCopyData($0) as Data)
        }
        let hash = key.map { Data(SHA256.hash(data: $0)).base64EncodedString() }
        guard settings.pins.contains(where: { $0.description == hash }) else {
            throw Self.failed("The server's public key is none of those that are pinned.")
        }
    }

    private static func sentence(for code: Int) -> String {
        switch OSStatus(code) {
        case errSecCertificateExpired: "The server's certificate has expired."
        case errSecCertificateNotValidYet: "The server's certificate is not valid yet."
        case errSecHostNameMismatch: "The server's certificate is for another host."
        default: "The server's certificate is not trusted."
        }
    }

    static func failed(_ sentence: String, code: Int? = nil) -> TransportError {
        TransportError(.secureConnectionFailed, sentence, code: code)
    }
}
#endif

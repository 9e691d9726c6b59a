#if canImport(Darwin)
import Foundation
import Security

extension HostTrust {
    /// The client's certificate with its key, which is read anew each time and kept in no keychain.
    func credential() throws(TransportError) -> URLCredential {
        guard case .pkcs12(let contents)? = settings.clientCertificate?.contents else {
            throw Self.failed("The system reads a client's certificate only as PKCS #12.")
        }
        let options: [String: Any] = [
            kSecImportExportPassphrase as String: settings.clientCertificate?.password ?? "",
            kSecImportToMemoryOnly as String: true,
        ]
        var items: CFArray?
        let status = SecPKCS12Import(contents as CFData, options as CFDictionary, &items)
        let read = (items as? [[String: Any]]) ?? []
        let identities = read.compactMap { $0[kSecImportItemIdentity as String] } as? [SecIdentity]
        guard status == errSecSuccess, let identity = identities?.first else {
            throw Self.failed(
                "The client's certificate, or its key, could not be read.", code: Int(status))
        }
        // The first is the identity's own.
        let chain = read.first?[kSecImportItemCertChain as String] as? [SecCertificate] ?? []
        return URLCredential(
            identity: identity, certificates: Array(chain.dropFirst()), persistence: .forSession)
    }
}
#endif

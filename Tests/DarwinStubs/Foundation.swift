// swift-format-ignore-file
// What Larder uses of Apple's Foundation and is not in the one for Linux, or of no use there, for
// `Scripts/check-darwin`, which compiles it into the module that is checked.
public import Foundation
public import FoundationNetworking
public import Security

public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"
public let NSURLAuthenticationMethodClientCertificate =
    "NSURLAuthenticationMethodClientCertificate"

extension URLProtectionSpace {
    public var serverTrust: SecTrust? { nil }
}

extension URLCredential {
    public convenience init(
        identity: SecIdentity, certificates certArray: [Any]?,
        persistence: URLCredential.Persistence
    ) {
        self.init(user: "", password: "", persistence: persistence)
    }

    public convenience init(trust: SecTrust) {
        self.init(user: "", password: "", persistence: .none)
    }
}

extension URLSessionConfiguration {
    public class func background(withIdentifier identifier: String) -> URLSessionConfiguration {
        .ephemeral
    }

    public var sessionSendsLaunchEvents: Bool {
        get { true }
        set {}
    }

    public var sharedContainerIdentifier: String? {
        get { nil }
        set {}
    }
}

extension NSData {
    public enum CompressionAlgorithm: Int, Sendable {
        case lzfse, lz4, lzma, zlib
    }

    public func compressed(using algorithm: NSData.CompressionAlgorithm) throws -> Self { self }
}

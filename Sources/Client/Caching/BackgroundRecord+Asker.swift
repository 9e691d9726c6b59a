#if canImport(Darwin) || LARDER_URLSESSION
import Foundation
import HTTPTypes

extension BackgroundRecord {
    static func makeSalt() -> Data { Data(KeyMaker.makeSalt()) }

    /// The digest of what tells apart who asks for a resource: credentials, and what they would rather have.
    static func asker(of request: TransportRequest, salt: Data) -> Data? {
        let redaction = Redaction().adding(request.secretNames)
        let maker = KeyMaker(salt: Array(salt)) {
            redaction.isSecret($0) || $0.canonicalName.hasPrefix("accept")
        }
        return maker.keys(for: request).key(of: request).map { Data($0.account) }
    }
}
#endif

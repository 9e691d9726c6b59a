import HTTPTypes
import LarderPromises

/// The names of header fields whose values are secret by a redaction, each worked out once.
final class SecretFields: Sendable {
    let redaction: Redaction
    private let known = Guarded<[HTTPField.Name: Bool]>([:])

    /// The most names that are kept in mind; servers may send any.
    private static let limit = 512

    init(_ redaction: Redaction) { self.redaction = redaction }

    func contain(_ name: HTTPField.Name) -> Bool {
        if let isSecret = known.withLock({ $0[name] }) { return isSecret }
        let isSecret = redaction.isSecret(name)
        known.withLock { known in
            if known.count >= Self.limit { known.removeAll() }
            known[name] = isSecret
        }
        return isSecret
    }
}

import Dispatch
public import Foundation
public import LarderObjectStore

/// Sends endpoints to one API and puts what comes back into a store.
///
/// ```swift
/// let client = Client(baseURL: "https://api.example.com/", store: store)
/// client.enqueue(GitHub.issues(repository: "larder"))
///     .then { (issues: Many<Issue>) in print(issues) }
///     .catch { error in print(error) }
/// ```
///
/// What a response becomes is chosen where it is awaited, by the closure's annotation or the
/// variable's type: an entity, `Many`, an array or optional of these, a `Wrapper`, anything
/// `Decodable`, `JSONDocument`, `Data`, `String` or `Void`; and ``Response`` of any of them, which adds
/// the status and the header fields. Endpoints that are a ``RespondingEndpoint`` say it themselves.
///
/// A response is stored whole or not at all, and before the promise is fulfilled. Promises are
/// rejected with a ``ClientError``, with `CancellationError` once cancelled, or with what an
/// interceptor, validator or processor threw.
public final class Client: Sendable {
    /// The URL against which endpoints' paths are resolved.
    public let baseURL: URL?

    /// Where responses are stored.
    public let store: Store

    /// How requests are sent and responses read.
    public let configuration: Configuration

    /// Where responses are read and stored, one after the other, off the transport's thread.
    let importQueue = DispatchQueue(label: "larder.client.import", qos: .userInitiated)

    /// Creates a client from a base URL's text.
    ///
    /// A path is resolved as RFC 3986 has it, so a base that names a folder ends in a slash. Text that
    /// is no absolute http or https URL makes every enqueued endpoint reject with
    /// ``ClientError/Reason/invalidRequest``.
    public convenience init(
        baseURL: String, store: Store, configuration: Configuration = Configuration()
    ) {
        let isPlain = baseURL.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
        self.init(
            baseURL: isPlain ? URL(string: baseURL) : nil, store: store,
            configuration: configuration)
    }

    /// Creates a client.
    public convenience init(
        baseURL: URL, store: Store, configuration: Configuration = Configuration()
    ) {
        self.init(baseURL: Optional(baseURL), store: store, configuration: configuration)
    }

    private init(baseURL: URL?, store: Store, configuration: Configuration) {
        self.baseURL = baseURL
        self.store = store
        self.configuration = configuration
    }
}

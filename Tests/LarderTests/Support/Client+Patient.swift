import Foundation
import Larder

extension Client {
    /// A client for tests: what a busy machine answers late is no timeout.
    static func patient(baseURL: URL, store: Store) -> Client {
        Client(
            baseURL: baseURL, store: store,
            configuration: Client.Configuration(timeout: .seconds(600)))
    }
}

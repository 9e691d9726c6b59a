#if canImport(Darwin)
import Foundation
import LarderPromises

extension BackgroundTransport {
    /// The exchanges that the system makes while the app does not run.
    static func exchanger(
        _ identifier: String, _ settings: Configuration,
        _ onEnd: @escaping @Sendable (BackgroundTransfer) -> Void
    ) -> (any BackgroundExchanger)? {
        let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
        configuration.storeNothing()
        configuration.isDiscretionary = settings.isDiscretionary
        configuration.sessionSendsLaunchEvents = settings.launchesApp
        configuration.allowsCellularAccess = settings.allowsCellularAccess
        configuration.sharedContainerIdentifier = settings.sharedContainer
        configuration.timeoutIntervalForResource =
            Double(max(settings.timeout.wholeMilliseconds, 1)) / 1000
        return URLSessionBackground(configuration, tls: settings.tls, onEnd: onEnd)
    }
}
#endif

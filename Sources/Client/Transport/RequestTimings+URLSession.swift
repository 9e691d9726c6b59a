#if canImport(Darwin) || LARDER_URLSESSION
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension RequestTimings {
    /// Takes the times of a task's last exchange; nil where there was none.
    init?(_ metrics: URLSessionTaskMetrics) {
        guard let exchange = metrics.transactionMetrics.last else { return nil }
        self.init()
        isConnectionReused = exchange.isReusedConnection
        nameLookup = Self.time(
            from: exchange.domainLookupStartDate, to: exchange.domainLookupEndDate)
        // Which ends where the handshake begins, though the system counts that in.
        connect = Self.time(
            from: exchange.connectStartDate,
            to: exchange.secureConnectionStartDate ?? exchange.connectEndDate)
        secureConnect = Self.time(
            from: exchange.secureConnectionStartDate, to: exchange.secureConnectionEndDate)
        firstByte = Self.time(
            from: exchange.requestStartDate ?? exchange.fetchStartDate,
            to: exchange.responseStartDate)
        transfer = Self.time(from: exchange.fetchStartDate, to: exchange.responseEndDate)
    }

    private static func time(from start: Date?, to end: Date?) -> Duration? {
        guard let start, let end, end >= start else { return nil }
        return .seconds(end.timeIntervalSince(start))
    }
}
#endif

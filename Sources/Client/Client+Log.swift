import HTTPTypes
import Logging

extension Client {
    /// Writes a line about a request at level debug; its URL is handed over as it may appear there.
    func log(_ request: TransportRequest, _ line: (_ url: String) -> String) {
        guard let logger = configuration.logger, logger.logLevel <= .debug else { return }
        logger.debug("\(line(configuration.redaction.url(request.urlText)))")
    }

    /// Writes header fields at level trace.
    func logFields(_ fields: HTTPFields) {
        guard let logger = configuration.logger, logger.logLevel <= .trace else { return }
        logger.trace("\(configuration.redaction.line(fields))")
    }
}

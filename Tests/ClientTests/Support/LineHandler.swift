import LarderClient
import Logging

/// Collects the lines of a log.
struct LineHandler: LogHandler {
    let lines: Seen<String>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    static func logger(_ lines: Seen<String>, level: Logger.Level) -> Logger {
        var logger = Logger(label: "test") { _ in LineHandler(lines: lines) }
        logger.logLevel = level
        return logger
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.note("\(event.level) \(event.message)")
    }
}

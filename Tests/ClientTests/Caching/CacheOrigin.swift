import Foundation
import LarderPromises
import LarderTesting

/// A server that answers each request by a scenario's step, over a socket.
///
/// A request names its scenario by its path and its step by the field `Step`.
final class CacheOrigin: Sendable {
    /// A request as it came, and the fields that were sent back and are to be seen.
    struct Visit: Sendable {
        var step: Int
        var method: String
        var fields: [String: String]
        var sent: [(String, String)]
    }

    private struct Run: Sendable {
        var scenario: CacheScenario
        var visits: [Visit] = []
        /// The fields that were sent by each step.
        var sent: [Int: [String: String]] = [:]
    }

    private let runs = Guarded<[String: Run]>([:])
    private let now: @Sendable () -> Date
    private let server: Guarded<RawServer?> = Guarded(nil)

    let baseURL: URL

    init(now: @escaping @Sendable () -> Date) throws {
        self.now = now
        let box = OriginReference()
        let server = try RawServer { connection in
            while let origin = box.origin {
                let text = try connection.readRequest()
                guard let bytes = origin.answer(text) else { return }
                try connection.send(bytes)
            }
        }
        baseURL = server.baseURL
        self.server.withLock { $0 = server }
        box.set(self)
    }

    func add(_ scenario: CacheScenario, as token: String) {
        runs.withLock { $0[token] = Run(scenario: scenario) }
    }

    func visits(_ token: String) -> [Visit] { runs.withLock { $0[token]?.visits ?? [] } }

    func stop() { server.withLock { $0.take() }?.stop() }

    // MARK: Answers

    /// Nil where the connection is to be closed.
    private func answer(_ text: String) -> [UInt8]? {
        let lines = text.components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ").map(String.init)
        guard words.count == 3 else { return nil }
        var fields: [String: String] = [:]
        for line in lines.dropFirst().prefix(while: { !$0.isEmpty }) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let name = line[..<colon].lowercased()
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            fields[name] = fields[name].map { $0 + ", " + value } ?? value
        }
        let token = String(
            words[1].split(separator: "?")[0].split(separator: "/").first ?? "")
        return runs.withLock { runs in
            guard var run = runs[token], let step = fields["step"].flatMap({ Int($0) }),
                run.scenario.steps.indices.contains(step)
            else { return Array("HTTP/1.1 409 Conflict\r\nContent-Length: 0\r\n\r\n".utf8) }
            var last: [String: String] = [:]
            if step > 0 {
                last = run.sent[step - 1] ?? run.scenario.steps[step - 1].plainFields
            }
            let answer = Self.answer(
                run.scenario.steps[step], after: last, to: words[0], words[1], fields,
                visit: run.visits.count + 1, token, now())
            run.sent[step] = answer.all
            run.visits.append(
                Visit(step: step, method: words[0], fields: fields, sent: answer.sent))
            runs[token] = run
            return answer.bytes
        }
    }

    private static func answer(
        _ step: CacheScenario.Step, after last: [String: String], to method: String,
        _ target: String, _ fields: [String: String], visit: Int, _ token: String, _ now: Date
    ) -> (bytes: [UInt8]?, sent: [(String, String)], all: [String: String]) {
        func text(_ field: CacheScenario.Field) -> String {
            switch field.value {
            case .date(let offset):
                return date(
                    now + Double(offset), isOld: step.oldDates.contains(field.name.lowercased()))
            case .text(let text):
                let isLocation = ["location", "content-location"].contains(field.name.lowercased())
                guard isLocation, step.hasMagicLocations else { return text }
                return text.isEmpty ? target : target + "/" + text
            }
        }
        var status = step.status
        if [.confirmedByTag, .confirmedByTime].contains(step.expectation) {
            let isConfirmed = [("last-modified", "if-modified-since"), ("etag", "if-none-match")]
                .contains { name, condition in last[name].map { $0 == fields[condition] } == true }
            status = isConfirmed ? 304 : 999
        }
        let own = step.response.map { ($0, text($0)) }
        let sent = own.filter(\.0.isChecked).map { ($0.0.name, $0.1) }
        let all = Dictionary(own.map { ($0.0.name.lowercased(), $0.1) }) { $1 }
        if step.disconnects { return (nil, sent, all) }
        var lines = ["HTTP/1.1 \(status) Status"]
        lines.append("Visit-Count: \(visit)")
        lines.append("Step-Count: \((fields["step"].flatMap { Int($0) } ?? 0) + 1)")
        lines.append("Origin-Now: \(Int(now.timeIntervalSince1970))")
        lines += own.map { "\($0.0.name): \($0.1)" }
        let names = Set(own.map { $0.0.name.lowercased() })
        if !names.contains("date") { lines.append("Date: \(date(now, isOld: false))") }
        if !names.contains("content-type") { lines.append("Content-Type: text/plain") }
        let body = [204, 304].contains(status) || method == "HEAD" ? "" : step.body ?? token
        if !names.contains("content-length"), !names.contains("transfer-encoding"),
            ![204, 304].contains(status)
        {
            lines.append("Content-Length: \(body.utf8.count)")
        }
        return (Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8), sent, all)
    }

    static func date(_ date: Date, isOld: Bool) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat =
            isOld ? "EEEE, dd-MMM-yy HH:mm:ss 'GMT'" : "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: date)
    }
}

extension CacheScenario.Step {
    /// The fields of its response that are text.
    fileprivate var plainFields: [String: String] {
        response.reduce(into: [:]) { fields, field in
            if case .text(let text) = field.value { fields[field.name.lowercased()] = text }
        }
    }
}

/// Lets the server's closure know its origin, which is made after it.
private final class OriginReference: Sendable {
    private struct Box: Sendable {
        weak var origin: CacheOrigin?
    }

    private let box = Guarded(Box())

    var origin: CacheOrigin? { box.withLock { $0.origin } }

    func set(_ origin: CacheOrigin) { box.withLock { $0.origin = origin } }
}

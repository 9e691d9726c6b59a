import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting

@testable import LarderClient

/// Plays a scenario: real requests over a socket, with a cache whose time the scenario lets pass.
struct CacheRun {
    let clock = WallClock()
    let origin: CacheOrigin
    let cache: ResponseCache
    let client: Client

    /// - Parameter store: Where responses are kept; in memory where it is nil.
    init(in store: Store?, policy: CachePolicy = .http) throws {
        origin = try CacheOrigin { [clock] in clock.now }
        cache = ResponseCache(in: store) { [clock] in clock.now }
        var configuration = Client.Configuration(
            headerFields: [:], validators: [], timeout: .seconds(600))
        configuration.cache = cache
        configuration.cachePolicy = policy
        configuration.redirects = .ignore
        client = Client(
            baseURL: origin.baseURL, store: try store ?? TestClient.store(),
            configuration: configuration)
    }

    /// Returns what is not as it is to be; nil where all is.
    func failure(in scenario: CacheScenario) async throws -> String? {
        let token = UUID().uuidString.lowercased()
        origin.add(scenario, as: token)
        var responses: [Response<Data>?] = []
        for (index, step) in scenario.steps.enumerated() {
            var response: Response<Data>?
            do {
                response = try await client.enqueue(request(step, index, token)).value
            } catch let error as ClientError where step.expectedStatus == .some(nil) {
                // As it is to be, where the server hangs up and nothing may take its place.
                _ = error
            } catch {
                return "response \(index + 1) failed: \(error)"
            }
            responses.append(response)
            if let response, let failure = failure(response, step, index, token) {
                return failure
            }
            _ = try await cache.settled().value
            clock.pass(step.pause)
        }
        return failure(scenario.steps, responses, origin.visits(token))
    }

    private func request(
        _ step: CacheScenario.Step, _ index: Int, _ token: String
    ) -> AdHocEndpoint {
        var fields = HTTPFields()
        for (name, value) in step.fields {
            guard let name = HTTPField.Name(name) else { continue }
            fields.append(
                HTTPField(name: name, value: value.trimmingCharacters(in: .whitespaces)))
        }
        // As browsers say it.
        if step.isReload, !fields.contains(.cacheControl) { fields[.cacheControl] = "max-age=0" }
        fields[.named("Step")] = "\(index)"
        let method = HTTPRequest.Method(step.method) ?? .get
        // As it is, slashes and all.
        let path: String = "/\(token)\(step.suffix)"
        return AdHocEndpoint(
            method, URLPath(path), headerFields: fields,
            body: step.content.map { .data(Data($0.utf8), contentType: "text/plain") })
    }

    // MARK: What the client sees

    private func failure(
        _ response: Response<Data>, _ step: CacheScenario.Step, _ index: Int, _ token: String
    ) -> String? {
        let which = "response \(index + 1)"
        let fields = response.headerFields
        let visit = fields[.named("Visit-Count")].flatMap { Int($0) } ?? 0
        switch step.expectation {
        case .cache where visit >= index + 1: return "\(which) does not come from the cache"
        case .server where visit != index + 1: return "\(which) comes from the cache"
        default: break
        }
        switch step.expectedStatus {
        case .some(let status?) where response.status.code != status:
            return "\(which) has status \(response.status.code), not \(status)"
        case .none where response.status.code != step.status:
            return "\(which) has status \(response.status.code), not \(step.status)"
        default: break
        }
        for check in step.checks {
            if let failure = failure(check, fields) { return "\(which): \(failure)" }
        }
        guard step.checksBody, step.method != "HEAD", ![204, 304].contains(response.status.code)
        else { return nil }
        let text = String(decoding: response.value, as: UTF8.self)
        switch step.expectedBody {
        case .some(let body?) where text != body: return "\(which) is \"\(text)\", not \"\(body)\""
        case .none where text != step.body ?? token:
            return "\(which) is \"\(text)\", not \"\(step.body ?? token)\""
        default: return nil
        }
    }

    private func failure(_ check: CacheScenario.Check, _ fields: HTTPFields) -> String? {
        func value(_ name: String) -> String? { fields[.named(name)] }
        switch check {
        case .present(let name): return value(name) == nil ? "no \(name)" : nil
        case .absent(let name): return value(name) == nil ? nil : "there is \(name)"
        case .same(let name, let other):
            return value(name) == value(other) ? nil : "\(name) is not \(other)"
        case .more(let name, let least):
            let number = value(name).flatMap { Int($0) }
            return number.map { $0 > least } == true
                ? nil : "\(name) is \(value(name) ?? "nothing"), not more than \(least)"
        case .equal(let name, .text(let text)):
            return value(name) == text ? nil : "\(name) is \(value(name) ?? "nothing"), not \(text)"
        case .equal(let name, .date(let offset)):
            let made = value("Origin-Now").flatMap { Double($0) } ?? 0
            let date = CacheOrigin.date(
                Date(timeIntervalSince1970: made + Double(offset)), isOld: false)
            return value(name) == date ? nil : "\(name) is \(value(name) ?? "nothing"), not \(date)"
        }
    }

    // MARK: What the server has seen

    private func failure(
        _ steps: [CacheScenario.Step], _ responses: [Response<Data>?],
        _ visits: [CacheOrigin.Visit]
    ) -> String? {
        var next = 0
        for (index, step) in steps.enumerated() {
            if step.expectation == .cache { continue }
            let visit = visits.indices.contains(next) ? visits[next] : nil
            next += 1
            let which = "request \(index + 1)"
            var asked = step.asked
            switch step.expectation {
            case .server where visit?.step != index: return "\(which) was not sent"
            case .confirmedByTag: asked.append(("if-none-match", nil))
            case .confirmedByTime: asked.append(("if-modified-since", nil))
            default: break
            }
            if !asked.isEmpty, visit == nil { return "\(which) was not sent" }
            guard let visit else { continue }
            for (name, value) in asked {
                guard let sent = visit.fields[name.lowercased()], value == nil || value == sent
                else {
                    return "\(which): \(name) is \(visit.fields[name.lowercased()] ?? "not there")"
                }
            }
            for name in step.notAsked where visit.fields[name.lowercased()] != nil {
                return "\(which) has \(name)"
            }
            if let method = step.expectedMethod, visit.method != method {
                return "\(which) has method \(visit.method)"
            }
            if let failure = failure(responses[index], visit, index) { return failure }
        }
        return nil
    }

    private func failure(
        _ response: Response<Data>?, _ visit: CacheOrigin.Visit, _ index: Int
    ) -> String? {
        guard let response else { return nil }
        for (name, _) in visit.sent
        where !["date", "set-cookie", "set-cookie2"].contains(name.lowercased()) {
            let values = visit.sent.filter { $0.0.lowercased() == name.lowercased() }.map(\.1)
            let expected = values.joined(separator: ", ")
            let seen = response.headerFields[.named(name)]
            if seen != expected {
                return "response \(index + 1): \(name) is \(seen ?? "nothing"), not \(expected)"
            }
        }
        return nil
    }
}

import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Random programs of requests, changes, failures and time, played to a client with a cache and to rules that are
/// written a second time: both give the same answers from the same places, and ask the server as often.
///
/// `LARDER_ORACLE_SEED` is the first seed, `LARDER_ORACLE_COUNT` how many programs there are, 1,000 at most.
@Suite struct CacheLawTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let first = environment["LARDER_ORACLE_SEED"].flatMap(Int.init) ?? 0
    private static let count =
        environment["LARDER_ORACLE_COUNT"].flatMap(Int.init).map { min($0, 1_000) } ?? 60

    @Test(arguments: first..<first + count, [false, true])
    func `a cache answers as the rules say, in memory and in a file`(
        _ seed: Int, _ isInFile: Bool
    ) async throws {
        var random = SplitMix(seed: UInt64(seed))
        let world = try CacheWorld(isInFile: isInFile)
        var program: [String] = []
        for _ in 0..<50 {
            let step = CacheStep.random(&random, isInFile: isInFile)
            program.append("\(step)")
            let (found, asked) = try await world.take(step)
            let (expected, count) = world.server.model.withLock { ($0.take(step), $0.asked) }
            guard found == expected, asked == count else {
                Issue.record(
                    """
                    seed \(seed): \(program.joined(separator: "\n"))
                    gives \(found), asked \(asked) times, not \(expected), \(count) times
                    """)
                return
            }
        }
    }
}

/// One step of a program.
private enum CacheStep: Sendable {
    case get(CacheModel.Who, CacheModel.Policy, isHead: Bool)
    case put(String)
    case change(String, CacheModel.Resource)
    case state(CacheModel.State)
    case pass(Double)
    case flush

    static func random(_ random: inout SplitMix, isInFile: Bool) -> CacheStep {
        let path = ["a", "b"].randomElement(using: &random) ?? "a"
        switch Int.random(in: 0..<24, using: &random) {
        case 0: return .put(path)
        case 1..<4: return .change(path, resource(&random))
        case 4: return .state([.up, .failing, .gone].randomElement(using: &random) ?? .up)
        case 5, 6: return .state(.up)
        case 7..<11:
            return .pass([0.5, 2, 4, 5, 9, 20, 100].randomElement(using: &random) ?? 1)
        case 11 where Int.random(in: 0..<3, using: &random) == 0: return .flush
        default:
            let who = CacheModel.Who(
                path: path, account: ["", "ann", "bob"].randomElement(using: &random) ?? "",
                kind: ["x", "y"].randomElement(using: &random) ?? "")
            return .get(
                who, policy(&random, isInFile), isHead: Int.random(in: 0..<8, using: &random) == 0)
        }
    }

    private static func resource(_ random: inout SplitMix) -> CacheModel.Resource {
        func seconds(_ random: inout SplitMix) -> Double? {
            [nil, 0, 5, 10].randomElement(using: &random) ?? nil
        }
        func isRare(_ random: inout SplitMix) -> Bool { Int.random(in: 0..<8, using: &random) == 0 }
        var control = CacheModel.Control(time: seconds(&random))
        if Bool.random(using: &random) { control.whileAsking = seconds(&random) }
        if Bool.random(using: &random) { control.whileFailing = seconds(&random) }
        control.isNeverKept = isRare(&random)
        control.isAlwaysAsked = isRare(&random)
        control.isNeverStale = isRare(&random)
        return CacheModel.Resource(
            version: Int.random(in: 0..<1_000_000, using: &random), control: control,
            isTagged: Bool.random(using: &random), isVaried: Bool.random(using: &random))
    }

    private static func policy(_ random: inout SplitMix, _ isInFile: Bool) -> CacheModel.Policy {
        var policy = CacheModel.Policy()
        switch Int.random(in: 0..<8, using: &random) {
        case 0: policy.asking = .always
        case 1: policy.asking = .never
        default: break
        }
        // In memory there is one place for all.
        if isInFile, Int.random(in: 0..<5, using: &random) == 0 { policy.time = 7 }
        if Int.random(in: 0..<4, using: &random) == 0 { policy.patience = 6 }
        return policy
    }
}

extension CacheModel {
    fileprivate mutating func take(_ step: CacheStep) -> Answer {
        // No two responses come at one time.
        now += 0.001
        switch step {
        case .get(let who, let policy, let isHead): return get(who, policy, isHead: isHead)
        case .put(let path): return put(path)
        case .change(let path, let resource): resources[path] = resource
        case .state(let state): self.state = state
        case .pass(let seconds): now += seconds
        case .flush: flush()
        }
        return Answer()
    }
}

extension CacheModel.Policy {
    fileprivate var policy: CachePolicy {
        var policy = time.map { CachePolicy.memory(for: .seconds($0)) } ?? .http
        switch asking {
        case .always: policy = CachePolicy.reload.completed(by: policy)
        case .never: policy = CachePolicy.cachedOnly.completed(by: policy)
        case .unlessFresh: break
        }
        return patience.map { policy.servingStale(for: .seconds($0)) } ?? policy
    }
}

/// A client with a cache, and a server that is as the model has it.
private struct CacheWorld {
    final class Server: Sendable {
        let model = Guarded(CacheModel(["a": .init(), "b": .init()]))
    }

    let setting: CacheSetting
    let server = Server()

    init(isInFile: Bool) throws {
        let store =
            isInFile ? try Store.temporary(entities: User.self, Article.self, Tag.self) : nil
        setting = try CacheSetting(in: store, validators: []) { [server] request in
            let model = server.model.withLock { $0 }
            switch model.state {
            case .gone: throw TransportError(.cannotConnect, "Gone.")
            case .failing:
                return TransportResponse(
                    head: HTTPResponse(status: .serviceUnavailable),
                    body: Data((request.head.method == .head ? "" : "failed").utf8))
            case .up: return Self.response(to: request, model)
            }
        }
    }

    private static func response(
        to request: TransportRequest, _ model: CacheModel
    ) -> TransportResponse {
        let fields = request.head.headerFields
        let who = CacheModel.Who(
            path: String((request.head.path ?? "").dropFirst()),
            account: fields[.authorization] ?? "", kind: fields[.named("Kind")] ?? "")
        guard request.head.method != .put, let resource = model.resources[who.path] else {
            return TransportResponse(head: HTTPResponse(status: .ok), body: Data("put".utf8))
        }
        var head = HTTPResponse(status: .ok)
        let control = resource.control.text
        if !control.isEmpty { head.headerFields[.cacheControl] = control }
        head.headerFields[.eTag] = resource.tag(who)
        if resource.isVaried { head.headerFields[.vary] = "Kind" }
        if let tag = resource.tag(who), fields[.ifNoneMatch] == tag {
            head.status = .notModified
            return TransportResponse(head: head)
        }
        let isHead = request.head.method == .head
        return TransportResponse(head: head, body: isHead ? Data() : Data(resource.body(who).utf8))
    }

    /// Takes a step that the model takes afterwards.
    func take(_ step: CacheStep) async throws -> (answer: CacheModel.Answer, asked: Int) {
        setting.clock.pass(0.001)
        var answer = CacheModel.Answer()
        switch step {
        case .get(let who, let policy, let isHead):
            var fields: HTTPFields = [.named("Kind"): who.kind]
            if !who.account.isEmpty { fields[.authorization] = who.account }
            answer = try await ask(
                AdHocEndpoint(isHead ? .head : .get, URLPath(who.path), headerFields: fields),
                policy.policy)
        case .put(let path): answer = try await ask(AdHocEndpoint(.put, URLPath(path)), .http)
        case .pass(let seconds): setting.clock.pass(seconds)
        case .flush: try await setting.cache.flush().value
        case .change, .state: break
        }
        return (answer, setting.transport.requests.count)
    }

    private func ask(
        _ endpoint: AdHocEndpoint, _ policy: CachePolicy
    ) async throws -> CacheModel.Answer {
        let promise = setting.client.caching(policy).enqueue(endpoint, as: Response<Data>.self)
        let response = try? await promise.value
        _ = try await setting.cache.settled().value
        guard let response else { return CacheModel.Answer() }
        return CacheModel.Answer(
            source: response.source.description,
            body: String(decoding: response.value, as: UTF8.self))
    }
}

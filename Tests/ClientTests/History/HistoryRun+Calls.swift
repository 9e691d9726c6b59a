import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises

@testable import LarderClient

/// The calls of a program's steps.
extension HistoryRun {
    func load(
        _ target: HistoryStep.Target, _ policy: HistoryStep.Policy, _ asking: HistoryStep.Asking,
        isWhole: Bool, _ fate: HistoryStep.Fate
    ) {
        let isList = if case .one = target { false } else { true }
        let asking = program.hasCache ? asking : .asEver
        let expectation = immediateAnswer(to: target, policy)
        let change: (inout HistoryCall) -> Void = { [ledger] call in
            (call.policy, call.asking, call.isWhole) = (policy, asking, isWhole && isList)
            call.expectation = expectation
            call.asksNobody = expectation != nil || asking == .cachedOnly
            guard policy != .none else { return }
            call.found = ledger.kept[target]
            call.condition = call.found.flatMap(\.asked)
        }
        let client = client.fetching(policy.policy).asking(asking)
        let plan = HistoryNetwork.Plan(fates: [fate])
        let whole = isWhole && isList
        switch target {
        case .one:
            begin(
                .load(target), plan, change,
                reading: { (response: Response<Object>) in
                    .read(response, [response.value])
                }, sending: { client.enqueue(endpoint(of: target, as: $0)) })
        case .all:
            begin(
                .load(target), plan, change,
                reading: { (response: Response<[Object]>) in
                    .read(response, response.value)
                }, sending: { client.enqueue(endpoint(of: target, as: $0, isWhole: whole)) })
        case .folder:
            begin(
                .load(target), plan, change,
                reading: { (response: Response<Many<Object>>) in
                    .read(response, try response.value.fetch())
                }, sending: { client.enqueue(endpoint(of: target, as: $0, isWhole: whole)) })
        case .feed:
            begin(
                .load(target), plan, change,
                reading: { (response: Response<HistoryFeed<Object>>) in
                    .read(
                        response, try response.value.items.fetch(), token: response.value.token)
                }, sending: { client.enqueue(endpoint(of: target, as: $0, isWhole: whole)) })
        }
    }

    func patch(_ number: Int, _ fate: HistoryStep.Fate) {
        begin(
            .patch(number), .init(fates: [fate]),
            reading: { (response: Response<Object>) in
                .read(response, [response.value])
            },
            sending: { call in
                client.enqueue(
                    endpoint(of: .one(number), as: call).setting(\.method, to: .patch))
            })
    }

    func remove(_ number: Int, _ fate: HistoryStep.Fate) {
        begin(
            .remove(number), .init(fates: [fate]), reading: { (_: Response<Void>) in .empty },
            sending: { call in
                client.enqueue(
                    endpoint(of: .one(number), as: call).setting(\.method, to: .delete))
            })
    }

    func endpoint(
        of target: HistoryStep.Target, as call: Int, isWhole: Bool = false
    ) -> AdHocEndpoint {
        let fields: HTTPFields = [.userAgent: "\(call)"]
        var endpoint: AdHocEndpoint
        switch target {
        case .one(let number):
            endpoint = .get("notes/\(number)", headerFields: fields)
            endpoint.removal = Object.removal(of: number)
        case .all: endpoint = .get("notes", headerFields: fields)
        case .folder(let folder):
            endpoint = .get("folders/\(folder)", headerFields: fields)
            endpoint.tags = [Self.tag]
        case .feed: endpoint = .get("feed", headerFields: fields)
        }
        guard isWhole else { return endpoint }
        let folder: Int? = if case .folder(let folder) = target { folder } else { nil }
        endpoint.completeness = Object.whole(inFolder: folder).allowingEmptying()
        return endpoint
    }

    // MARK: What the store is to answer

    /// What the store answers, by what is kept of a target.
    func storeAnswer(to target: HistoryStep.Target) -> HistoryCall.Expectation? {
        guard ledger.canAnswer(target), let kept = ledger.kept[target] else { return nil }
        return .value(kept.numbers, .store, token: kept.token)
    }

    /// What becomes of a call that asks nobody, nil for one that asks.
    private func immediateAnswer(
        to target: HistoryStep.Target, _ policy: HistoryStep.Policy
    ) -> HistoryCall.Expectation? {
        let answer = storeAnswer(to: target)
        guard let kept = ledger.kept[target] else {
            return policy == .storeOnly ? .failure(HistoryFailure.notCached) : nil
        }
        switch policy {
        case .storeOnly: return answer ?? .failure(HistoryFailure.notCached)
        case .storeFirst: return kept.isInvalid ? nil : answer
        case .fresh:
            let age = clock.now.timeIntervalSince(kept.confirmed)
            let isFresh = age >= 0 && age < HistoryStep.Policy.freshness
            return isFresh && !kept.isInvalid ? answer : nil
        case .networkOnly, .none, .networkFirst, .networkFirstWithin: return nil
        }
    }

    // MARK: Walks

    func walk(_ walk: HistoryStep.Walk) {
        let plan = HistoryNetwork.Plan(fates: walk.fates, edits: walk.edits)
        let asking = program.hasCache ? walk.asking : .asEver
        let completeness =
            walk.isWhole ? Object.whole(inFolder: nil).allowingEmptying() : .partial
        let change: (inout HistoryCall) -> Void = { [ledger] call in
            (call.isWhole, call.asking) = (walk.isWhole, asking)
            call.asksNobody = asking == .cachedOnly || walk.isOfStore
            call.takeCandidates(of: ledger, at: call.tick)
            if walk.isOfStore { call.expectation = .failure(HistoryFailure.notCached) }
        }
        var client = client.asking(asking)
        if walk.isOfStore { client = client.fetching(.storeOnly) }
        let isFeed = program.way == .cursor
        begin(
            .walk(walk), plan, change, reading: { (outcome: HistoryOutcome) in outcome },
            sending: { number in
                let endpoint = AdHocEndpoint.get("pages", headerFields: [.userAgent: "\(number)"])
                    .setting(\.completeness, to: completeness)
                return isFeed
                    ? client.walk(endpoint, walk, by: Self.feedPaging) { $0.token }
                    : client.walk(endpoint, walk, by: listPaging, token: nil)
            })
    }

    private static var feedPaging: Paging<HistoryFeed<Object>> {
        .cursor(query: "after") { $0.next }
    }

    private var listPaging: Paging<Many<Object>> {
        switch program.way {
        case .number: .number(query: "page")
        case .sizedNumber: .number(query: "page", size: program.pageSize)
        case .offset: .offset(query: "offset", size: program.pageSize)
        case .header: .header("X-Next", query: "after", isStable: true)
        case .link, .cursor: .link()
        }
    }
}

extension HistoryLedger.Kept {
    /// The same, where there is something that can be asked about it.
    fileprivate var asked: HistoryLedger.Kept? { condition == nil ? nil : self }
}

extension HistoryFailure {
    static let notCached = ClientError.Reason.notCached.description
}

extension Client {
    fileprivate func asking(_ asking: HistoryStep.Asking) -> Client {
        switch asking {
        case .asEver: self
        case .reload: caching(.reload)
        case .cachedOnly: caching(.cachedOnly)
        }
    }

    /// Walks through the pages of a list.
    ///
    /// - Parameter token: The token that a page has, by which changes alone are asked for.
    fileprivate func walk<Value: Importable>(
        _ endpoint: AdHocEndpoint, _ walk: HistoryStep.Walk, by paging: Paging<Value>,
        token: (@Sendable (Value) -> String)?
    ) -> Promise<HistoryOutcome> {
        let checkpoint: PullCheckpoint<Value>?
        switch walk.kind {
        case .pages:
            return Promise {
                var (iterator, count) = (
                    self.pages(endpoint, as: Value.self, by: paging).makeAsyncIterator(), 0
                )
                while count < walk.pageLimit ?? .max, try await iterator.next() != nil {
                    count += 1
                }
                return .walk(pageCount: count, vanished: iterator.walk.vanished)
            }
        case .pull: checkpoint = nil
        case .checkpoint: checkpoint = .named("plain")
        case .token:
            // Of what has vanished before its token a walk knows nothing that was not to find it.
            let named = PullCheckpoint<Value>.named(walk.isWhole ? "whole" : "partial")
            checkpoint =
                token.map { token in
                    named.token(query: "since") { token($0.value) }
                } ?? named
        }
        return pull(endpoint, as: Value.self, by: paging, from: checkpoint)
            .then(on: .immediate) { report -> HistoryOutcome in
                .walk(pageCount: report.pageCount, vanished: report.vanished)
            }
    }
}

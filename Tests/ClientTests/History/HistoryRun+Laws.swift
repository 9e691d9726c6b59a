import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises

@testable import LarderClient

/// The laws that what happens is held against.
extension HistoryRun {
    /// Takes what has happened, and holds what calls have settled as against it.
    func process() throws {
        for event in network.takeEvents() {
            switch event {
            case .request(let request):
                note("  request of \(request.call), \(request.condition ?? "-")")
                try take(request)
            case .end(let number): if calls[number]?.isWrite == true { ledger.noteWrite() }
            case .arrival(let arrival):
                // Who is told first that nobody waits any more is nobody's law.
                if calls[arrival.call].map(isAlive) ?? false {
                    note("  arrival for \(arrival.call): \(arrival.content) \(arrival.source)")
                }
                try take(arrival)
            }
        }
        for (number, result) in network.takeSettled() {
            let outcome = Result { try result.get()() }
            note("  \(number) is \(Self.line(of: outcome))")
            try check(outcome, of: number)
        }
    }

    private static func line(of outcome: Result<HistoryOutcome, any Error>) -> String {
        switch outcome {
        case .success(.value(let value)):
            "\(value.numbers) \(value.rows.map(\.title)) \(value.source) \(value.missingCount)"
        case .success(let outcome): "\(outcome)"
        case .failure(let error): HistoryFailure.name(of: error)
        }
    }

    func expect(_ isTrue: Bool, _ what: @autoclosure () -> String) throws {
        if !isTrue { throw HistoryViolation(what()) }
    }

    /// Whether a call may still store anything.
    private func isAlive(_ call: HistoryCall) -> Bool {
        !call.isCancelled && call.session == session
    }

    // MARK: Requests

    private func take(_ request: HistoryEvent.Request) throws {
        guard var call = calls[request.call] else { return }
        defer { calls[call.number] = call }
        if call.isWrite { ledger.noteWrite() }
        call.writeCount = ledger.writeCount
        try expect(
            !call.asksNobody,
            "call \(call.number) asks the server, though nobody is to be asked")
        if call.walked != nil {
            if request.isFirstPage, call.walk.hasFailed || !call.walk.hasAsked {
                // It begins, or begins anew.
                call.walk = HistoryCall.Walk()
                call.takeCandidates(of: ledger, at: request.tick)
            } else if request.isFirstPage {
                call.walk.secondTick = request.tick
            } else if !call.walk.hasAsked {
                call.walk.isResumed = true
            }
            call.walk.hasAsked = true
            call.walk.isChanges = call.walk.isChanges || request.since != nil
        } else {
            try takeBack(&call)
            // A cache has conditions of its own, and of what is not to be stored there need be none.
            let condition = call.condition?.condition
            try expect(
                request.condition == condition || cache != nil
                    || program.control == .noStore && request.condition == nil,
                "call \(call.number) asks on the condition \(request.condition ?? "-"), "
                    + "not \(condition ?? "-")")
            call.takeCandidates(of: ledger, at: request.tick)
        }
    }

    // MARK: Arrivals

    private func take(_ arrival: HistoryEvent.Arrival) throws {
        guard var call = calls[arrival.call] else { return }
        defer { calls[call.number] = call }
        guard isAlive(call) else { return count("arrivals for nobody") }
        try checkSource(of: arrival)
        switch arrival.content {
        case .answer(let serial): try take(network.answer(serial), serial, arrival, &call)
        case .unmodified: takeConfirmation(of: arrival, &call)
        case .empty:
            if let removed = call.removed {
                // There may be another one by now, which no token tells of.
                if network.server.accounts[account]?.rows[removed] != nil {
                    ledger.isClean = false
                }
                ledger.remove(removed)
            }
            call.expectation = .empty
        case .unreadable:
            // A page for people says nothing of what was to be deleted.
            if call.isRemoval { return call.expectation = .empty }
            fail(&call, "\(ClientError.Reason.malformedJSON) 200")
        case .status(let code):
            let isOfNothing = code == 404 || code == 410
            if isOfNothing, arrival.isCurrent, let removed = call.removed {
                takeAbsence(of: removed, call)
            }
            if call.isRemoval, isOfNothing { return call.expectation = .empty }
            if isOfNothing, arrival.isCurrent, let target = call.target, call.policy != .none {
                ledger.forget(target, found: call.found)
            }
            let isAway = [500, 502, 503, 504].contains(code)
            fail(&call, "\(ClientError.Reason.unacceptableStatus) \(code)", isAway: isAway)
        case .failure(let name):
            let isAway = name.hasPrefix("transport")
            fail(&call, isAway ? "\(ClientError.Reason.transport)" : name, isAway: isAway)
        }
    }

    /// A cache answers what is its to answer, and by nothing that was cut off.
    private func checkSource(of arrival: HistoryEvent.Arrival) throws {
        guard !arrival.isCurrent else { return }
        if case .unreadable = arrival.content {
            throw HistoryViolation("a cache answers by what was cut off")
        }
        try expect(program.control != .noStore, "a cache answers by what it is not to keep")
    }

    private func take(
        _ answer: HistoryAnswer, _ serial: Int, _ arrival: HistoryEvent.Arrival,
        _ call: inout HistoryCall
    ) throws {
        let isOfNow = arrival.source == .network || arrival.source == .revalidated
        if call.isRemoval { return call.expectation = .empty }
        let isRestored = ledger.take(answer, serial, isOfNow: isOfNow, at: arrival.tick)
        let numbers = answer.entries.compactMap { entry -> Int? in
            if case .there(let number, _) = entry { number } else { nil }
        }
        if call.walked != nil {
            call.walk.named.formUnion(numbers)
            call.walk.pageCount += 1
            call.walk.hasFailed = false
            call.walk.isCurrent = call.walk.isCurrent && arrival.isCurrent
        } else if let target = call.target {
            if call.isWhole, arrival.isCurrent { try prune(call, lacking: Set(numbers)) }
            keep(answer, serial, numbers, of: target, arrival, call, isRestored: isRestored)
            call.expectation = .value(numbers, arrival.source, token: answer.token)
        } else {
            call.expectation = .value(numbers, arrival.source, token: nil)
        }
    }

    private func keep(
        _ answer: HistoryAnswer, _ serial: Int, _ numbers: [Int], of target: HistoryStep.Target,
        _ arrival: HistoryEvent.Arrival, _ call: HistoryCall, isRestored: Bool
    ) {
        guard call.policy != .none else { return }
        // A wrapper can't be made again without its JSON, which is not to be kept.
        if target == .feed, program.control == .noStore {
            ledger.kept[target] = nil
            return
        }
        let age = arrival.age?.seconds ?? 0
        var kept = HistoryLedger.Kept(
            numbers: numbers, said: isRestored ? nil : ledger.said(by: answer),
            gone: isRestored ? [] : ledger.gone(by: answer), fetched: clock.now - age,
            date: arrival.date, confirmed: clock.now - age,
            condition: answer.fields[.eTag] ?? answer.fields[.lastModified], token: answer.token)
        // By a cache it has come once more: what is known of it stays so.
        if isRestored, let known = ledger.kept[target], known.condition == kept.condition {
            (kept.said, kept.gone) = (known.said, known.gone)
        }
        // Nor is anything good again by that, or older than it was, nor good where nobody had stored it.
        if arrival.source != .network, arrival.source != .revalidated {
            kept.isInvalid = !ledger.knows(serial)
            if let known = ledger.kept[target] {
                if let date = known.date, let other = kept.date, date > other { return }
                kept.isInvalid = kept.isInvalid || known.isInvalid
            }
        } else {
            kept.isInvalid = ledger.writeCount != call.writeCount
        }
        ledger.keep(kept, for: target, since: call.turn)
    }

    private func takeConfirmation(of arrival: HistoryEvent.Arrival, _ call: inout HistoryCall) {
        guard let target = call.target, var kept = call.condition else {
            return fail(&call, "\(ClientError.Reason.unacceptableStatus) 304")
        }
        call.condition = nil
        call.confirmed = (kept, ledger.kept[target])
        (kept.confirmed, kept.isInvalid) = (
            clock.now, ledger.writeCount != call.writeCount
        )
        ledger.keep(kept, for: target, since: call.turn)
        call.expectation = .value(kept.numbers, .revalidated, token: kept.token)
    }

    /// Takes back that what is kept is still good, as the server is asked once more, on no condition: the store lacks
    /// some of it, has something else of it, or has heard of something newer meanwhile.
    private func takeBack(_ call: inout HistoryCall) throws {
        guard let target = call.target, let (asked, last) = call.confirmed else { return }
        try expect(
            !isWhole(asked) || last != asked || hasOthers(call, than: asked),
            "call \(call.number) asks again, though the store lacks nothing")
        ledger.kept[target] = last
        call.found = last
        (call.confirmed, call.expectation) = (nil, nil)
    }

    private func isWhole(_ kept: HistoryLedger.Kept) -> Bool {
        ledger.isWhole(kept, isOfRows: Object.hasOwnNumbers)
    }

    /// Whether there were objects that may have vanished by a list that is still the same.
    private func hasOthers(_ call: HistoryCall, than asked: HistoryLedger.Kept) -> Bool {
        // What has come again in another row is another one.
        call.isWhole
            && (!Object.hasOwnNumbers
                || !call.candidates.keys.allSatisfy { number in
                    asked.numbers.contains(number)
                        || call.folder.map { call.candidateFolders[number] != $0 } ?? false
                })
    }

    /// Takes that there is none of an object: what has come since that was asked for stays.
    private func takeAbsence(of number: Int, _ call: HistoryCall) {
        guard let entry = ledger.entries[number] else { return }
        let incarnation = call.candidates[number]
        if incarnation != entry.incarnation {
            count("absences of what has come since")
            // What is to be deleted goes, though there may be another one by now, which no token tells of.
            guard call.isRemoval else { return }
            ledger.isClean = false
        }
        ledger.remove(number)
    }

    /// Takes a failure, instead of which the store may answer.
    private func fail(_ call: inout HistoryCall, _ name: String, isAway: Bool = false) {
        call.walk.hasFailed = true
        let answer = call.target.flatMap { storeAnswer(to: $0) }
        let isStores = isAway && call.policy.fallsBack
        call.expectation = (isStores ? answer : nil) ?? .failure(name)
    }

    // MARK: What has vanished

    /// Has go what a list, or a walk, lacks: nothing that the server has had all along.
    private func prune(
        _ call: HistoryCall, lacking named: Set<Int>, isSure: Bool = true
    ) throws {
        for (number, incarnation) in call.candidates.sorted(by: { $0.key < $1.key }) {
            guard let entry = ledger.entries[number], !named.contains(number),
                entry.incarnation == incarnation,
                call.folder == nil
                    || entry.row.folder == call.folder
                        && call.candidateFolders[number] == call.folder
            else { continue }
            let hasBeen = network.server.hasHad(
                number, of: account, in: call.folder, since: call.tick)
            try expect(
                !hasBeen || !isSure,
                "call \(call.number) deletes \(number), which the server has had all along")
            count("deleted by a list")
            ledger.remove(number)
        }
    }

    // MARK: Outcomes

    private func check(_ outcome: Result<HistoryOutcome, any Error>, of number: Int) throws {
        guard var call = calls[number] else { return }
        defer { calls[number] = call }
        if case .failure(let error) = outcome {
            let name = HistoryFailure.name(of: error)
            try expect(!name.hasPrefix("UNTYPED"), "call \(number) fails with \(name)")
        }
        if let walk = call.walked { return try check(outcome, of: call, walk) }
        let expectation: HistoryCall.Expectation? =
            isAlive(call) ? call.expectation : .failure("cancelled")
        switch (outcome, expectation) {
        case (.success(.empty), .empty): break
        case (.success(.value(let value)), .value(let numbers, let source, let token)):
            try expect(
                source != .revalidated || call.confirmed.map { isWhole($0.asked) } ?? true,
                "call \(number) is not what the server says is still good")
            let there = numbers.filter { ledger.entries[$0] != nil }
            let missingCount = source == .store ? numbers.count - there.count : 0
            try expect(
                value.numbers == there && value.missingCount == missingCount
                    && value.source == source && value.token == token,
                "call \(number) is \(Self.line(of: outcome)), "
                    + "not \(there) \(source) \(missingCount)")
            count("answers: \(source)")
            if missingCount > 0 { count("answers that lack objects") }
            try expect(
                value.rows == there.compactMap { ledger.rows[$0] },
                "call \(number) has other values than the rows: \(value.rows)")
        case (.failure(let error), .failure(let name)):
            let own = HistoryFailure.name(of: error)
            count("failures: \(own)")
            let isOfSession = own == ClientError.Reason.loggedOut.description
            try expect(
                own == name || isOfSession && !isAlive(call),
                "call \(number) fails with '\(own)', not '\(name)'")
        default:
            let due = expectation.map { "\($0)" } ?? "anything"
            throw HistoryViolation("call \(number) is \(Self.line(of: outcome)), not \(due)")
        }
        call.expectation = nil
    }

    private func check(
        _ outcome: Result<HistoryOutcome, any Error>, of call: HistoryCall,
        _ walk: HistoryStep.Walk
    ) throws {
        let vanished: PullReport.Vanished
        switch outcome {
        case .failure(let error):
            let name = HistoryFailure.name(of: error)
            let isDue = call.walk.hasFailed || !isAlive(call) || walk.isOfStore
            return try expect(isDue, "call \(call.number) fails with '\(name)' for no reason")
        case .success(.walk(_, let own)): vanished = own
        case .success: throw HistoryViolation("call \(call.number) is no walk")
        }
        // What can't be read behind the second walk's page only keeps it from finding anything.
        let hasFailed =
            call.walk.hasFailed
            && (call.walk.secondTick == nil || vanished != .notFound(.incomplete))
        try expect(
            isAlive(call) && !hasFailed && !walk.isOfStore,
            "call \(call.number) comes to its end, though it failed")
        if walk.pageLimit != nil, walk.kind == .pages, vanished == .notAsked { return }
        let due = expected(call.walk, isWhole: walk.isWhole)
        // What comes while the second walk asks whether there is more behind it looks like more.
        let hasSlipped = call.walk.secondTick.map { $0 != network.server.tick } ?? false
        try expect(
            vanished == due
                || (!call.walk.isCurrent || hasSlipped || call.walk.hasFailed)
                    && vanished != .found,
            "call \(call.number) finds \(vanished), not \(due)")
        lastVanished = vanished
        count(call.walk.isChanges ? "pulls of changes" : "pulls: \(vanished)")
        guard vanished == .found else { return }
        // An object may slip through between the pages of both walks: known, and nothing that two walks can
        // tell of.
        try prune(call, lacking: call.walk.named, isSure: program.way.isStable || !hasSlipped)
        // A walk in whose time nothing has changed, and nothing else has come, leaves what the server has.
        if call.step == step, call.tick == network.server.tick { try checkIsServers() }
        if call.walk.secondTick != nil { count("second walks") }
    }

    private func expected(
        _ walk: HistoryCall.Walk, isWhole: Bool
    ) -> PullReport.Vanished {
        if !isWhole || walk.isChanges { return .notAsked }
        if walk.isResumed { return .notFound(.resumed) }
        return walk.isCurrent ? .found : .notFound(.incomplete)
    }

    // MARK: Rows

    /// The rows are those that the rules give, of the account, and of nothing that the server has not said.
    func checkRows() throws {
        let objects = try store.fetch(Object.all)
        let rows = Dictionary(objects.map { ($0.number, $0.row) }) { $1 }
        if rows != lastRows { note("  rows \(Self.line(of: rows))") }
        lastRows = rows
        try expect(
            rows == ledger.rows,
            "the rows are \(Self.line(of: rows)), not \(Self.line(of: ledger.rows))")
        let texts = network.server.accounts[account]?.texts ?? []
        for row in rows.values {
            try expect(
                texts.contains(row.title) && row.body.map(texts.contains) ?? true,
                "\(row) is nothing that the server has said to \(account)")
        }
    }

    private static func line(of rows: [Int: HistoryRow]) -> String {
        "\(rows.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })"
    }

    /// The rows are the server's; what a brief list does not say is nobody's guess.
    func checkIsServers() throws {
        var rows = network.server.accounts[account]?.rows ?? [:]
        var own = ledger.rows
        if program.isBrief {
            for number in rows.keys { rows[number]?.body = nil }
            for number in own.keys { own[number]?.body = nil }
        }
        try expect(
            own == rows,
            "the rows are \(Self.line(of: own)), not the server's \(Self.line(of: rows))")
    }

    // MARK: The end

    /// Lets the network be back, what is held come, and all be pulled: the rows are the server's.
    func finish() async throws {
        note("the end")
        network.setUp(true)
        while !network.held.isEmpty { try await release(0) }
        clock.pass(1)
        network.pass(1)
        for kind in [HistoryStep.Walk.Kind.token, .checkpoint] where hasWalked(kind) {
            // One that goes on where another was left finds nothing that has vanished, and the next one does.
            for _ in 0..<2 {
                walk(HistoryStep.Walk(kind: kind, asking: .reload))
                try await settle()
                if lastVanished != .notFound(.resumed) { break }
            }
            try expect(lastVanished != .notFound(.resumed), "no pull finds what has vanished")
            if ledger.isClean {
                count("pulls of changes that leave what the server has")
                try checkIsServers()
            }
        }
        walk(HistoryStep.Walk(kind: .pull, asking: .reload))
        try await settle()
        try checkIsServers()
        for target in ledger.kept.keys.sorted(by: { "\($0)" < "\($1)" }) {
            load(target, .storeOnly, .asEver, isWhole: false, .good)
            try await settle()
        }
    }

    private func hasWalked(_ kind: HistoryStep.Walk.Kind) -> Bool {
        program.steps.contains { step in
            if case .walk(let walk) = step { walk.kind == kind && walk.isWhole } else { false }
        }
    }
}

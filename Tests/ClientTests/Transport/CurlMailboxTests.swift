#if !canImport(Darwin)
import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import Synchronization
import Testing

@testable import LarderClient

@Suite struct CurlMailboxTests {
    @Test func `cancelled while it waits its turn, an exchange is never sent`() async throws {
        let gate = Gate()
        let server = try await LoopbackServer { _ in
            try await gate.wait()
            return .json("[]")
        }
        let transport = CurlTransport(configuration: .init(maximumExchanges: 1))
        let first = Outcome()
        let second = Outcome()
        transport.send(TransportRequest.to(server.baseURL, "/first"), completion: first.note)
        let task = transport.send(
            TransportRequest.to(server.baseURL, "/second"), completion: second.note)
        task.cancel()
        #expect(try await second.error()?.reason == .cancelled)
        gate.open()
        #expect(try await first.error() == nil)
        #expect(server.requests.map(\.path) == ["/first"])
        await server.stop()
    }

    @Test func `an exchange can be cancelled whose transport has been let go`() async throws {
        let server = try RawServer { connection in connection.waitForClose() }
        defer { server.stop() }
        for _ in 0..<10 {
            let outcome = Outcome()
            let task = CurlTransport().send(
                TransportRequest.to(server.baseURL), completion: outcome.note)
            task.cancel()
            #expect(try await outcome.error()?.reason == .cancelled)
        }
    }

    @Test func `a transport may be let go while its thread is being woken`() async throws {
        let server = try RawServer(sending: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        defer { server.stop() }
        let request = TransportRequest.to(server.baseURL)
        for _ in 0..<100 {
            let outcome = Outcome()
            var transport: CurlTransport? = CurlTransport()
            _ = try await transport?.response(to: request)
            let task = transport?.send(request, completion: outcome.note)
            async let cancelled: Void? = task?.cancel()
            transport = nil
            await cancelled
            _ = try await outcome.error()
            #expect(outcome.count == 1)
        }
    }

    @Test func `cancelled under way, the connection is closed`() async throws {
        let heard = Gate()
        let closed = Gate()
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n[")
            heard.open()
            connection.waitForClose()
            closed.open()
        }
        defer { server.stop() }
        let outcome = Outcome()
        let transport = CurlTransport()
        let task = transport.send(TransportRequest.to(server.baseURL), completion: outcome.note)
        try await heard.wait()
        task.cancel()
        #expect(try await outcome.error()?.reason == .cancelled)
        try await closed.wait()
    }

    @Test func `cancelled afterwards, and again, nothing happens`() async throws {
        let server = try RawServer(sending: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        defer { server.stop() }
        let outcome = Outcome()
        let transport = CurlTransport()
        let task = transport.send(TransportRequest.to(server.baseURL), completion: outcome.note)
        #expect(try await outcome.error() == nil)
        task.cancel()
        task.cancel()
        _ = try await transport.response(to: TransportRequest.to(server.baseURL))
        #expect(outcome.count == 1)
    }

    @Test func `cancelled after its transport has gone, nothing happens`() async throws {
        let server = try RawServer(sending: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        defer { server.stop() }
        let outcome = Outcome()
        var transport: CurlTransport? = CurlTransport()
        let task = transport?.send(TransportRequest.to(server.baseURL), completion: outcome.note)
        #expect(try await outcome.error() == nil)
        transport = nil
        for _ in 0..<100 { task?.cancel() }
        #expect(outcome.count == 1)
    }

    @Test func `a completion may send and cancel`() async throws {
        let server = try RawServer(sending: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        defer { server.stop() }
        let transport = CurlTransport()
        let inner = Outcome()
        let outer = Outcome()
        let request = TransportRequest.to(server.baseURL)
        transport.send(request) { result in
            let task = transport.send(request, completion: inner.note)
            task.cancel()
            outer.note(result)
        }
        #expect(try await outer.error() == nil)
        #expect(try await inner.error()?.reason == .cancelled)
    }

    @Test func `waiting for a promise is an error on the transport's thread`() async throws {
        let server = try RawServer { _ = try $0.readRequest() }
        defer { server.stop() }
        let errors = Seen<PromiseError?>()
        let done = Gate()
        CurlTransport().send(TransportRequest.to(server.baseURL)) { _ in
            errors.note(Self.errorOfWaiting())
            done.open()
        }
        try await done.wait()
        #expect(errors.values == [.wouldDeadlock])
    }

    /// What waiting for a promise that nobody settles ends in.
    private static func errorOfWaiting() -> PromiseError? {
        let (promise, resolver) = Promise<Int>.pending()
        defer { resolver.fulfill(1) }
        do {
            _ = try promise.wait(timeout: .seconds(300))
            return nil
        } catch {
            return error as? PromiseError
        }
    }

    @Test func `a name that is being looked up does not hold up a cancellation`() async throws {
        var request = TransportRequest.to(URL(filePath: "/"), timeout: .seconds(600))
        request.head.authority = "slow.invalid"
        let outcome = Outcome()
        let transport = CurlTransport()
        let task = transport.send(request, completion: outcome.note)
        task.cancel()
        let kind = try await outcome.error()?.reason
        #expect(kind == .cancelled || kind == .cannotFindHost)
    }

    @Test func `3,000 exchanges cancelled at random end once each`() async throws {
        let server = try RawServer { connection in
            while true {
                _ = try connection.readRequest()
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n")
                try connection.send("[]")
            }
        }
        defer { server.stop() }
        let transport = CurlTransport(configuration: .init(maximumExchanges: 16))
        let tally = Tally()
        let count = 3000
        var tasks: [any TransportTask] = []
        for index in 0..<count {
            tasks.append(
                transport.send(TransportRequest.to(server.baseURL)) {
                    result in
                    tally.note(index, result, of: count)
                })
            // Some at once, some a little later, some long after, some never.
            switch Int.random(in: 0..<4) {
            case 0: tasks[index].cancel()
            case 1: tasks[max(0, index - Int.random(in: 1..<20))].cancel()
            case 2: tasks[Int.random(in: 0...index)].cancel()
            default: break
            }
        }
        try await tally.done.wait()
        for task in tasks { task.cancel() }
        _ = try await transport.response(to: TransportRequest.to(server.baseURL))
        #expect(tally.counts.count == count)
        #expect(tally.counts.values.allSatisfy { $0 == 1 })
        #expect(tally.others == [])
    }
}

extension CurlMailboxTests {
    @Test func `a thread whose transport goes while it is about to wait does not wait`() {
        let mailbox = CurlMailbox()
        #expect(mailbox.start(Self.exchange(in: mailbox)))
        _ = mailbox.take()
        #expect(!mailbox.detachIfClosed())
        mailbox.close()
        #expect(mailbox.beginPolling(isIdle: false))
        #expect(!mailbox.beginPolling(isIdle: true))
        #expect(mailbox.detachIfClosed())
    }

    /// As long as it never pauses for a millisecond, only the first call counts.
    @Test func `a thread that goes on leaving things is relieved all the same`() {
        let mailbox = CurlMailbox()
        let exchange = Self.exchange(in: mailbox)
        _ = mailbox.start(exchange)
        _ = mailbox.take()
        #expect(!mailbox.leave {})
        let reliefs = Atomic(0)
        Thread.detachNewThread {
            while mailbox.standBy() {
                _ = mailbox.take()
                reliefs.add(1, ordering: .sequentiallyConsistent)
            }
        }
        var isRelievedInTime = false
        for _ in 0..<200 where !isRelievedInTime {
            isRelievedInTime = Self.isRelieved(mailbox, leaving: exchange, reliefs)
        }
        #expect(isRelievedInTime)
        mailbox.close()
        // What was left behind the relief, if anything.
        _ = mailbox.take()
        #expect(mailbox.detachIfClosed())
        mailbox.end()
    }

    private static func isRelieved(
        _ mailbox: CurlMailbox, leaving exchange: CurlExchange, _ reliefs: borrowing Atomic<Int>
    ) -> Bool {
        while !mailbox.leave({}) {
            // What was left behind the relief before, which nobody is called for.
            _ = mailbox.take()
            sched_yield()
        }
        let before = reliefs.load(ordering: .sequentiallyConsistent)
        var last = ContinuousClock.now
        let end = last + .milliseconds(50)
        while reliefs.load(ordering: .sequentiallyConsistent) == before, last < end {
            mailbox.cancel(exchange)
            let now = ContinuousClock.now
            guard now - last < CurlRelief.patience else { break }
            last = now
        }
        let isRelieved =
            reliefs.load(ordering: .sequentiallyConsistent) != before
            && ContinuousClock.now - last < CurlRelief.patience
        if mailbox.comeBack() { _ = mailbox.take() }
        return isRelieved
    }

    private static func exchange(in mailbox: CurlMailbox) -> CurlExchange {
        let url = URL(filePath: "/")
        return CurlExchange(TransportRequest.to(url), mailbox: mailbox) { _ in }
    }
}

/// How one exchange ended, and how often.
private final class Outcome: Sendable {
    private let results = Mutex<[Result<TransportResponse, TransportError>]>([])
    private let gate = Gate()

    var count: Int { results.withLock(\.count) }

    func note(_ result: Result<TransportResponse, TransportError>) {
        results.withLock { $0.append(result) }
        gate.open()
    }

    /// The error, once the exchange has ended.
    func error() async throws -> TransportError? {
        try await gate.wait()
        return results.withLock { results in
            if case .failure(let error)? = results.first { error } else { nil }
        }
    }
}

/// How often each of many exchanges ended.
private final class Tally: Sendable {
    private let state = Mutex<(counts: [Int: Int], others: [TransportError])>(([:], []))
    let done = Gate()

    var counts: [Int: Int] { state.withLock(\.counts) }
    var others: [TransportError] { state.withLock(\.others) }

    func note(_ index: Int, _ result: Result<TransportResponse, TransportError>, of total: Int) {
        let ended = state.withLock { state in
            state.counts[index, default: 0] += 1
            if case .failure(let error) = result, error.reason != .cancelled {
                state.others.append(error)
            }
            return state.counts.count
        }
        if ended == total { done.open() }
    }
}
#endif

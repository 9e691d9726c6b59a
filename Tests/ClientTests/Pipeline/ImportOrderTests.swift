import Foundation
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// The order in which responses are stored that come while others are still being read.
@Suite struct ImportOrderTests {
    /// A client whose responses are held by a processor for as long as their gates are shut.
    ///
    /// - Parameter gates: By the last part of the path.
    private func client(
        over transport: HeldTransport, holding gates: [String: Gate],
        by clock: ManualClock = ManualClock()
    ) throws -> Client {
        try TestClient.client(over: transport) { configuration in
            // Nothing gives way unless the test has it so.
            configuration.importClock = clock
            configuration.processors = [
                ResponseProcessor { response, request in
                    let name = request.urlText.split(separator: "/").last.map(String.init) ?? ""
                    try gates[name]?.block()
                    if name.hasPrefix("refused") { throw Refused() }
                    return response
                }
            ]
        }
    }

    private struct Refused: Error {}

    private func response(_ login: String) -> TransportResponse {
        .json(#"{"id": 1, "login": "\#(login)"}"#)
    }

    @Test func `what came first is stored first, though it takes longer to read`() async throws {
        let (transport, gate) = (HeldTransport(), Gate())
        let client = try client(over: transport, holding: ["slow": gate])
        let older: Promise<User> = client.enqueue(Resource("slow"))
        let newer: Promise<User> = client.enqueue(Resource("fast"))
        transport.end(0, .success(response("older")))
        transport.end(1, .success(response("newer")))
        gate.open()
        #expect(try await older.value.login == "older")
        #expect(try await newer.value.login == "newer")
        #expect(try client.store.fetch(User.all).map(\.login) == ["newer"])
    }

    @Test func `one that fails or is cancelled holds up none behind it`() async throws {
        let (transport, gate) = (HeldTransport(), Gate())
        let client = try client(over: transport, holding: ["held": gate])
        let refused: Promise<User> = client.enqueue(Resource("refused"))
        let cancelled: Promise<User> = client.enqueue(Resource("held"))
        let newer: Promise<User> = client.enqueue(Resource("fast"))
        for number in 0..<3 { transport.end(number, .success(response("\(number)"))) }
        cancelled.cancel()
        gate.open()
        #expect(try await newer.value.login == "2")
        await #expect(throws: ClientError.self) { try await refused.value }
        #expect(try client.store.fetch(User.all).map(\.login) == ["2"])
    }

    @Test func `one that is cancelled while it is read holds up none behind it`() async throws {
        let (transport, gate) = (HeldTransport(), Gate())
        let client = try client(over: transport, holding: ["held": gate])
        let cancelled: Promise<User> = client.enqueue(Resource("held"))
        let newer: Promise<User> = client.enqueue(Resource("fast"))
        transport.end(0, .success(response("held")))
        transport.end(1, .success(response("newer")))
        cancelled.cancel()
        #expect(try await newer.value.login == "newer")
        gate.open()
    }

    @Test func `what was enqueued in a transaction has its place as well`() async throws {
        let transport = HeldTransport()
        let client = try client(over: transport, holding: [:])
        let newer: Promise<User> = client.enqueue(Resource("newer"))
        let asked = Seen<Promise<User>>()
        let isWritten = Gate()
        Thread.detachNewThread {
            try? client.store.write { _ in
                asked.note(client.enqueue(Resource("older")))
                transport.end(1, .success(response("older")))
                transport.end(0, .success(response("newer")))
            }
            isWritten.open()
        }
        try await isWritten.wait()
        #expect(try await asked.values.first?.value.login == "older")
        #expect(try await newer.value.login == "newer")
        #expect(try client.store.fetch(User.all).map(\.login) == ["newer"])
    }

    @Test func `a processor that waits for a response behind its own gets it, if late`()
        async throws
    {
        let (transport, gate, clock) = (HeldTransport(), Gate(), ManualClock())
        let client = try client(over: transport, holding: ["waiting": gate], by: clock)
        let waiting: Promise<User> = client.enqueue(Resource("waiting"))
        let waitedFor: Promise<User> = client.enqueue(Resource("fast"))
        transport.end(0, .success(response("waiting")))
        transport.end(1, .success(response("waited for")))
        await clock.sleepers(atLeast: 1)
        clock.advance(by: ImportPlaces.patience)
        #expect(try await waitedFor.value.login == "waited for")
        gate.open()
        #expect(try await waiting.value.login == "waiting")
        #expect(try client.store.fetch(User.all).map(\.login) == ["waiting"])
    }

    @Test func `a rejected promise's handlers may wait for what is behind it`() async throws {
        let (transport, gate) = (HeldTransport(), Gate())
        let client = try client(over: transport, holding: ["refused": gate])
        let refused: Promise<User> = client.enqueue(Resource("refused"))
        let behind: Promise<User> = client.enqueue(Resource("fast"))
        let first = refused.recover(on: .immediate) { _ in
            try behind.wait(timeout: .seconds(600))
        }
        transport.end(0, .success(response("refused")))
        transport.end(1, .success(response("behind")))
        gate.open()
        #expect(try await first.value.login == "behind")
    }

    /// Rows beside those of the responses taken one by one, in the order in which they came.
    @Test(arguments: 0..<60)
    func `whatever is done before they are stored, the newest are in the store`(_ seed: Int)
        async throws
    {
        var random = SplitMix(seed: UInt64(seed))
        let (transport, count) = (HeldTransport(), 12)
        var gates: [String: Gate] = [:]
        let names = (0..<count).map { number in
            let kind = ["plain", "held", "refused", "large"].randomElement(using: &random) ?? ""
            let name = "\(kind)\(number)"
            if Bool.random(using: &random) { gates[name] = Gate() }
            return name
        }
        let plain = try client(over: transport, holding: gates)
        // Without processors, as these are stored at once.
        let quick = plain.configured { $0.processors = [] }
        let observation =
            Bool.random(using: &random) ? plain.requestEvents() : nil
        let stored = Seen<Int>()
        let promises = names.enumerated().map { number, name in
            let client = name.hasPrefix("plain") ? quick : plain
            return Bool.random(using: &random)
                ? client.enqueue(
                    Resource("r/\(name)"), as: User.self,
                    storing: { _, _ in stored.note(number) })
                : client.enqueue(Resource("r/\(name)"), as: User.self)
        }
        var expected: [Int: String] = [:]
        let arrivals = (0..<count).shuffled(using: &random)
        for number in arrivals {
            let id = Int.random(in: 1...3, using: &random)
            let padding = names[number].hasPrefix("large") ? 70_000 : 0
            transport.end(
                number,
                .success(
                    .json(
                        #"{"id": \#(id), "login": "\#(number)", "x": "\#(String(repeating: " ", count: padding))"}"#
                    )))
            if !names[number].hasPrefix("refused") { expected[id] = "\(number)" }
        }
        for gate in gates.values.shuffled(using: &random) { gate.open() }
        for promise in promises { _ = try? await promise.value }
        let users = try plain.store.fetch(User.all)
        #expect(
            Dictionary(uniqueKeysWithValues: users.map { ($0.id, $0.login) }) == expected,
            "seed \(seed)")
        let order = arrivals.filter(Set(stored.values).contains)
        #expect(stored.values == order, "seed \(seed)")
        withExtendedLifetime(observation) {}
    }
}

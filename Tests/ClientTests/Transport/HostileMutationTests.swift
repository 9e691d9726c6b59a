#if !canImport(Darwin)
import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// All hostile responses again, damaged at random.
///
/// `LARDER_STRESS=1` tries 100,000 of them; `LARDER_MUTATION_SEED` and `LARDER_MUTATION_COUNT` a run of one's own.
@Suite struct HostileMutationTests {
    private static let environment = ProcessInfo.processInfo.environment

    @Test func `damaged responses are refused or whole, and never hang`() async throws {
        let seed =
            Self.environment["LARDER_MUTATION_SEED"].flatMap(UInt64.init) ?? .random(in: 0 ... .max)
        let count =
            Self.environment["LARDER_MUTATION_COUNT"].flatMap(Int.init)
            ?? (Self.environment["LARDER_STRESS"] == nil ? 400 : 100_000)
        let before = Self.residentMegabytes
        let transports = [CurlTransport(), HostileFramesTests.transport()]
        let lanes = 8
        let successes = try await withThrowingTaskGroup(of: Int.self) { group in
            for lane in 0..<lanes {
                let run = MutationRun(
                    seed: seed &+ UInt64(lane), isOverHTTP2: lane % 2 == 1,
                    transport: transports[lane % 2])
                group.addTask { try await run.perform(count / lanes) }
            }
            return try await group.reduce(0, +)
        }
        // Some of the damage does no harm, and not all of them are refused for anything else.
        #expect(successes > count / 100, "seed \(seed)")
        if count >= 10_000 {
            print(
                "\(count) damaged responses, seed \(seed): \(successes) were taken;",
                "resident \(before) MB before, \(Self.residentMegabytes) MB after.")
        }
    }

    private static var residentMegabytes: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0) * 4096 / 1_048_576
    }
}

/// One damaged response after the other, from a server of its own.
private final class MutationRun: Sendable {
    private struct Case: Sendable {
        let name: String
        let greeting: [UInt8]
        let bytes: [UInt8]
    }

    private static let mostBytes = 64 << 10

    private static let responses = HostileResponse.all.map {
        Case(name: $0.name, greeting: [], bytes: $0.bytes)
    }.filter { $0.bytes.count < mostBytes }

    private static let frames = HostileFrames.all.map {
        Case(name: $0.name, greeting: $0.greeting, bytes: $0.bytes)
    }.filter { $0.bytes.count < mostBytes }

    private let seed: UInt64
    private let isOverHTTP2: Bool
    private let transport: CurlTransport

    init(seed: UInt64, isOverHTTP2: Bool, transport: CurlTransport) {
        (self.seed, self.isOverHTTP2, self.transport) = (seed, isOverHTTP2, transport)
    }

    /// Returns the number of responses that were taken.
    func perform(_ count: Int) async throws -> Int {
        var random = SplitMix(seed: seed)
        let current = CurrentCase()
        let server = try RawServer { [isOverHTTP2] connection in
            let (greeting, bytes) = current.value
            if isOverHTTP2 {
                let peer = try HTTP2Peer(connection, greeting: greeting)
                _ = try peer.request()
                try peer.send(bytes)
            } else {
                _ = try connection.readRequest()
                try connection.send(bytes)
            }
        }
        defer { server.stop() }
        let cases = isOverHTTP2 ? Self.frames : Self.responses
        var taken = 0
        for index in 0..<count {
            guard let chosen = cases.randomElement(using: &random),
                let other = cases.randomElement(using: &random)
            else { return taken }
            let bytes = Mutation.mutated(chosen.bytes, with: other.bytes, using: &random)
            let greeting =
                Int.random(in: 0..<8, using: &random) == 0
                ? Mutation.mutated(chosen.greeting, with: other.greeting, using: &random)
                : chosen.greeting
            current.value = (greeting, bytes)
            if try await isTaken(server, "seed \(seed), number \(index), of “\(chosen.name)”") {
                taken += 1
            }
        }
        return taken
    }

    private func isTaken(_ server: RawServer, _ comment: String) async throws -> Bool {
        let request = TransportRequest.to(
            server.baseURL, timeout: .seconds(60), limits: HostileResponse.limits)
        let response: TransportResponse
        do {
            response = try await transport.response(to: request)
        } catch let error as TransportError {
            // The server hangs up each time, so that nothing is left to wait for.
            #expect(error.reason != .timedOut && error.reason != .cancelled, "\(comment)")
            return false
        }
        #expect(response.bodyCount <= HostileResponse.limits.maximumBodySize, "\(comment)")
        let head = response.head
        #expect(
            head.headerFields.count <= HostileResponse.limits.maximumHeaderFieldCount, "\(comment)")
        if let length = head.headerFields[.contentLength],
            head.headerFields[.contentEncoding] == nil,
            head.status.code != 204, head.status.code != 304
        {
            let lengths = Set(length.split(separator: ",").map { Int($0.trimming) })
            #expect(lengths == [response.bodyCount], "\(comment)")
        }
        return true
    }
}

extension Substring {
    fileprivate var trimming: String { trimmingCharacters(in: .whitespaces) }
}

/// The bytes that a server is to send next.
private final class CurrentCase: Sendable {
    private let state = Guarded<([UInt8], [UInt8])>(([], []))

    var value: ([UInt8], [UInt8]) {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

private enum Mutation {
    private static let telling: [UInt8] = [
        0, 1, 9, 10, 13, 32, 44, 45, 48, 57, 58, 59, 0x7F, 0x80, 0xFF,
    ]

    /// Bytes with one to three faults.
    static func mutated(
        _ bytes: [UInt8], with other: [UInt8], using random: inout SplitMix
    ) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let length = Int.random(in: 0...min(bytes.count - place, 20), using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0 where place < bytes.count:
                bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1 where place < bytes.count:
                bytes[place] = telling.randomElement(using: &random) ?? 0
            case 2: bytes.removeSubrange(place..<place + length)
            case 3: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
            case 4: bytes.removeSubrange(place...)
            case 5: bytes.insert(telling.randomElement(using: &random) ?? 0, at: place)
            case 6:
                let start = Int.random(in: 0...other.count, using: &random)
                bytes.replaceSubrange(place..., with: other[start...])
            default: bytes.insert(.random(in: 0 ... .max, using: &random), at: place)
            }
        }
        return bytes
    }
}
#endif

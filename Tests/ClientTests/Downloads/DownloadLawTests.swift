import Foundation
import LarderClient
import LarderPromises
import LarderTesting
import Testing

/// Downloads of a resource that changes, from servers that hang up, know no ranges or get them wrong: what has
/// the file's name is one version of it, whole, and whatever fails leaves the file as it was.
@Suite struct DownloadLawTests {
    /// What the server does with one request.
    private enum Behaviour: CaseIterable {
        case asItShould, hangsUp, knowsNoRanges, sendsLess, sendsAnotherPart, refusesRanges, fails
    }

    private struct Version {
        var content: [UInt8]
        var validator: String
    }

    private struct World {
        var version: Version
        var behaviours: [Behaviour] = []
        var cut = 0
        /// The ranges that were asked for, empty where all was.
        var ranges: [String] = []
    }

    @Test(arguments: 0..<60)
    func `a file is one version, and is whole`(_ seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        let world = Guarded(World(version: Self.version(&random)))
        let server = try RawServer { try Self.serve($0, world) }
        let client = try TestClient.client(at: server.baseURL)
        let folder = try TemporaryFile(named: "marker", Data())
        let file = folder.url.deletingLastPathComponent().appending(path: "file")
        var expected: Data?
        /// What is known to lie beside the file: of which version, and how much.
        var beginning: (validator: String, count: Int)?
        for step in 0..<8 {
            if Int.random(in: 0..<4, using: &random) == 0 {
                let version = Self.version(&random)
                world.withLock { $0.version = version }
            }
            let behaviour = Behaviour.allCases.randomElement(using: &random) ?? .asItShould
            let cut = Int.random(in: 0...1000, using: &random)
            world.withLock {
                $0.behaviours = [behaviour]
                $0.cut = cut
                $0.ranges = []
            }
            let outcome = try? await client.download(.get("x"), to: file, replacing: true).value
            let (version, ranges) = world.withLock { ($0.version, $0.ranges) }
            let place = "seed \(seed), step \(step), \(behaviour)"
            if outcome != nil { expected = Data(version.content) }
            #expect((try? Data(contentsOf: file)) == expected, "\(place)")
            // Nobody is asked again for what is there.
            let start = beginning.map { "bytes=\($0.count)-" } ?? ""
            #expect(ranges.first == start, "\(place)")
            let isOfVersion = beginning?.validator == version.validator
            switch behaviour {
            case .asItShould, .sendsLess, .knowsNoRanges, .sendsAnotherPart, .refusesRanges:
                #expect(outcome != nil, "\(place)")
                beginning = nil
            case .hangsUp:
                let had = isOfVersion ? beginning?.count ?? 0 : 0
                let left = version.content.count - had
                if outcome == nil {
                    let count = had + min(cut, left)
                    let isKept = count > 0 && version.validator != ""
                    beginning = isKept ? (version.validator, count) : nil
                } else {
                    #expect(cut >= left, "\(place)")
                    beginning = nil
                }
            case .fails: #expect(outcome == nil, "\(place)")
            }
            let path = file.path(percentEncoded: false) + ".download"
            let lies = FileManager.default.fileExists(atPath: path)
            #expect(lies == (beginning != nil), "\(place)")
        }
    }

    private static func version(_ random: inout SplitMix) -> Version {
        let size =
            Int.random(in: 0..<4, using: &random) == 0
            ? Int.random(in: 0...700_000, using: &random) : Int.random(in: 1...1200, using: &random)
        let first = UInt8.random(in: 0...255, using: &random)
        let content = (0..<size).map { first &+ UInt8(truncatingIfNeeded: $0 &* 7) }
        let tag = "\"\(random.next())\""
        return Version(
            content: content, validator: Int.random(in: 0..<4, using: &random) == 0 ? "" : tag)
    }

    private static func serve(
        _ connection: RawServer.Connection, _ world: borrowing Guarded<World>
    ) throws {
        let head = try connection.readRequest()
        func field(_ name: String) -> String? {
            head.components(separatedBy: "\r\n").first { $0.hasPrefix(name + ": ") }
                .map { String($0.dropFirst(name.count + 2)) }
        }
        let range = field("Range") ?? ""
        let (version, behaviour, cut) = world.withLock { world in
            world.ranges.append(range)
            let behaviour = world.behaviours.popLast() ?? .asItShould
            return (world.version, behaviour, world.cut)
        }
        let asked = Int(range.dropFirst(6).dropLast()) ?? 0
        let holds = field("If-Range") == version.validator && asked < version.content.count
        var first = asked > 0 && holds ? asked : 0
        var last = version.content.count
        let tag = version.validator.isEmpty ? "" : "ETag: \(version.validator)\r\n"
        switch behaviour {
        case .fails:
            return try connection.send(
                "HTTP/1.1 500 Oh\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno")
        case .knowsNoRanges: first = 0
        case .refusesRanges where asked > 0:
            return try connection.send(
                "HTTP/1.1 416 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        case .sendsLess where first > 0: last = min(first + max(cut, 1), last)
        case .sendsAnotherPart where first > 0: first -= 1
        case .sendsAnotherPart where !tag.isEmpty && asked > 0 && asked < last:
            // A part of another version than the one that was asked for; its tag says so.
            first = asked
        default: break
        }
        let status =
            first > 0
            ? "206 Partial Content\r\nContent-Range: bytes \(first)-\(last - 1)/\(version.content.count)"
            : "200 OK"
        try connection.send(
            "HTTP/1.1 \(status)\r\n\(tag)Content-Length: \(last - first)\r\n"
                + "Connection: close\r\n\r\n")
        let content = version.content[first..<last]
        try connection.send(Array(behaviour == .hangsUp ? content.prefix(cut) : content))
    }
}

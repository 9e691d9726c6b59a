import Foundation
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

/// Downloads of a resource that changes, or that redirects lead to at changing places, from servers that hang up, know no ranges or get them wrong: what has
/// the file's name is one version of it, whole, and whatever fails leaves the file as it was.
@Suite struct DownloadLawTests {
    /// What the server does with one request.
    private enum Behaviour: CaseIterable {
        case asItShould, hangsUp, knowsNoRanges, sendsLess, sendsAnotherPart, refusesRanges, fails
        /// Sends a part of what there is now, whatever it is to be a part of.
        case knowsNoConditions
        /// Says of a part neither its length nor the size of the whole.
        case saysLittle
        /// Sends less or more than its own range, whose length it does not say again.
        case breaksOff, goesOn

        /// One of them; where a beginning lies there, more often one that may spoil it, and where none does, one
        /// that leaves some.
        static func random(isBegun: Bool, _ random: inout SplitMix) -> Behaviour {
            let likely: [Behaviour] =
                isBegun
                ? Array(repeating: .knowsNoConditions, count: 4) + [.breaksOff, .goesOn]
                : Array(repeating: .hangsUp, count: allCases.count)
            return (allCases + likely).randomElement(using: &random) ?? .asItShould
        }
    }

    private struct Version {
        var content: [UInt8]
        var validator: String
        /// The path that a redirect leads to, empty where none does.
        var place = ""

        /// Whether the rest is another's, by what one has of it: a redirect signs its query anew each time.
        func isRest(of other: Version?) -> Bool {
            validator == other?.validator && content.count == other?.content.count
                && place == other?.place && (place.isEmpty || validator.hasPrefix("\""))
        }

        /// The field that says which one it is.
        var field: String {
            if validator.isEmpty { return "" }
            return "\(validator.hasPrefix("\"") ? "ETag" : "Last-Modified"): \(validator)\r\n"
        }
    }

    private struct World {
        var version: Version
        var behaviours: [Behaviour] = []
        var cut = 0
        var redirects = 0
        /// The ranges that were asked for, empty where all was.
        var ranges: [String] = []
    }

    @Test(arguments: 0..<200)
    func `a file is one version, and is whole`(_ seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        let world = Guarded(World(version: Self.version(&random)))
        let server = try RawServer { try Self.serve($0, world) }
        let client = try TestClient.client(at: server.baseURL)
        let folder = try TemporaryFile(named: "marker", Data())
        let file = folder.url.deletingLastPathComponent().appending(path: "file")
        var expected: Data?
        /// What is known to lie beside the file: of which version, and how much.
        var beginning: (version: Version, count: Int)?
        for step in 0..<8 {
            let before = world.withLock(\.version)
            let changed = Self.change(of: before, isBegun: beginning != nil, &random)
            world.withLock { $0.version = changed }
            let behaviour = Behaviour.random(isBegun: beginning != nil, &random)
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
            let seemsSame = beginning?.version.validator == version.validator
            let isOfVersion = version.isRest(of: beginning?.version)
            switch behaviour {
            case .breaksOff where isOfVersion, .goesOn where isOfVersion:
                #expect(outcome == nil, "\(place)")
                let had = beginning?.count ?? 0
                let count = Self.partial(of: file)?.count ?? 0
                #expect(count >= had, "\(place)")
                beginning = (version, count)
            // The rest is refused by the size of the whole or its place, and all asked for.
            case .hangsUp where seemsSame && !isOfVersion,
                .asItShould, .sendsLess, .knowsNoRanges, .sendsAnotherPart, .refusesRanges,
                .knowsNoConditions, .saysLittle, .breaksOff, .goesOn:
                #expect(outcome != nil, "\(place)")
                beginning = nil
            case .hangsUp:
                let had = isOfVersion ? beginning?.count ?? 0 : 0
                let left = version.content.count - had
                if outcome == nil {
                    let count = had + min(cut, left)
                    let isKept = count > 0 && version.validator != ""
                    beginning = isKept ? (version, count) : nil
                } else {
                    #expect(cut >= left, "\(place)")
                    beginning = nil
                }
            case .fails: #expect(outcome == nil, "\(place)")
            }
            #expect(
                Self.partial(of: file)
                    == beginning.map { Data($0.version.content.prefix($0.count)) }, "\(place)")
        }
    }

    /// What lies beside a file.
    private static func partial(of file: URL) -> Data? {
        FileManager.default.contents(atPath: file.path(percentEncoded: false) + ".download")
    }

    /// What there is at the next step: mostly the same; where there is a beginning, at times something else that
    /// one field alone tells from it.
    private static func change(
        of version: Version, isBegun: Bool, _ random: inout SplitMix
    ) -> Version {
        let size = version.content.count
        switch Int.random(in: 0..<8, using: &random) {
        case 0...1: return Self.version(&random)
        case 2...3 where isBegun:
            // The size is the same, the tag or the time another.
            let validator = validators(&random).dropFirst().randomElement(using: &random) ?? ""
            return Version(
                content: content(size, &random), validator: validator, place: version.place)
        case 4 where isBegun:
            // As from a server whose tags are wrong, or of a change within the same second.
            let size = size + Int.random(in: 1...100, using: &random)
            return Version(
                content: content(size, &random), validator: version.validator,
                place: version.place)
        case 5 where isBegun:
            // As from a server whose tags are made of a time and a size.
            return Version(
                content: content(size, &random), validator: version.validator,
                place: places.filter { $0 != version.place }
                    .randomElement(using: &random) ?? "")
        default: return version
        }
    }

    private static func version(_ random: inout SplitMix) -> Version {
        let size =
            Int.random(in: 0..<4, using: &random) == 0
            ? Int.random(in: 0...700_000, using: &random) : Int.random(in: 1...1200, using: &random)
        let content = content(size, &random)
        return Version(
            content: content, validator: validators(&random).randomElement(using: &random) ?? "",
            place: places.randomElement(using: &random) ?? "")
    }

    /// None, and where redirects lead to.
    private static let places = ["", "", "/a/x", "/b/x"]

    private static func content(_ size: Int, _ random: inout SplitMix) -> [UInt8] {
        let first = UInt8.random(in: 0...255, using: &random)
        return (0..<size).map { first &+ UInt8(truncatingIfNeeded: $0 &* 7) }
    }

    /// None, two tags and a time.
    private static func validators(_ random: inout SplitMix) -> [String] {
        [
            "", "\"\(random.next())\"", "\"\(random.next())\"",
            RFC1123.text(of: Double(Int.random(in: 0...600_000_000, using: &random))) ?? "",
        ]
    }

    private static func serve(
        _ connection: RawServer.Connection, _ world: borrowing Guarded<World>
    ) throws {
        let head = try connection.readRequest()
        func field(_ name: String) -> String? {
            head.components(separatedBy: "\r\n").first { $0.hasPrefix(name + ": ") }
                .map { String($0.dropFirst(name.count + 2)) }
        }
        let (place, redirects) = world.withLock { world in
            world.redirects += 1
            return (world.version.place, world.redirects)
        }
        if !place.isEmpty, head.hasPrefix("GET /x ") {
            return try connection.send(
                "HTTP/1.1 307 There\r\nLocation: \(place)?signed=\(redirects)\r\n"
                    + "Content-Length: 0\r\nConnection: close\r\n\r\n")
        }
        let range = field("Range") ?? ""
        let (version, behaviour, cut) = world.withLock { world in
            world.ranges.append(range)
            let behaviour = world.behaviours.popLast() ?? .asItShould
            return (world.version, behaviour, world.cut)
        }
        let asked = Int(range.dropFirst(6).dropLast()) ?? 0
        let holds =
            (behaviour == .knowsNoConditions || field("If-Range") == version.validator)
            && asked < version.content.count
        var first = asked > 0 && holds ? asked : 0
        var last = version.content.count
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
        case .sendsAnotherPart where version.validator.hasPrefix("\"") && asked > 0 && asked < last:
            // A part of another version than the one that was asked for; its tag says so.
            first = asked
        default: break
        }
        let isVague = first > 0 && [.saysLittle, .breaksOff, .goesOn].contains(behaviour)
        let total = behaviour == .saysLittle ? "*" : "\(version.content.count)"
        let status =
            first > 0
            ? "206 Partial Content\r\nContent-Range: bytes \(first)-\(last - 1)/\(total)"
            : "200 OK"
        let length = isVague ? "" : "Content-Length: \(last - first)\r\n"
        try connection.send(
            "HTTP/1.1 \(status)\r\n\(version.field)\(length)Connection: close\r\n\r\n")
        var content = Array(version.content[first..<last])
        switch behaviour {
        case .hangsUp: content = Array(content.prefix(cut))
        case .breaksOff where isVague: content.removeLast(min(max(cut, 1), content.count))
        case .goesOn where isVague: content += [1, 2, 3]
        default: break
        }
        try connection.send(content)
    }
}

import Foundation
import HTTPTypes
import Testing

@testable import LarderClient

/// Texts of each syntax that redaction knows, with made-up secrets that hold what is hard in it.
///
/// `LARDER_REDACTION_SEED` is the first seed, `LARDER_REDACTION_COUNT` how many texts there are.
@Suite struct RedactionLawTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let first =
        environment["LARDER_REDACTION_SEED"].flatMap(UInt64.init) ?? 1
    private static let count = environment["LARDER_REDACTION_COUNT"].flatMap(Int.init) ?? 3_000

    @Test func `nothing of a secret is shown, and everything beside it is`() async {
        var failures = 0
        for seed in Self.first..<Self.first + UInt64(Self.count) {
            if seed % 100 == 0 { await Task.yield() }
            guard let problem = RedactionLaw.problem(of: seed) else { continue }
            Issue.record("\(problem)")
            failures += 1
            if failures == 5 { return }
        }
    }

    @Test func `nothing of a secret is in a command of curl`() {
        for seed in Self.first..<Self.first + UInt64(Self.count / 20) {
            let planted = PlantedSecret(seed: seed)
            let request = TransportRequest(
                head: HTTPRequest(
                    method: .post, scheme: "https", authority: "h.test",
                    path: "/?token=\(SecretWriter.percent(planted.forms[0]))&page=2017",
                    headerFields: [.authorization: "Bearer x"]),
                body: Data(planted.text.utf8))
            let command = request.curlCommand()
            let part = RedactionLaw.part(of: planted, in: command)
            #expect(part == nil, "seed \(seed): \(planted.text.debugDescription)")
            #expect(command.contains("page=2017"))
        }
    }

    /// Nothing but that they are read to their ends.
    @Test func `damaged texts are read, too`() {
        var random = SplitMix(seed: Self.first)
        let marks = Array("\"'\\{}[]()<>&;:=%,\n\r\t -/#@u0n".utf8) + [0, 0x80, 0xE2, 0xFF]
        for seed in Self.first..<Self.first + UInt64(Self.count / 10) {
            var bytes = Array(PlantedSecret(seed: seed).text.utf8)
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let place = Int.random(in: 0...bytes.count, using: &random)
                let end = min(place + Int.random(in: 0...4, using: &random), bytes.count)
                bytes.replaceSubrange(
                    place..<end, with: [marks.randomElement(using: &random) ?? 0])
            }
            let kind: RedactedText.Kind = seed.isMultiple(of: 2) ? .content : .url
            _ = RedactedText.of(Data(bytes), kind, isCut: true, by: Redaction())
        }
    }

    @Test func `ten times as much takes some ten times as long`() {
        let text = SecretSyntax.allCases.map { PlantedSecret(seed: 3, in: $0).text }
            .joined(separator: "\n")
        let (short, long) = (Self.seconds(text, 1), Self.seconds(text, 10))
        // What is short may have been held up by anything.
        #expect(long < 20 * max(short, 0.02), "\(short) s, \(long) s")
    }

    /// The least of three times of a processor.
    private static func seconds(_ text: String, _ count: Int) -> Double {
        let data = Data(String(repeating: text, count: count).utf8)
        return (0..<3).map { _ in
            var (start, end) = (timespec(), timespec())
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
            _ = RedactedText.of(data, by: Redaction())
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
            return Double(end.tv_sec - start.tv_sec) + Double(end.tv_nsec - start.tv_nsec) / 1e9
        }.min() ?? 0
    }
}

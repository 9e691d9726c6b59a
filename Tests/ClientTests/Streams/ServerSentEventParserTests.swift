import Foundation
import Testing

@testable import LarderClient

@Suite struct ServerSentEventParserTests {
    /// What a stream comes to.
    struct Outcome: Equatable {
        var events: [ServerSentEvent] = []
        var lastEventID = ""
        var reconnectionTime: Duration?
        var isTooLarge = false
    }

    static func outcome(of chunks: [[UInt8]], maximumSize: Int = .max) -> Outcome {
        var parser = ServerSentEventParser(maximumSize: maximumSize)
        var outcome = Outcome()
        do {
            for chunk in chunks { try parser.parse(Data(chunk), into: &outcome.events) }
        } catch {
            outcome.isTooLarge = error.reason == .limitExceeded
        }
        outcome.lastEventID = parser.lastEventID
        outcome.reconnectionTime = parser.reconnectionTime
        return outcome
    }

    static func events(of text: String) -> [ServerSentEvent] {
        outcome(of: [Array(text.utf8)]).events
    }

    /// The standard's words, over the whole text at once: decoded first, then parted into lines, then read.
    static func oracle(_ bytes: [UInt8]) -> Outcome {
        var scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        var (lines, line): ([[Unicode.Scalar]], [Unicode.Scalar]) = ([], [])
        for (index, scalar) in scalars.enumerated() {
            if scalar == "\n", index > 0, scalars[index - 1] == "\r" { continue }
            guard scalar == "\n" || scalar == "\r" else {
                line.append(scalar)
                continue
            }
            lines.append(line)
            line = []
        }
        func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
            scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
        }
        var outcome = Outcome()
        var (data, type, id): ([String], String, String) = ([], "", "")
        var retry: Duration?
        for line in lines {
            if line.isEmpty {
                outcome.lastEventID = id
                if !data.isEmpty {
                    outcome.events.append(
                        ServerSentEvent(
                            id: id, event: type == "" ? "message" : type,
                            data: data.joined(separator: "\n"), retry: retry))
                }
                (data, type, retry) = ([], "", nil)
                continue
            }
            if line[0] == ":" { continue }
            let name = text(line.prefix { $0 != ":" })
            var value = line.drop { $0 != ":" }.dropFirst()
            if value.first == " " { value = value.dropFirst() }
            switch name {
            case "data": data.append(text(value))
            case "event": type = text(value)
            case "id": if !value.contains("\0") { id = text(value) }
            case "retry":
                if !value.isEmpty, value.allSatisfy({ "0"..."9" ~= $0 }),
                    let time = Int(text(value))
                {
                    retry = .milliseconds(time)
                    outcome.reconnectionTime = retry
                }
            default: break
            }
        }
        return outcome
    }

    @Test func `fields make an event, which a blank line ends`() {
        let text = "event: add\ndata: 1\nid: 7\nretry: 250\n\ndata: 2\n\n"
        #expect(
            Self.events(of: text) == [
                ServerSentEvent(id: "7", event: "add", data: "1", retry: .milliseconds(250)),
                ServerSentEvent(id: "7", data: "2"),
            ])
    }

    @Test(arguments: [
        ("data: a\ndata: b\n\n", ["a\nb"]), ("data\n\n", [""]), ("data:\ndata:\n\n", ["\n"]),
        ("data:  a\n\n", [" a"]), ("data:a:b\n\n", ["a:b"]),
        ("data: a\r\rdata: b\r\n\r\n", ["a", "b"]),
        ("\u{FEFF}data: a\n\n", ["a"]), ("\u{FEFF}\u{FEFF}data: a\n\n", []),
        (": c\ndata: a\n: d\n\n", ["a"]),
        ("data: a\n\ndata: b\n", ["a"]), ("data: a\n\ndata: b", ["a"]), ("Data: a\n\n", []),
        ("event: x\n\n", []), (" data: a\n\n", []), ("", []),
    ])
    func `data is joined by line feeds, and what is unfinished is dropped`(
        _ text: String, _ data: [String]
    ) {
        #expect(Self.events(of: text).map(\.data) == data)
    }

    @Test func `an id stays until another one comes, which may be empty`() {
        let text = "id: 1\ndata: a\n\nid: 2\0\ndata: b\n\nid\ndata: c\n\nid: 3\ndata: d"
        let outcome = Self.outcome(of: [Array(text.utf8)])
        #expect(outcome.events.map(\.id) == ["1", "1", ""])
        // The last one belongs to an event that is none.
        #expect(outcome.lastEventID == "")
    }

    @Test(arguments: [
        ("10", Duration.milliseconds(10)), ("", nil), ("-1", nil), ("1.5", nil), ("1 ", nil),
        ("\u{661}", nil), (String(repeating: "9", count: 40), ServerSentEventParser.longestRetry),
    ])
    func `a time to wait is digits alone`(_ text: String, _ time: Duration?) {
        let outcome = Self.outcome(of: [Array("retry: \(text)\n\n".utf8)])
        #expect(outcome.reconnectionTime == time)
    }

    @Test func `what is not UTF-8 is replaced`() {
        let bytes =
            Array("data: a".utf8) + [0xE2, 0x82, 0x0A] + Array("data: ".utf8) + [0xFF, 0x0A, 0x0A]
        #expect(Self.outcome(of: [bytes]).events.map(\.data) == ["a\u{FFFD}\n\u{FFFD}"])
    }

    @Test func `an event that is too large is an error behind those before it`() {
        let text = "data: a\n\n: " + String(repeating: "c", count: 8) + "\n"
        let large = "data: 1\ndata: 2\ndata: 3\n\n"
        var outcome = Self.outcome(of: [Array((text + text).utf8)], maximumSize: 14)
        #expect(outcome.events.count == 2 && !outcome.isTooLarge)
        outcome = Self.outcome(of: [Array((text + large + text).utf8)], maximumSize: 14)
        #expect(outcome.events.count == 1 && outcome.isTooLarge)
        outcome = Self.outcome(of: Array(repeating: [0x3A], count: 20), maximumSize: 14)
        #expect(outcome.isTooLarge)
    }

    private static let words: [[UInt8]] =
        [
            "data", "data:", "data: ", "event:", "id", "id: ", "retry:", ":", " ", "a", "b c", "7",
            "42",
            "\0", "\n", "\n", "\r", "\r\n", "\n\n", "\r\r", "\r\n\r\n", "\u{FEFF}", "é", "€", "😀",
            "",
        ].map { Array($0.utf8) } + [[0xFF], [0xE2, 0x82], [0xF0, 0x9F], [0xEF, 0xBB], [0xC0]]

    @Test(arguments: 0..<100)
    func `events are those of the standard, however the bytes are parted`(_ seed: UInt64) {
        var random = SplitMix(seed: seed)
        for _ in 0..<200 {
            let bytes = Chunks.bytes(of: Self.words, &random)
            let expected = Self.oracle(bytes)
            let chunks = Chunks.parted(bytes, &random)
            #expect(Self.outcome(of: chunks) == expected, "seed \(seed): \(chunks)")
            let whole = Self.outcome(of: [bytes], maximumSize: 12)
            #expect(
                Self.outcome(of: chunks, maximumSize: 12) == whole, "seed \(seed): \(chunks)")
        }
    }
}

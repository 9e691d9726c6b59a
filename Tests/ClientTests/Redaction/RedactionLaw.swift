import Foundation

@testable import LarderClient

/// What holds of every text in which a secret is planted.
enum RedactionLaw {
    /// What is wrong with what is shown of a text, told of the least secret with which it is.
    static func problem(of seed: UInt64, in syntax: SecretSyntax? = nil) -> String? {
        let planted = PlantedSecret(seed: seed, in: syntax)
        guard var problem = problem(of: planted, seed) else { return nil }
        var (least, without) = (planted, Set<Int>())
        for piece in planted.pieces.indices {
            let rest = planted.pieces.indices.filter { $0 != piece && !without.contains($0) }
            // Signs alone are no secret.
            guard rest.contains(where: { planted.pieces[$0].allSatisfy(\.isLetterOrDigit) }) else {
                continue
            }
            let smaller = PlantedSecret(seed: seed, without: without.union([piece]), in: syntax)
            guard let still = self.problem(of: smaller, seed) else { continue }
            (least, problem) = (smaller, still)
            without.insert(piece)
        }
        return """
            seed \(seed), \(least.syntax): \(problem)
            \(least.text.debugDescription)
            shown as
            \(shown(least.text).debugDescription)
            """
    }

    private static func problem(of planted: PlantedSecret, _ seed: UInt64) -> String? {
        let shown = shown(planted.text)
        if let part = part(of: planted, in: shown) { return "shows \(part.debugDescription)" }
        if let lost = planted.shown.first(where: { !shown.contains($0) }) { return "hides \(lost)" }
        let again = self.shown(shown)
        if again != shown { return "is not the same the second time: \(again.debugDescription)" }
        var random = SplitMix(seed: seed)
        let count = Int.random(in: 0...planted.text.utf8.count, using: &random)
        let cut = RedactedText.of(
            Data(planted.text.utf8.prefix(count)), isCut: true, by: Redaction())
        if let part = part(of: planted, in: cut) {
            return "cut at \(count), shows \(part.debugDescription) in \(cut.debugDescription)"
        }
        guard planted.syntax == "query" else { return nil }
        let url = Redaction().url(planted.text)
        return part(of: planted, in: url).map { "as a URL, shows \($0.debugDescription)" }
    }

    private static func shown(_ text: String) -> String {
        RedactedText.of(Data(text.utf8), by: Redaction())
    }

    /// The first six bytes of a secret, in whatever form, that are shown.
    static func part(of planted: PlantedSecret, in shown: String) -> String? {
        let visible = Set(windows(of: shown))
        let own = visible.intersection(windows(of: planted.frame))
        for form in planted.forms {
            for (index, window) in windows(of: form).enumerated()
            where visible.contains(window) && !own.contains(window) && hasLetter(window) {
                return String(decoding: form.utf8.dropFirst(index).prefix(6), as: UTF8.self)
            }
        }
        return nil
    }

    /// Whether more than spaces and their escapes are in six bytes.
    private static func hasLetter(_ window: UInt64) -> Bool {
        (0..<6).contains { place in
            let byte = UInt8(truncatingIfNeeded: window >> (8 * UInt64(place)))
            return (0x31...0x39).contains(byte) || (0x41...0x5A).contains(byte) || byte >= 0x80
        }
    }

    /// Each six bytes that follow each other, in one number.
    private static func windows(of text: String) -> [UInt64] {
        var (windows, window): ([UInt64], UInt64) = ([], 0)
        for (index, byte) in text.utf8.enumerated() {
            window = (window << 8 | UInt64(byte)) & 0xFFFF_FFFF_FFFF
            if index >= 5 { windows.append(window) }
        }
        return windows
    }
}

extension Character {
    fileprivate var isLetterOrDigit: Bool { isASCII && (isLetter || isNumber) }
}

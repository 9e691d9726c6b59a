import Foundation

/// The names under which anybody can have a domain, such as `com`, `co.uk` and `github.io`: a cookie for all
/// of one would go to strangers.
///
/// They are rules of the Public Suffix List (<https://publicsuffix.org>), which changes every week and so is not
/// a part of Larder: Debian's package `publicsuffix` has it, and an app can bring a copy of its own and hand its
/// text to ``init(_:)``.
public struct PublicSuffixes: Sendable {
    /// The rules, each followed by a newline, sorted by their bytes; nil where there is no list.
    private let rules: [UInt8]?

    /// The list in `/usr/share/publicsuffix`, or ``cautious`` where there is none.
    ///
    /// It is read once in a process.
    public static let system: PublicSuffixes = {
        let path = "/usr/share/publicsuffix/public_suffix_list.dat"
        guard let content = FileManager.default.contents(atPath: path) else { return .cautious }
        return PublicSuffixes(String(decoding: content, as: UTF8.self))
    }()

    /// A rule for where there is no list: single labels, and two where the last has two letters, are
    /// suffixes.
    ///
    /// So a cookie for all of `co.uk` is refused, and one for all of `example.de` too, while that for all
    /// of `example.com` is taken. Those of one host alone are not concerned.
    public static let cautious = PublicSuffixes(sorted: nil)

    private init(sorted rules: [UInt8]?) { self.rules = rules }

    /// Creates a list from the text of `public_suffix_list.dat`, in UTF-8.
    ///
    /// Lines that hold no rule are passed over; where there is none at all, single labels are suffixes.
    public init(_ text: String) {
        let rules = text.split(whereSeparator: \.isNewline).compactMap { line -> [UInt8]? in
            guard let rule = line.split(whereSeparator: \.isWhitespace).first,
                !rule.hasPrefix("//")
            else { return nil }
            let labels = rule.lowercased().split(separator: ".", omittingEmptySubsequences: false)
            return Array(labels.map(Punycode.aLabel).joined(separator: ".").utf8)
        }
        self.init(
            sorted: rules.sorted { $0.lexicographicallyPrecedes($1) }
                .flatMap { $0 + [UInt8(ascii: "\n")] })
    }

    /// Whether a host's name is a suffix of others', or a single label, which is one unless a rule says
    /// otherwise.
    ///
    /// Case is ignored, and a dot at the end. Names outside ASCII are in A-labels, such as `xn--p1ai`.
    public func contains(_ host: String) -> Bool {
        var name = Array(host.lowercased().utf8)[...]
        if name.last == UInt8(ascii: ".") { name.removeLast() }
        guard !name.isEmpty else { return true }
        // Whatever an exception takes out is a domain, and so is all below it.
        var rest = name
        while true {
            if hasRule("!".utf8, rest) { return false }
            guard let dot = rest.firstIndex(of: UInt8(ascii: ".")) else { break }
            rest = rest[(dot + 1)...]
        }
        guard let dot = name.firstIndex(of: UInt8(ascii: ".")) else { return true }
        guard rules != nil else {
            return name.endIndex - dot == 3 && !name[..<dot].contains(UInt8(ascii: "."))
                && name[(dot + 1)...].allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= $0 }
        }
        // What all suffixes of a kind are below is nobody's either.
        return hasRule("".utf8, name) || hasRule("*".utf8, name[dot...])
            || hasRule("*.".utf8, name)
    }

    /// Whether there is the rule that the two parts make, found by halving.
    private func hasRule(_ prefix: String.UTF8View, _ name: ArraySlice<UInt8>) -> Bool {
        guard let rules else { return false }
        let rule = Array(prefix) + name
        let newline = UInt8(ascii: "\n")
        var (low, high) = (rules.startIndex, rules.endIndex)
        while low < high {
            let middle = (low + high) / 2
            let start = rules[low..<middle].lastIndex(of: newline).map { $0 + 1 } ?? low
            let end = rules[start..<high].firstIndex(of: newline) ?? high
            let found = rules[start..<end]
            if found.elementsEqual(rule) { return true }
            if found.lexicographicallyPrecedes(rule) { low = end + 1 } else { high = start }
        }
        return false
    }
}

import Foundation
import Testing

/// Folders are rooms with a direction: what a folder declares is named by those that come after it
/// on a response's way, not by those before it.
@Suite struct FolderTests {
    /// Pairs of folders of each target that name each other all the same, with the reason; `""` is the
    /// top, where the nouns of the public API stand, which know what they are made of.
    private static let known: [String: [Set<String>: String]] = [
        "ObjectStore": [
            ["", "File"]: "a store opens its file, whose configuration is the store's",
            ["", "Mapping"]: "a context imports, and what is imported is of entities",
            ["", "Model"]: "an entity describes itself, and a model is made of entities",
            ["", "Observation"]: "a store has its observers",
            ["", "Plan"]: "a store has the plan of its model",
            ["", "Query"]: "a store is asked by queries, which are of entities",
            ["", "Reading"]: "an entity is made of a row, and a snapshot reads",
            ["", "Store"]: "a store has its writer and its readers",
            ["", "Wrappers"]: "entities are what is made of JSON, as wrappers are",
            ["", "Writing"]: "an entity gives its values to be written",
            ["Model", "Reading"]: "the rules of a type are asked about objects that were read",
            ["Plan", "Reading"]: "the rules of a type are asked about objects that were read",
        ],
        "Client": [
            ["", "Caching"]: "a client has its cache, endpoints their policy",
            ["", "Coalescing"]: "endpoints have their policy, and what that refuses is an error",
            ["", "InFlight"]: "a client has a list of its requests",
            ["", "Interceptors"]: "endpoints have them, and what they refuse is an error",
            ["", "Observation"]: "a client has its observers",
            ["", "Pipeline"]: "a client enqueues endpoints, and whatever fails is its error",
            ["", "Redirects"]: "a client has its policy, and what that refuses is its error",
            ["", "Replay"]: "a client has what the store can answer by, endpoints their policy",
            ["", "Redaction"]: "an error tells no secrets, and is redacted",
            ["HTTP", "Transport"]: "a URL that can't be sent is an error of the transport",
        ],
        "Promises": [
            ["", "Engine"]: "a promise has its node, which settles promises",
            ["Engine", "Scheduling"]: "a node calls its handlers on their schedulers",
        ],
        "EntityMacros": [:],
        "LarderTesting": [:],
    ]

    @Test(arguments: known.keys.sorted())
    func `no two folders name each other but those that are known to`(_ target: String) throws {
        let known = try #require(Self.known[target])
        let mutual = try FolderArrows(in: "Sources/\(target)").mutual
        #expect(mutual.filter { known[$0.folders] == nil }.map(\.description) == [])
        let found = Set(mutual.map(\.folders))
        #expect(known.keys.filter { !found.contains($0) }.map { $0.sorted() } == [])
    }

    @Test func `names are found in code alone`() {
        let names = SourceNames(
            in: """
                /// Of Comment.
                struct Outer<Element: Constraint> { // Comment
                    enum Inner { case one(Used) }
                    let text = "Text \\"Text\\"", raw = #"a "Text" b"#, inner: Inner, at = Used.Member()
                }
                typealias Other = [Element]
                """)
        #expect(names.declared == ["Outer", "Other"])
        #expect(names.used == ["Constraint", "Used"])
    }
}

/// Which folder names what another one declares.
struct FolderArrows {
    /// Two folders that name each other, and the names of the weaker direction.
    struct Pair: CustomStringConvertible {
        let folders: Set<String>
        let description: String
    }

    let mutual: [Pair]

    init(in root: String) throws {
        let files = try SourceFile.all(in: root).map { file in
            let folder = file.path.dropFirst(root.count + 1).split(separator: "/").dropLast()
            let text = file.lines.map(\.text).joined(separator: "\n")
            return (folder: folder.joined(separator: "/"), names: SourceNames(in: text))
        }
        let homes = Dictionary(
            files.flatMap { file in file.names.declared.map { ($0, file.folder) } },
            uniquingKeysWith: { first, _ in first })
        var arrows: [String: [String: Set<String>]] = [:]
        for file in files {
            for name in file.names.used {
                guard let home = homes[name], home != file.folder else { continue }
                arrows[file.folder, default: [:]][home, default: []].insert(name)
            }
        }
        mutual = arrows.flatMap { from, targets in
            targets.compactMap { to, names -> Pair? in
                guard let back = arrows[to]?[from] else { return nil }
                // Each pair once, by the direction that is easier to cut.
                guard (names.count, from) < (back.count, to) else { return nil }
                return Pair(
                    folders: [from, to],
                    description:
                        "\(from) names \(names.sorted()) of \(to), and that \(back.sorted())")
            }
        }
    }
}

/// The names of types in a file's code.
struct SourceNames {
    /// Those declared at its top.
    private(set) var declared: Set<String> = []
    /// Those that stand there and are declared elsewhere; not those behind a dot.
    private(set) var used: Set<String> = []

    private static let keywords: Set = [
        "actor", "associatedtype", "class", "enum", "macro", "protocol", "struct", "typealias",
    ]

    init(in text: String) {
        var own: Set<String> = []
        var depth = 0
        var before = ""
        var rest = Substring(text)
        while let character = rest.first {
            if character == "/", rest.hasPrefix("//") {
                rest = rest.drop { $0 != "\n" }
            } else if character == "\"" || character == "#",
                let (opening, closing) = Self.quotes.first(where: { rest.hasPrefix($0.0) })
            {
                rest = Self.skipping(rest.dropFirst(opening.count), to: closing)
            } else if character.isLetter || character == "_" {
                let word = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
                rest = rest.dropFirst(word.count)
                if Self.keywords.contains(before) {
                    own.insert(word)
                    if depth == 0 { declared.insert(word) }
                } else if character.isUppercase, before != "." {
                    used.insert(word)
                    // A generic parameter is the declaration's own.
                    if before == "<", rest.hasPrefix(":") || rest.hasPrefix(",") {
                        own.insert(word)
                    }
                }
                before = word
            } else {
                if character == "{" { depth += 1 }
                if character == "}" { depth -= 1 }
                if !character.isWhitespace { before = String(character) }
                rest.removeFirst()
            }
        }
        used.subtract(own)
    }

    private static let quotes = [("\"\"\"", "\"\"\""), ("#\"", "\"#"), ("\"", "\"")]

    private static func skipping(_ text: Substring, to end: String) -> Substring {
        var rest = text
        while !rest.isEmpty, !rest.hasPrefix(end) {
            rest = rest.dropFirst(rest.first == "\\" && end != "\"#" ? 2 : 1)
        }
        return rest.dropFirst(end.count)
    }
}

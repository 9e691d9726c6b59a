import Foundation
import HTTPTypes
import LarderClient
import Testing

@Suite struct QueryParametersTests {
    private struct Filter: Encodable, Sendable {
        struct Range: Encodable, Sendable {
            var minStars: Int?
            var maxStars: Int?
        }

        var sortBy = "name"
        var perPage = 20
        var isOpen: Bool?
        var labelIDs: [Int] = []
        var starRange = Range()
        var counts: [String: Int] = [:]
    }

    private static func text(_ parameters: QueryParameters) throws -> String {
        try parameters.items().map { "\($0.name)=\($0.value ?? "")" }.joined(separator: "&")
    }

    @Test func `values of several types are one literal, in its order`() throws {
        let (q, since) = ("a&b", Date(timeIntervalSince1970: 0.5))
        let parameters: QueryParameters = [
            "page": 2, "q": q, "open": true, "since": since, "price": 2.5, "whole": 3.0,
            "id": URL(string: "https://h/a"), "bytes": Data([255]), "big": UInt64.max,
            "exact": Decimal(string: "0.1"),
        ]
        #expect(
            try Self.text(parameters)
                == "page=2&q=a&b&open=true&since=1970-01-01T00:00:00.5Z&price=2.5&whole=3"
                + "&id=https://h/a&bytes=/w==&big=18446744073709551615&exact=0.1")
    }

    private struct Login: Encodable, Sendable {
        var user = "ann"
        var password = "hidden"
    }

    @Test func `they say nothing secret of themselves`() {
        let parameters: QueryParameters = ["token": "hidden", "page": 2, "login": Login()]
        let query = "?token=…&page=2&login%5Bpassword%5D=…&login%5Buser%5D=ann"
        #expect("\(parameters)" == "QueryParameters(query: \"\(query)\")")
        #expect(!String(reflecting: parameters).contains("hidden"))
        var text = ""
        dump(parameters, to: &text)
        #expect(!text.contains("hidden") && text.contains(query))
        let wrong: QueryParameters = ["token": "hidden", "number": Double.nan]
        #expect("\(wrong)" == "QueryParameters(query: \"…\")")
    }

    @Test func `a literal keeps its order, whatever is said beside it`() throws {
        let (b, a) = (1, 2)
        #expect(try Self.text(["b": b, "a": a]) == "b=1&a=2")
        #expect(try Self.text(QueryParameters(["b": b, "a": a])) == "b=1&a=2")
        #expect(try Self.text(QueryParameters(["b": b, "a": a], arrays: .commas)) == "b=1&a=2")
        #expect(
            try Self.text(QueryParameters(["b": "x", "a": "y"], names: .verbatim)) == "b=x&a=y")
        let dictionary = ["b": 1, "a": 2]
        #expect(try Self.text(QueryParameters(dictionary)) == "a=2&b=1")
    }

    @Test func `what is nil is left out, what is empty text is not`() throws {
        let none: String? = nil
        #expect(
            try Self.text(["a": none, "b": "", "c": nil, "d": [1, nil, 2], "e": [Int]()])
                == "b=&d[]=1&d[]=2")
        #expect(try QueryParameters(Filter?.none).items().isEmpty)
        #expect(try QueryParameters([:]).items().isEmpty)
    }

    @Test func `a type's properties are named in snake case, in the order of their names`() throws {
        let filter = Filter(
            isOpen: false, labelIDs: [1, 2], starRange: .init(minStars: 5), counts: ["firstKey": 1])
        #expect(
            try Self.text(QueryParameters(filter))
                == "counts[firstKey]=1&is_open=false&label_ids[]=1&label_ids[]=2&per_page=20"
                + "&sort_by=name&star_range[min_stars]=5")
        #expect(
            try Self.text(["filter": Filter()])
                == "filter[per_page]=20&filter[sort_by]=name")
    }

    @Test func `names follow another rule on request, those of a dictionary never`() throws {
        let filter = Filter(starRange: .init(maxStars: 1), counts: ["firstKey": 1])
        #expect(
            try Self.text(QueryParameters(filter, names: .verbatim))
                == "counts[firstKey]=1&perPage=20&sortBy=name&starRange[maxStars]=1")
        #expect(
            try Self.text(QueryParameters(filter, names: .custom { $0.uppercased() }))
                == "COUNTS[firstKey]=1&PERPAGE=20&SORTBY=name&STARRANGE[MAXSTARS]=1")
        #expect(try Self.text(["firstKey": ["otherKey": 1]]) == "firstKey[otherKey]=1")
        #expect(try Self.text(QueryParameters(["aB": "c"] as [String: String])) == "aB=c")
    }

    @Test(
        arguments: [
            (.brackets, "a[]=1&a[]=2"), (.repeated, "a=1&a=2"), (.numbered, "a[0]=1&a[1]=2"),
            (.commas, "a=1,2"), (.separated(by: "|"), "a=1|2"), (.separated(by: ""), "a=12"),
        ] as [(QueryParameters.Arrays, String)])
    func `arrays are written in several ways`(
        _ arrays: QueryParameters.Arrays, _ expected: String
    ) throws {
        #expect(try Self.text(QueryParameters(["a": [1, 2]], arrays: arrays)) == expected)
        #expect(try Self.text(QueryParameters(["a": [Int]()], arrays: arrays)) == "")
    }

    @Test(arguments: [.brackets, .repeated, .numbered] as [QueryParameters.Arrays])
    func `elements with parts are numbered, so that none runs into the next`(
        _ arrays: QueryParameters.Arrays
    ) throws {
        let objects = [["b": 1, "c": 2], ["b": 3]]
        #expect(
            try Self.text(QueryParameters(["a": objects], arrays: arrays))
                == "a[0][b]=1&a[0][c]=2&a[1][b]=3")
        let deep = QueryParameters(["a": [[1], [2, 3]]], arrays: arrays)
        let names = try deep.items().map(\.name)
        #expect(Set(names.map { $0.prefix(4) }) == ["a[0]", "a[1]"])
    }

    @Test func `objects are written with dots on request`() throws {
        #expect(
            try Self.text(QueryParameters(["a": ["b": ["c": 1]]], objects: .dots)) == "a.b.c=1")
    }

    @Test func `an element that holds the separator is refused`() {
        let parameters = QueryParameters(["a": ["x", "y,z"]], arrays: .commas)
        #expect(throws: TransportError.self) { try parameters.items() }
        #expect(throws: TransportError.self) {
            try QueryParameters(["a": [["b": 1]]], arrays: .commas).items()
        }
        #expect(throws: Never.self) {
            try QueryParameters(["a": ["x", "y,z"]], arrays: .separated(by: "|")).items()
        }
    }

    @Test func `what is no object, or can't be encoded, is refused`() {
        #expect(throws: TransportError.self) { try QueryParameters(5).items() }
        #expect(throws: TransportError.self) { try QueryParameters([1, 2]).items() }
        #expect(throws: EncodingError.self) { try (["a": Double.nan] as QueryParameters).items() }
        #expect(throws: EncodingError.self) {
            try (["a": Date.distantPast + -1e12] as QueryParameters).items()
        }
    }

    @Test func `parameters are appended, and items are taken as they are`() throws {
        var parameters: QueryParameters = ["a": 1]
        parameters.append(QueryParameters([URLQueryItem(name: "flag", value: nil)]))
        parameters.append(["a": 2])
        #expect(
            try parameters.items() == [
                URLQueryItem(name: "a", value: "1"), URLQueryItem(name: "flag", value: nil),
                URLQueryItem(name: "a", value: "2"),
            ])
    }

    @Test func `endpoints have them as their query, encoded when the request is built`() throws {
        struct Search: Endpoint {
            let text: String
            var path: URLPath { "search" }
            var query: QueryParameters { ["q": text, "open": true, "none": nil] }
        }
        struct Stored: Endpoint {
            let path = "x"
            let query: QueryParameters
        }
        let base = try #require(URL(string: "https://h/"))
        #expect(
            try Search(text: "a b&c").request(baseURL: base).head.path
                == "/search?q=a%20b%26c&open=true")
        #expect(
            try Stored(query: QueryParameters(Filter())).request(baseURL: base).head.path
                == "/x?per_page=20&sort_by=name")
        #expect(throws: TransportError.self) {
            try Stored(query: QueryParameters(1)).request(baseURL: base)
        }
    }

    /// A law: what is written with brackets and numbers can be read again as it was.
    @Test(arguments: UInt64(0)..<200)
    func `what is nested can be told apart again`(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let tree = Tree.random(depth: 3, &random)
        for arrays in [.numbered, .brackets] as [QueryParameters.Arrays] {
            let items = try QueryParameters(["r": tree], arrays: arrays).items()
            var read = Tree.nothing
            for item in items {
                read.put(item.value ?? "", at: Tree.steps(of: item.name, arrays)[...])
            }
            #expect(read.pruned == Tree.object(["r": tree]).pruned, "seed \(seed)")
        }
    }
}

/// Text in objects and arrays.
private indirect enum Tree: Encodable, Equatable, Sendable {
    case nothing
    case text(String)
    case array([Tree])
    case object([String: Tree])

    static func random(depth: Int, _ random: inout SplitMix) -> Tree {
        let count = Int.random(in: 0..<4, using: &random)
        switch Int.random(in: depth == 0 ? 0..<1 : 0..<3, using: &random) {
        case 0: return .text(["", "a", "b&c=d", "é+ %", "[0]"][count])
        case 1: return .array((0..<count).map { _ in .random(depth: depth - 1, &random) })
        default:
            let keys = ["a", "bC", "d_e", "é ", "1"].prefix(count)
            return .object(
                Dictionary(
                    uniqueKeysWithValues: keys.map {
                        ("k" + $0, .random(depth: depth - 1, &random))
                    }
                ))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .nothing: try container.encodeNil()
        case .text(let text): try container.encode(text)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }

    /// Without what holds nothing; elements that are left keep their numbers only where they have some.
    var pruned: Tree {
        switch self {
        case .nothing, .text: self
        case .array(let elements):
            elements.map(\.pruned).contains { $0 != .nothing }
                ? .array(elements.map(\.pruned).filter { $0 != .nothing }) : .nothing
        case .object(let members):
            members.mapValues(\.pruned).contains { $0.value != .nothing }
                ? .object(members.mapValues(\.pruned).filter { $0.value != .nothing }) : .nothing
        }
    }

    static func steps(of name: String, _ arrays: QueryParameters.Arrays) -> [String] {
        let head = name.prefix { $0 != "[" }
        return [String(head)]
            + name.dropFirst(head.count).split(separator: "[").map { String($0.dropLast()) }
    }

    /// Members have names with a k, elements a number or none; a name that comes again is an array.
    mutating func put(_ value: String, at steps: ArraySlice<String>) {
        guard let step = steps.first else {
            switch self {
            case .nothing: self = .text(value)
            case .array(let elements): self = .array(elements + [.text(value)])
            case .text, .object: self = .array([self, .text(value)])
            }
            return
        }
        if step == "r" || step.hasPrefix("k") {
            var members: [String: Tree] = [:]
            if case .object(let old) = self { members = old }
            members[step, default: .nothing].put(value, at: steps.dropFirst())
            self = .object(members)
        } else {
            var elements: [Tree] = []
            if case .array(let old) = self { elements = old }
            let index = Int(step) ?? elements.count
            while elements.count <= index { elements.append(.nothing) }
            elements[index].put(value, at: steps.dropFirst())
            self = .array(elements)
        }
    }
}

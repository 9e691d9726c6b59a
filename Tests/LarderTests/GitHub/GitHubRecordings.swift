import Foundation

/// The recorded responses of GitHub's API that hold issues, read without any of Larder's code.
struct GitHubRecordings {
    /// A response as it was recorded.
    struct Exchange: Sendable {
        let body: Data
        let isList: Bool
        let issues: [Int]
    }

    /// What a count of the JSON finds: the last word on each object, by its id.
    struct Census: Equatable {
        var issues: [Int: [String: String]] = [:]
        var users: [Int: String] = [:]
        var labels: [Int: String] = [:]
        var milestones: [Int: String] = [:]
        var labelsOfIssues: [Int: [Int]] = [:]
    }

    let exchanges: [Exchange]
    let census: Census

    /// Nil where the recordings are not on this machine.
    init?() throws {
        let file = URL(filePath: #filePath)
            .appending(path: "../../../../../shared/data/github-exchanges.jsonl").standardized
        guard FileManager.default.fileExists(atPath: file.path()) else { return nil }
        var exchanges: [Exchange] = []
        var census = Census()
        for line in try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")) {
            guard
                let exchange = try JSONSerialization.jsonObject(with: line) as? [String: Any],
                exchange["kind"] as? String == "json", let body = exchange["body"]
            else { continue }
            let objects = body as? [[String: Any]] ?? [body as? [String: Any] ?? [:]]
            guard !objects.isEmpty, objects.allSatisfy(Self.isIssue) else { continue }
            for issue in objects { census.add(issue: issue) }
            exchanges.append(
                Exchange(
                    body: try JSONSerialization.data(withJSONObject: body),
                    isList: body is [Any], issues: objects.compactMap { $0["id"] as? Int }))
        }
        self.exchanges = exchanges
        self.census = census
    }

    private init(exchanges: [Exchange], census: Census) {
        self.exchanges = exchanges
        self.census = census
    }

    /// The recordings without those whose issues all come again later.
    var lastOfEachIssue: GitHubRecordings {
        var seen: Set<Int> = []
        let kept = exchanges.reversed().filter { exchange in
            defer { seen.formUnion(exchange.issues) }
            return seen.isDisjoint(with: exchange.issues)
        }
        return GitHubRecordings(exchanges: kept.reversed(), census: census)
    }

    /// Pull requests on their own have a `head`; issues that are pull requests don't.
    private static func isIssue(_ object: [String: Any]) -> Bool {
        object["labels"] is [Any] && object["milestone"] != nil && object["comments_url"] != nil
            && object["head"] == nil
    }
}

extension GitHubRecordings.Census {
    mutating func add(issue: [String: Any]) {
        guard let id = issue["id"] as? Int else { return }
        issues[id] = [
            "title": issue["title"] as? String ?? "", "body": issue["body"] as? String ?? "",
            "user": Self.id(issue["user"]), "assignee": Self.id(issue["assignee"]),
            "milestone": Self.id(issue["milestone"]),
        ]
        add(user: issue["user"])
        add(user: issue["assignee"])
        if let milestone = issue["milestone"] as? [String: Any], let id = milestone["id"] as? Int {
            milestones[id] = milestone["title"] as? String
            add(user: milestone["creator"])
        }
        let labels = issue["labels"] as? [[String: Any]] ?? []
        for label in labels {
            if let id = label["id"] as? Int { self.labels[id] = label["name"] as? String }
        }
        labelsOfIssues[id] = labels.compactMap { $0["id"] as? Int }
    }

    private mutating func add(user: Any?) {
        guard let user = user as? [String: Any], let id = user["id"] as? Int else { return }
        users[id] = user["login"] as? String
    }

    private static func id(_ object: Any?) -> String {
        ((object as? [String: Any])?["id"] as? Int).map(String.init) ?? "none"
    }
}

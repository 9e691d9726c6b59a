/// What the recordings say of each kind of object, in the words of GitHub's JSON: the count that
/// the store is held against knows no more than this.
struct GitHubShape {
    let identity: String
    /// The other half of an identity of two.
    var identityRest: String?
    let attributes: [String]
    /// The key paths of single objects, with what stands there.
    var one: [String: String] = [:]
    /// The keys of lists of objects, with what stands in them.
    var many: [String: String] = [:]

    static let all: [String: GitHubShape] = [
        "User": GitHubShape(
            identity: "id",
            attributes: ["login", "avatar_url", "type", "site_admin"]),
        "Organization": GitHubShape(
            identity: "id",
            attributes: ["login", "description", "avatar_url", "public_repos"]),
        "Repository": GitHubShape(
            identity: "id",
            attributes: [
                "name", "full_name", "private", "description", "fork", "stargazers_count",
                "created_at", "license.key",
            ],
            one: ["owner": "User"]),
        "Issue": GitHubShape(
            identity: "id",
            attributes: [
                "number", "title", "body", "state", "locked", "comments", "created_at",
                "updated_at", "closed_at", "html_url", "pull_request.html_url",
            ],
            one: ["user": "User", "assignee": "User", "milestone": "Milestone"],
            many: ["labels": "Label"]),
        "PullRequest": GitHubShape(
            identity: "id",
            attributes: [
                "number", "title", "body", "state", "merged", "head.sha", "head.ref", "base.ref",
            ],
            one: [
                "user": "User", "assignee": "User", "head.repo": "Repository",
                "base.repo": "Repository", "milestone": "Milestone",
            ]),
        "Label": GitHubShape(
            identity: "id",
            attributes: ["name", "color", "default"]),
        "Milestone": GitHubShape(
            identity: "id",
            attributes: ["number", "title", "state", "due_on"],
            one: ["creator": "User"]),
        "Team": GitHubShape(
            identity: "id",
            attributes: ["name", "slug", "permission", "privacy"],
            one: ["organization": "Organization"]),
        "Project": GitHubShape(
            identity: "id",
            attributes: ["name", "body", "number", "state"],
            one: ["creator": "User"]),
        "ProjectColumn": GitHubShape(
            identity: "id",
            attributes: ["name", "created_at"]),
        "ProjectCard": GitHubShape(
            identity: "id",
            attributes: ["note", "content_url", "column_url"],
            one: ["creator": "User"]),
        "Comment": GitHubShape(
            identity: "id",
            attributes: ["body", "created_at", "path", "commit_id"],
            one: ["user": "User"]),
        "Release": GitHubShape(
            identity: "id",
            attributes: ["tag_name", "name", "draft", "prerelease", "body"],
            one: ["author": "User"],
            many: ["assets": "Asset"]),
        "Asset": GitHubShape(
            identity: "id",
            attributes: ["name", "size", "download_count", "content_type"],
            one: ["uploader": "User"]),
        "Gist": GitHubShape(
            identity: "id",
            attributes: ["description", "public", "files", "created_at"],
            one: ["owner": "User"]),
        "Commit": GitHubShape(
            identity: "sha",
            attributes: ["commit.message", "commit.author.name", "commit.author.date"],
            one: ["author": "User"],
            many: ["parents": "Commit"]),
        "Event": GitHubShape(
            identity: "id",
            attributes: ["type", "public", "created_at", "payload", "repo.name"],
            one: ["actor": "User"]),
        "Notification": GitHubShape(
            identity: "id",
            attributes: ["reason", "unread", "subject.title", "subject.type"],
            one: ["repository": "Repository"]),
        "Exchange": GitHubShape(
            identity: "sequence", identityRest: "step",
            attributes: ["step", "method", "url", "status", "body"]),
    ]
}

extension GitHubShape {
    /// What identifies an object, nil where it has none of it.
    func key(of object: [String: Any]) -> AnyHashable? {
        guard let first = object[identity] as? AnyHashable else { return nil }
        return identityRest.map { "\(first) \(object[$0] ?? "")" as AnyHashable } ?? first
    }

    /// What kind of object this is, by the keys that it has; nil for kinds that no entity covers.
    static func name(of object: [String: Any]) -> String? {
        func has(_ keys: String...) -> Bool { keys.allSatisfy { object[$0] != nil } }
        if has("full_name", "owner", "fork") { return "Repository" }
        if has("head", "base", "number") { return "PullRequest" }
        if has("number", "labels", "comments_url") { return "Issue" }
        if has("login", "avatar_url", "id") {
            return has("gravatar_id") ? "User" : "Organization"
        }
        if has("color", "name", "url", "id", "default") { return "Label" }
        if has("open_issues", "due_on") { return "Milestone" }
        if has("slug", "permission") { return "Team" }
        if has("columns_url", "number") { return "Project" }
        if has("cards_url") { return "ProjectColumn" }
        if has("column_url", "note") { return "ProjectCard" }
        if has("commit", "sha", "parents") { return "Commit" }
        if has("tag_name", "assets") { return "Release" }
        if has("browser_download_url", "uploader") { return "Asset" }
        if has("files", "public", "id") { return "Gist" }
        if has("actor", "payload", "repo") { return "Event" }
        if has("unread", "subject") { return "Notification" }
        let isComment = has("body", "user", "html_url", "id") && !has("number") && !has("state")
        return isComment ? "Comment" : nil
    }
}

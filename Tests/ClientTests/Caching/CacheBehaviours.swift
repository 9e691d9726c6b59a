/// What a private cache does by RFC 9111, RFC 5861 and RFC 8246, each in a few requests.
enum CacheBehaviours {
    static let all: [CacheScenario] = used + asked + chosen + parts + changed

    static func behaviour(_ id: String, _ steps: CacheScenario.Step...) -> CacheScenario {
        CacheScenario(id: id, steps: steps)
    }

    // MARK: What is used

    private static let used: [CacheScenario] = [
        behaviour("nothing said, nothing used", .said([]), .then(.server)),
        behaviour(
            "fresh for a time", .said(["Cache-Control: max-age=10"], pause: 9), .then(.cache)),
        behaviour(
            "and not longer", .said(["Cache-Control: max-age=10"], pause: 10), .then(.server)),
        behaviour(
            "an age from elsewhere counts",
            .said(["Cache-Control: max-age=10", "Age: 8"], pause: 2), .then(.server)),
        behaviour(
            "an age that is none does not",
            .said([.unseen("Age: 8s"), "Cache-Control: max-age=10"], pause: 2), .then(.cache)),
        behaviour(
            "the first of two ages", .said([.unseen("Age: 20, 0"), "Cache-Control: max-age=10"]),
            .then(.server)),
        behaviour(
            "an old date is an age", .said(["Cache-Control: max-age=10", .date("Date", -10)]),
            .then(.server)),
        behaviour(
            "until a date", .said([.date("Expires", 10), .date("Date", 0)], pause: 9), .then(.cache)
        ),
        behaviour(
            "a date that has passed", .said([.date("Expires", -1), .date("Date", 0)]),
            .then(.server)),
        behaviour(
            "a date is one by the server's clock",
            .said([.date("Expires", 50), .date("Date", 60)]), .then(.server)),
        behaviour(
            "no date is one that has passed", .said(["Expires: 0", .date("Date", 0)]),
            .then(.server)),
        behaviour(
            "seconds count before a date",
            .said([.date("Expires", -50), .date("Date", 0), "Cache-Control: max-age=10"]),
            .then(.cache)),
        behaviour(
            "what is said to other caches is not",
            .said(["Cache-Control: s-maxage=0, max-age=10, proxy-revalidate, private"]),
            .then(.cache)),
        behaviour(
            "two times are none",
            .said([.unseen("Cache-Control: max-age=10"), .unseen("Cache-Control: max-age=20")]),
            .then(.server)),
        behaviour(
            "a guess of what has not changed for long",
            .said([.date("Last-Modified", -1000), .date("Date", 0)], pause: 99), .then(.cache)),
        behaviour(
            "no longer than a part of that",
            .said([.date("Last-Modified", -1000), .date("Date", 0)], pause: 101),
            .then(.confirmedByTime)),
        behaviour(
            "no guess of an unknown status",
            .said([.date("Last-Modified", -1000), .date("Date", 0)], status: 499),
            .then(.server, status: 499)),
        behaviour(
            "unless it is public",
            .said(
                [.date("Last-Modified", -1000), .date("Date", 0), "Cache-Control: public"],
                status: 499),
            .then(.cache, status: 499)),
        behaviour(
            "failures too, where they say so", .said(["Cache-Control: max-age=10"], status: 404),
            .then(.cache, status: 404)),
        behaviour(
            "not those that are about who asks how often",
            .said(["Cache-Control: max-age=10"], status: 429), .then(.server, status: 429)),
        behaviour(
            "an age and the date as they were",
            .said(["Cache-Control: max-age=10", .date("Date", 0), "Age: 1"], pause: 5),
            .then(.cache, checks: [.more("Age", than: 5), .equal("Date", .date(0))])),
        behaviour(
            "another query is another resource",
            .said(["Cache-Control: max-age=10"], suffix: "?a=1"),
            .then(.server, suffix: "?a=2")),
        behaviour(
            "fields of a connection are not kept",
            .said([
                "Cache-Control: max-age=10", .unseen("Connection: X-One"), .unseen("X-One: 1"),
                "X-Two: 2",
            ]),
            .then(.cache, checks: [.absent("X-One"), .equal("X-Two", .text("2"))])),
        behaviour(
            "nor are cookies",
            .said(["Cache-Control: max-age=10", .unseen("Set-Cookie: a=b")]),
            .then(.cache, checks: [.absent("Set-Cookie")])),
        behaviour(
            "nor what says so", .said(["Cache-Control: max-age=10, No-Store", "ETag: \"1\""]),
            .then(.server, checks: [], notAsked: ["If-None-Match"])),
        behaviour(
            "unless its rules are known",
            .said(["Cache-Control: max-age=10, no-store, must-understand"]), .then(.cache)),
        behaviour(
            "which they are not of each status",
            .said(["Cache-Control: max-age=10, must-understand"], status: 499),
            .then(.server, status: 499)),
    ]

    // MARK: What is asked

    private static let asked: [CacheScenario] = [
        behaviour(
            "a tag confirms", .said(["Cache-Control: max-age=1", "ETag: \"1\""], pause: 2),
            .then(.confirmedByTag, asked: [("If-None-Match", "\"1\"")])),
        behaviour(
            "a weak one, too", .said(["Cache-Control: max-age=1", "ETag: W/\"1\""], pause: 2),
            .then(.confirmedByTag, asked: [("If-None-Match", "W/\"1\"")])),
        behaviour(
            "what is confirmed is fresh again, with new fields",
            .said(["Cache-Control: max-age=5", "ETag: \"1\"", "X-One: 1", "X-Two: 2"], pause: 6),
            .then(
                .confirmedByTag, said: ["Cache-Control: max-age=9", "ETag: \"1\"", "X-One: 3"],
                checks: [.equal("X-One", .text("3")), .equal("X-Two", .text("2"))], pause: 8),
            .then(.cache, checks: [.equal("X-One", .text("3"))])),
        behaviour(
            "no-cache is asked about each time",
            .said(["Cache-Control: max-age=10, no-cache", "ETag: \"1\""]), .then(.confirmedByTag)),
        behaviour(
            "of some fields, too",
            .said(["Cache-Control: max-age=10, no-cache=\"x\"", "ETag: \"1\""]),
            .then(.confirmedByTag)),
        behaviour(
            "a reload asks", .said(["Cache-Control: max-age=10", "ETag: \"1\""]),
            .then(.confirmedByTag, fields: [("Cache-Control", "max-age=0")])),
        behaviour(
            "but not about what never changes",
            .said(["Cache-Control: max-age=10, immutable", "ETag: \"1\""]),
            .then(.cache, fields: [("Cache-Control", "max-age=0")])),
        behaviour(
            "unless it insists", .said(["Cache-Control: max-age=10, immutable", "ETag: \"1\""]),
            .then(.confirmedByTag, fields: [("Cache-Control", "no-cache")])),
        behaviour(
            "an older way to insist", .said(["Cache-Control: max-age=10", "ETag: \"1\""]),
            .then(.confirmedByTag, fields: [("Pragma", "no-cache")])),
        behaviour(
            "not older than", .said(["Cache-Control: max-age=10"], pause: 5),
            .then(.server, fields: [("Cache-Control", "max-age=4")])),
        behaviour(
            "fresh for longer than", .said(["Cache-Control: max-age=10"], pause: 5),
            .then(.server, fields: [("Cache-Control", "min-fresh=5")])),
        behaviour(
            "stale for no longer than", .said(["Cache-Control: max-age=10"], pause: 15),
            .then(.cache, fields: [("Cache-Control", "max-stale=5")])),
        behaviour(
            "unless that is forbidden",
            .said(["Cache-Control: max-age=10, must-revalidate"], pause: 15),
            .then(.server, fields: [("Cache-Control", "max-stale=5")])),
        behaviour(
            "a request that leaves no trace", .said(["Cache-Control: max-age=10"]),
            .then(
                .server, fields: [("Cache-Control", "no-store")],
                said: ["Cache-Control: max-age=10", "X-One: 1"]),
            .then(.cache, checks: [.absent("X-One")])),
        behaviour(
            "only what is kept, and nothing is",
            .then(.anywhere, fields: [("Cache-Control", "only-if-cached")], status: 504, body: "")),
        behaviour(
            "a condition of the caller's is the server's to answer",
            .said(["Cache-Control: max-age=10", "ETag: \"1\""]),
            .then(
                .server, fields: [("If-None-Match", "\"1\"")], status: 304,
                asked: [("If-None-Match", "\"1\"")])),
        behaviour(
            "stale while it is asked for",
            .said(["Cache-Control: max-age=1, stale-while-revalidate=9"], pause: 5),
            .then(.cache, said: ["Cache-Control: max-age=10", .unseen("X-One: 1")], pause: 1),
            .then(.cache, checks: [.equal("X-One", .text("1"))])),
        behaviour(
            "and not for longer",
            .said(["Cache-Control: max-age=1, stale-while-revalidate=9"], pause: 11), .then(.server)
        ),
        behaviour(
            "stale where the server fails",
            .said(["Cache-Control: max-age=1, stale-if-error=9"], pause: 5),
            .then(.cache, saidStatus: 503)),
        behaviour(
            "or hangs up", .said(["Cache-Control: max-age=1, stale-if-error=9"], pause: 5),
            .then(.cache, disconnects: true)),
        behaviour(
            "unless that is forbidden, too",
            .said(["Cache-Control: max-age=1, stale-if-error=9, must-revalidate"], pause: 5),
            .then(.server, status: 503)),
    ]
}

extension CacheScenario.Step {
    /// A request, and what the server says.
    static func said(
        _ response: [CacheScenario.Field], method: String = "GET", suffix: String = "",
        fields: [(String, String)] = [], status: Int = 200, body: String? = nil,
        hasMagicLocations: Bool = false, pause: Double = 0
    ) -> Self {
        var step = Self()
        (step.method, step.suffix, step.fields) = (method, suffix, fields)
        (step.response, step.status, step.body) = (response, status, body)
        (step.hasMagicLocations, step.pause) = (hasMagicLocations, pause)
        return step
    }

    /// Another request, and where its response is to come from.
    ///
    /// - Parameters:
    ///   - said: What the server says, should it be asked.
    ///   - isCombined: Whether what the server says is a part of what is to come.
    static func then(
        _ expectation: CacheScenario.Expectation, method: String = "GET", suffix: String = "",
        fields: [(String, String)] = [], said: [CacheScenario.Field] = [], saidStatus: Int? = nil,
        disconnects: Bool = false, hasMagicLocations: Bool = false, status: Int? = nil,
        body: String? = nil, saidBody: String? = nil, checks: [CacheScenario.Check] = [],
        asked: [(String, String?)] = [], notAsked: [String] = [],
        isCombined: Bool = false, pause: Double = 0
    ) -> Self {
        var step = Self()
        (step.method, step.suffix, step.fields) = (method, suffix, fields)
        step.response = said
        step.status = saidStatus ?? status ?? 200
        step.body = saidBody ?? (expectation == .cache ? nil : body)
        step.disconnects = disconnects
        step.hasMagicLocations = hasMagicLocations
        step.expectation = isCombined ? .anywhere : expectation
        step.expectedStatus = .some(status ?? (expectation == .cache ? 200 : saidStatus ?? 200))
        if let body { step.expectedBody = .some(body) }
        (step.checks, step.asked, step.notAsked) = (checks, asked, notAsked)
        step.pause = pause
        return step
    }
}

extension CacheScenario.Field: ExpressibleByStringLiteral {
    /// Takes a line such as `Name: value` apart.
    init(stringLiteral line: String) {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        self.init(
            name: String(parts[0]),
            value: .text(parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""))
    }

    /// One that is not to be seen as it is sent.
    static func unseen(_ line: String) -> Self {
        var field = Self(stringLiteral: line)
        field.isChecked = false
        return field
    }

    static func date(_ name: String, _ offset: Int) -> Self {
        Self(name: name, value: .date(offset))
    }
}

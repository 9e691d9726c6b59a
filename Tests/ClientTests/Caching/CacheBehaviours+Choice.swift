extension CacheBehaviours {
    // MARK: What is chosen

    static let chosen: [CacheScenario] = [
        behaviour(
            "the same fields",
            .said(["Cache-Control: max-age=10", "Vary: Foo"], fields: [("Foo", "1")]),
            .then(.cache, fields: [("Foo", "1"), ("Bar", "2")])),
        behaviour(
            "others", .said(["Cache-Control: max-age=10", "Vary: Foo"], fields: [("Foo", "1")]),
            .then(.server, fields: [("Foo", "2")])),
        behaviour(
            "none", .said(["Cache-Control: max-age=10", "Vary: Foo"], fields: [("Foo", "1")]),
            .then(.server)),
        behaviour(
            "each stays",
            .said(["Cache-Control: max-age=10", "Vary: Foo"], fields: [("Foo", "1")], body: "a"),
            .then(
                .server, fields: [("Foo", "2")], said: ["Cache-Control: max-age=10", "Vary: Foo"],
                saidBody: "b"),
            .then(.cache, fields: [("Foo", "1")], body: "a"),
            .then(.cache, fields: [("Foo", "2")], body: "b")),
        behaviour(
            "lines and white space say nothing",
            .said(["Cache-Control: max-age=10", "Vary: Foo"], fields: [("Foo", "1,2")]),
            .then(.cache, fields: [("Foo", "1"), ("Foo", "2")])),
        behaviour(
            "case neither, of languages",
            .said(
                ["Cache-Control: max-age=10", "Vary: Accept-Language"],
                fields: [("Accept-Language", "en, de")]),
            .then(.cache, fields: [("Accept-Language", "EN,DE")])),
        behaviour(
            "but their order does",
            .said(
                ["Cache-Control: max-age=10", "Vary: Accept-Language"],
                fields: [("Accept-Language", "en, de")]),
            .then(.server, fields: [("Accept-Language", "de, en")])),
        behaviour(
            "anything at all", .said(["Cache-Control: max-age=10", .unseen("Vary: Foo, *")]),
            .then(.server)),
        behaviour(
            "accounts", .said(["Cache-Control: max-age=10"], fields: [("Authorization", "a")]),
            .then(.server, fields: [("Authorization", "b")])),
        behaviour(
            "one account", .said(["Cache-Control: max-age=10"], fields: [("Authorization", "a")]),
            .then(.cache, fields: [("Authorization", "a")])),
        behaviour(
            "sessions", .said(["Cache-Control: max-age=10"], fields: [("Cookie", "a=1")]),
            .then(.server, fields: [("Cookie", "a=2")])),
    ]

    // MARK: Parts

    static let parts: [CacheScenario] = [
        behaviour(
            "a part of what is whole", .said(["Cache-Control: max-age=10"], body: "0123456789"),
            .then(
                .cache, fields: [("Range", "bytes=2-4")], status: 206, body: "234",
                checks: [.equal("Content-Range", .text("bytes 2-4/10"))])),
        behaviour(
            "its end", .said(["Cache-Control: max-age=10"], body: "0123456789"),
            .then(.cache, fields: [("Range", "bytes=-3")], status: 206, body: "789")),
        behaviour(
            "what it has not", .said(["Cache-Control: max-age=10"], body: "0123456789"),
            .then(.server, fields: [("Range", "bytes=10-")], status: 416, body: "")),
        behaviour(
            "and has all the same afterwards",
            .said(["Cache-Control: max-age=10"], body: "0123456789"),
            .then(
                .server, fields: [("Range", "bytes=10-")], said: ["Cache-Control: max-age=10"],
                status: 416, body: ""),
            .then(.cache, body: "0123456789")),
        behaviour(
            "as where the caller's condition is not met",
            .said(["Cache-Control: max-age=10", "ETag: \"1\""], body: "0123456789"),
            .then(
                .server, fields: [("If-Match", "\"0\"")], said: ["Cache-Control: max-age=10"],
                status: 412, body: ""),
            .then(.cache, body: "0123456789")),
        behaviour(
            "several parts", .said(["Cache-Control: max-age=10"], body: "0123456789"),
            .then(.server, fields: [("Range", "bytes=0-1,3-4")])),
        behaviour(
            "a part of a part",
            .said(
                ["Cache-Control: max-age=10", "Content-Range: bytes 4-8/10"],
                fields: [("Range", "bytes=4-8")], status: 206, body: "45678"),
            .then(.cache, fields: [("Range", "bytes=5-6")], status: 206, body: "56")),
        behaviour(
            "a part is no whole",
            .said(
                ["Cache-Control: max-age=10", "Content-Range: bytes 4-8/10"],
                fields: [("Range", "bytes=4-8")], status: 206, body: "45678"),
            .then(.server)),
        behaviour(
            "what is no part of what it says",
            .said(
                ["Cache-Control: max-age=10", "Content-Range: bytes 4-9/10"],
                fields: [("Range", "bytes=4-9")], status: 206, body: "45678"),
            .then(
                .server, fields: [("Range", "bytes=4-5")],
                said: ["Content-Range: bytes 4-5/10"], saidStatus: 206, status: 206, body: "45",
                saidBody: "45")),
        behaviour(
            "the rest of a beginning",
            .said(
                ["Cache-Control: max-age=10", "ETag: \"1\"", "Content-Range: bytes 0-3/6"],
                fields: [("Range", "bytes=0-3")], status: 206, body: "0123"),
            .then(
                .server,
                said: [
                    "ETag: \"1\"", .unseen("Content-Range: bytes 4-5/6"),
                    "Cache-Control: max-age=10",
                ],
                saidStatus: 206, status: 200, body: "012345", saidBody: "45",
                asked: [("Range", "bytes=4-"), ("If-Range", "\"1\"")], isCombined: true),
            .then(.cache, body: "012345")),
        behaviour(
            "HEAD is answered by GET", .said(["Cache-Control: max-age=10", "X-One: 1"]),
            .then(.cache, method: "HEAD", checks: [.equal("X-One", .text("1"))])),
        behaviour(
            "and freshens it", .said(["Cache-Control: max-age=1"], pause: 2),
            .then(
                .server, method: "HEAD",
                said: ["Cache-Control: max-age=10", .unseen("Content-Length: 36")]),
            .then(.cache)),
        behaviour(
            "or says that it is another",
            .said(["Cache-Control: max-age=9", "ETag: \"1\""], pause: 1),
            .then(
                .server, method: "HEAD", fields: [("Cache-Control", "no-cache")],
                said: [.unseen("ETag: \"2\"")]),
            .then(.server)),
    ]

    // MARK: What is changed

    static let changed: [CacheScenario] =
        ["POST", "PUT", "DELETE", "PATCH", "X-CHANGE"].map { method in
            behaviour(
                "\(method) makes it invalid", .said(["Cache-Control: max-age=10"]),
                .then(.server, method: method), .then(.server))
        } + [
            behaviour(
                "not where it fails", .said(["Cache-Control: max-age=10"]),
                .then(.server, method: "PUT", saidStatus: 500, status: 500),
                .then(.cache)),
            behaviour(
                "nor does what is safe", .said(["Cache-Control: max-age=10"]),
                .then(.server, method: "OPTIONS"), .then(.cache)),
            behaviour(
                "another that is named", .said(["Cache-Control: max-age=10"], suffix: "/b"),
                .then(
                    .server, method: "POST", said: [.unseen("Location: b")], hasMagicLocations: true
                ),
                .then(.server, suffix: "/b")),
            behaviour(
                "POST that brings what GET would",
                .said(
                    ["Cache-Control: max-age=10", "Content-Location: "], method: "POST",
                    hasMagicLocations: true),
                .then(.cache)),
        ]
}

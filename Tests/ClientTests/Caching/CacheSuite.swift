import Foundation

/// The tests of https://github.com/http-tests/cache-tests as data: the array that its `npm run export` prints, in a
/// file `tests.json` (`Scripts/cache-tests`).
///
/// Those for browsers, which are private caches.
struct CacheSuite {
    enum Kind: String {
        case required, optimal, check
    }

    struct Test {
        var scenario: CacheScenario
        var kind: Kind
        var dependencies: [String]
    }

    let tests: [Test]

    init(in folder: String) throws {
        let data = try Data(contentsOf: URL(filePath: folder).appending(path: "tests.json"))
        let groups = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
        tests = groups.flatMap { $0["tests"] as? [[String: Any]] ?? [] }.filter {
            $0["cdn_only"] as? Bool != true && $0["browser_skip"] as? Bool != true
        }.map { test in
            let requests = test["requests"] as? [[String: Any]] ?? []
            return Test(
                scenario: CacheScenario(
                    id: test["id"] as? String ?? "", steps: requests.map(CacheScenario.Step.init)),
                kind: Kind(rawValue: test["kind"] as? String ?? "required") ?? .required,
                dependencies: test["depends_on"] as? [String] ?? [])
        }
    }
}

extension CacheScenario.Step {
    fileprivate init(_ json: [String: Any]) {
        method = json["request_method"] as? String ?? "GET"
        suffix =
            (json["filename"] as? String).map { "/" + $0 } ?? ""
        if let query = json["query_arg"] as? String { suffix += "?" + query }
        fields = Self.pairs(json["request_headers"])
        content = json["request_body"] as? String
        isReload = json["cache"] as? String == "no-cache"
        status = (json["response_status"] as? [Any])?.first as? Int ?? 200
        response = (json["response_headers"] as? [[Any]] ?? []).compactMap { field in
            guard field.count >= 2, let name = field[0] as? String, let value = Self.value(field[1])
            else { return nil }
            return CacheScenario.Field(
                name: name, value: value, isChecked: field.count < 3 || field[2] as? Bool == true)
        }
        body = json["response_body"] as? String
        disconnects = json["disconnect"] as? Bool == true
        hasMagicLocations = json["magic_locations"] as? Bool == true
        oldDates = Set(json["rfc850date"] as? [String] ?? [])
        expectation =
            switch json["expected_type"] as? String {
            case "cached": .cache
            case "not_cached": .server
            case "etag_validated": .confirmedByTag
            case "lm_validated": .confirmedByTime
            default: .anywhere
            }
        if let status = json["expected_status"] { expectedStatus = .some(status as? Int) }
        if let text = json["expected_response_text"] { expectedBody = .some(text as? String) }
        checksBody = json["check_body"] as? Bool != false
        asked = (json["expected_request_headers"] as? [Any] ?? []).compactMap { field in
            if let name = field as? String { return (name, nil) }
            guard let pair = field as? [String], pair.count == 2 else { return nil }
            return (pair[0], pair[1])
        }
        notAsked = (json["expected_request_headers_missing"] as? [Any] ?? []).compactMap {
            $0 as? String
        }
        expectedMethod = json["expected_method"] as? String
        pause = json["pause_after"] as? Bool == true ? 3 : 0
        checks =
            (json["expected_response_headers"] as? [Any] ?? []).compactMap(Self.check)
            + (json["expected_response_headers_missing"] as? [Any] ?? []).compactMap { name in
                (name as? String).map { .absent(Self.ownName($0)) }
            }
    }

    private static func pairs(_ json: Any?) -> [(String, String)] {
        (json as? [[Any]] ?? []).compactMap { pair in
            guard pair.count >= 2, let name = pair[0] as? String else { return nil }
            return (name, "\(pair[1])")
        }
    }

    private static func value(_ json: Any) -> CacheScenario.Value? {
        if let text = json as? String { return .text(text) }
        return (json as? Int).map(CacheScenario.Value.date)
    }

    private static func check(_ json: Any) -> CacheScenario.Check? {
        if let name = json as? String { return .present(ownName(name)) }
        guard let parts = json as? [Any], let name = parts.first as? String else { return nil }
        if parts.count == 3, let sign = parts[1] as? String {
            if sign == "=" { return (parts[2] as? String).map { .same(name, as: ownName($0)) } }
            return (parts[2] as? Int).map { .more(name, than: $0) }
        }
        return parts.count == 2 ? value(parts[1]).map { .equal(ownName(name), $0) } : nil
    }

    /// The fields by which the server here counts.
    private static func ownName(_ name: String) -> String {
        switch name.lowercased() {
        case "client-request-count": "Step-Count"
        case "server-request-count": "Visit-Count"
        default: name
        }
    }
}

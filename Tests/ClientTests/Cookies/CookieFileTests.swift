import Foundation
import Testing

@testable import LarderClient

@Suite struct CookieFileTests {
    private let folder: TemporaryFile

    init() throws {
        folder = try TemporaryFile(named: "other", Data())
    }

    private var file: URL { folder.url.deletingLastPathComponent().appending(path: "cookies.json") }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private func files() throws -> [String] {
        let path = folder.url.deletingLastPathComponent().path(percentEncoded: false)
        return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    @Test func `what outlives the session is there again, in its order`() throws {
        let site = try url("https://a.example.com/")
        let jar = try CookieJar(file: file)
        jar.set("b=1; Max-Age=60", from: site)
        jar.set("a=1; Max-Age=60; Secure; HttpOnly; SameSite=Lax", from: site)
        jar.set("session=1", from: site)
        jar.set("b=2; Max-Age=60; Path=/", from: site)
        try jar.save()
        let again = try CookieJar(file: file)
        #expect(again.cookies == jar.cookies.filter { $0.expires != nil })
        #expect(again.cookies.map(\.pair) == ["b=2", "a=1"])
        #expect(again.cookies(for: site).map(\.name) == ["b", "a"])
        #expect(again.failure == nil)
    }

    @Test func `the file is its owner's alone, and nothing else is left behind`() throws {
        let jar = try CookieJar(file: file)
        jar.set("a=1; Max-Age=60", from: try url("https://a.example.com/"))
        try jar.save()
        let path = file.path(percentEncoded: false)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        #expect(try files() == ["cookies.json", "other"])
    }

    @Test func `what a process has left that ended while it wrote is removed`() throws {
        let folder = file.deletingLastPathComponent()
        let (old, young) = (
            ".cookies.json.\(UUID().uuidString)", ".cookies.json.\(UUID().uuidString)"
        )
        for name in [old, young, ".cookies.json.mine"] {
            let path = folder.appending(path: name).path(percentEncoded: false)
            try Data("s3cret".utf8).write(to: URL(filePath: path))
            let date = name == young ? Date() : Date() - 3600
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        }
        _ = try CookieJar(file: file)
        #expect(try files() == [young, ".cookies.json.mine", "other"].sorted())
    }

    @Test func `nothing is written where nothing lasts`() throws {
        let jar = try CookieJar(file: file)
        jar.set("a=1", from: try url("https://a.example.com/"))
        try jar.save()
        #expect(try files() == ["other"])
    }

    @Test func `what is removed or has expired is removed from the file`() throws {
        let site = try url("https://a.example.com/")
        let jar = try CookieJar(file: file)
        jar.set("a=s3cret; Max-Age=60", from: site)
        jar.set("b=s3cret; Max-Age=60", from: site)
        try jar.save()
        jar.set("a=; Max-Age=0", from: site)
        jar.remove { $0.name == "b" }
        try jar.save()
        #expect(try !String(contentsOf: file, encoding: .utf8).contains("s3cret"))
        #expect(try CookieJar(file: file).cookies == [])
    }

    @Test func `what has expired meanwhile does not come back`() throws {
        let jar = try CookieJar(file: file)
        jar.set("a=1; Max-Age=60", from: try url("https://a.example.com/"))
        try jar.save()
        #expect(try CookieJar(file: file, date: { Date() + 61 }).cookies == [])
    }

    /// The order of use, by which what is too much goes, is kept as well.
    @Test func `use is remembered`() throws {
        let (a, b) = (try url("https://a.example.com/"), try url("https://b.example.com/"))
        let jar = try CookieJar(file: file)
        jar.set("a=1; Max-Age=60", from: a)
        jar.set("b=1; Max-Age=60", from: b)
        try jar.save()
        _ = jar.cookies(for: a)
        try jar.save()
        let again = try CookieJar(file: file, limits: .init(cookies: 2))
        again.set("c=1", from: a)
        #expect(again.cookies.map(\.name) == ["a", "c"])
    }

    @Test(arguments: [
        ("", CookieJar.FileError.Reason.malformed), ("[]", .malformed),
        ("{\"version\":1", .malformed),
        (#"{"version": 2, "cookies": []}"#, .unknownVersion),
        (#"{"version": 1, "cookies": [{"cookie": {"name": "s3cret"}}]}"#, .malformed),
    ])
    func `a file that is none is an error without what is in it`(
        _ text: String, _ reason: CookieJar.FileError.Reason
    ) throws {
        try Data(text.utf8).write(to: file)
        let error = #expect(throws: CookieJar.FileError.self) { try CookieJar(file: file) }
        #expect(error?.reason == reason)
        #expect(error.map { "\($0)".contains("s3cret") } == false)
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test(arguments: ["a\\r\\nX: y", "a;b", "a\\u0000"])
    func `a cookie that nobody could have set is passed over`(_ value: String) throws {
        let text = """
            {"version": 1, "cookies": [{"created": 9223372036854775807, "accessed": -9, "cookie": {
            "name": "a", "value": "\(value)", "domain": "a.example.com", "path": "/", "isHostOnly": true,
            "isSecure": false, "isHTTPOnly": false, "expires": 1e10}}]}
            """
        try Data(text.utf8).write(to: file)
        #expect(try CookieJar(file: file).cookies == [])
        try Data(text.replacing(value, with: "1").utf8).write(to: file)
        #expect(try CookieJar(file: file).cookies.map(\.pair) == ["a=1"])
    }

    @Test func `a folder that is not there is an error, and is tried again`() throws {
        let missing = folder.url.deletingLastPathComponent().appending(path: "x")
        let jar = try CookieJar(file: missing.appending(path: "cookies.json"))
        jar.set("a=1; Max-Age=60", from: try url("https://a.example.com/"))
        let error = #expect(throws: CookieJar.FileError.self) { try jar.save() }
        #expect(error?.reason == .unwritable)
        #expect(jar.failure?.reason == .unwritable)
        try FileManager.default.createDirectory(at: missing, withIntermediateDirectories: false)
        try jar.save()
        #expect(jar.failure == nil)
    }

    @Test func `a folder in the file's place can't be read`() throws {
        let folder = folder.url.deletingLastPathComponent()
        let error = #expect(throws: CookieJar.FileError.self) { try CookieJar(file: folder) }
        #expect(error?.reason == .unreadable)
    }
}

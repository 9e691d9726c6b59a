import Foundation
import HTTPTypes
import LarderTesting
import Testing

@testable import LarderClient

@Suite(.platformTransport) struct TransportRequestTests {
    @Test(arguments: [
        ("ftp", "h", "/"), ("file", "h", "/"), ("http", "", "/"), ("http", "u:p@h", "/"),
        ("http", "h\r\nX: y", "/"), ("http", "h h", "/"), ("http", "h", "/a b"),
        ("http", "h", "/a\r\nX: y"), ("http", "h", "/a\0b"), ("http", "h", "/#a"),
        ("http", "h", "a"), ("http", "%68", "/"), ("http", "h%2E", "/"), ("http", "%EF%BD%85", "/"),
        ("http", "h", "/ü"), ("http", "h/", "/"), ("http", "h", ""),
    ])
    func `a target that could be misread is refused`(
        _ scheme: String, _ authority: String, _ path: String
    ) async throws {
        let head = HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path)
        let error = await PlatformTransport().error(of: TransportRequest(head: head))
        #expect(error?.reason == .invalidRequest)
    }

    @Test(arguments: [HTTPRequest.Method.head, .trace, .connect])
    func `a method that can have no content is refused with it`(
        _ method: HTTPRequest.Method
    ) async throws {
        let head = HTTPRequest(method: method, scheme: "http", authority: "h", path: "/")
        let request = TransportRequest(head: head, body: Data("a".utf8))
        #expect(await PlatformTransport().error(of: request)?.reason == .invalidRequest)
    }

    @Test func `a copy that is changed leaves the original as it was`() {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/")
        var request = TransportRequest(head: head)
        request.head.headerFields[.accept] = "a/b"
        let original = request
        var copy = original
        copy.head.path = "/b"
        copy.head.headerFields[.accept] = "c/d"
        (copy.body, copy.timeout, copy.idleTimeout) = (Data("a".utf8), .seconds(1), .seconds(2))
        (copy.limits, copy.onProgress) = (TransportLimits(), { _ in })
        copy.secretNames.insert("key")
        copy.provenance.origin = "http://h"
        #expect(original.head.path == "/" && original.head.headerFields[.accept] == "a/b")
        #expect(original.body == nil && original.timeout == nil && original.idleTimeout == nil)
        #expect(original.limits == nil && original.onProgress == nil)
        #expect(original.secretNames.isEmpty && original.provenance.origin == nil)
        #expect(copy.head.path == "/b" && copy.head.headerFields[.accept] == "c/d")
        #expect(copy.body == Data("a".utf8) && copy.timeout == .seconds(1))
        #expect(copy.secretNames == ["key"] && copy.provenance.origin == "http://h")
    }
}

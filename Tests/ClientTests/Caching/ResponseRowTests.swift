import Foundation
import HTTPTypes
import Testing

@testable import LarderClient

/// A head in a row, and back.
@Suite struct ResponseRowTests {
    private static func row(_ response: CachedResponse) -> CachedResponse? {
        ResponseRow.response(
            head: ResponseRow(response).head, content: response.content,
            requested: response.requested.timeIntervalSinceReferenceDate,
            received: response.received.timeIntervalSinceReferenceDate,
            uselessAfter: response.uselessAfter?.timeIntervalSinceReferenceDate)
    }

    private static let response: CachedResponse = {
        var fields: HTTPFields = [.eTag: "W/\"a: b\"", .contentType: "text/plain; x=\"é\""]
        fields.append(HTTPField(name: .vary, value: ""))
        fields.append(HTTPField(name: .vary, value: "a"))
        return CachedResponse(
            head: HTTPResponse(
                status: .init(code: 206, reasonPhrase: "Partly so"), headerFields: fields),
            body: Data([1, 2]), part: .init(first: 3, total: nil),
            requested: Date(timeIntervalSinceReferenceDate: 1.5),
            received: Date(timeIntervalSinceReferenceDate: 2.5),
            uselessAfter: Date(timeIntervalSinceReferenceDate: 9),
            variant: ["accept": [0, 255], "foo": nil])
    }()

    @Test func `all of it comes back`() throws {
        let response = Self.response
        let back = try #require(Self.row(response))
        #expect(back.head == response.head && back.body == response.body)
        #expect(back.head.status.reasonPhrase == "Partly so")
        #expect(back.part == response.part && back.variant == response.variant)
        #expect(back.requested == response.requested && back.received == response.received)
        #expect(back.uselessAfter == response.uselessAfter)
        var plain = response
        (plain.part, plain.variant, plain.uselessAfter) = (.init(first: 1, total: 9), [:], nil)
        let other = try #require(Self.row(plain))
        #expect(other.part == plain.part && other.variant.isEmpty && other.uselessAfter == nil)
    }

    @Test func `each damaged byte changes the sum, and none ends the process`() {
        let (head, body) = (ResponseRow(Self.response).head, Data((0..<20).map { UInt8($0) }))
        let sum = ResponseRow.sum(of: head, body)
        for index in head.indices {
            for bit in 0..<8 {
                var damaged = head
                damaged[index] ^= 1 << UInt8(bit)
                #expect(ResponseRow.sum(of: damaged, body) != sum)
                _ = ResponseRow.response(
                    head: damaged, content: .memory(body), requested: 0, received: 0,
                    uselessAfter: nil)
            }
            _ = ResponseRow.response(
                head: Array(head.prefix(index)), content: .memory(body), requested: 0, received: 0,
                uselessAfter: nil)
        }
        for index in body.indices {
            var damaged = body
            damaged[index] ^= 1
            #expect(ResponseRow.sum(of: head, damaged) != sum)
        }
        #expect(ResponseRow.sum(of: head, body + [0]) != sum)
    }
}

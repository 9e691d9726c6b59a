import HTTPTypes
import Testing

@testable import LarderClient

@Suite struct AddedItemsTests {
    private static let items: AddedItems = {
        var request = TransportRequest(
            head: HTTPRequest(
                method: .get, scheme: "http", authority: "test.invalid",
                path: "/users?page=1&api%20key=s3cr%2Bt-key"))
        request.addedItems = ["api key"]
        return AddedItems(of: request)
    }()

    @Test(arguments: [
        ("</u?page=2&api+key=s3cr%2bt-key>; rel=\"next\"", "</u?page=2>; rel=\"next\""),
        ("</u?api%20key=s3cr%2Bt-key>, </u?api%20key=s3cr%2Bt-key&a=b#c>", "</u?>, </u?a=b#c>"),
        ("</u?api%20key=another>; rel=\"map\"", "</u?api%20key=another>; rel=\"map\""),
        ("plain, with no query", "plain, with no query"),
    ])
    func `goes from the queries of URLs, with its own value`(_ value: String, _ kept: String) {
        let field = HTTPField(name: .location, value: value)
        #expect(Self.items.removed(from: field)?.value == kept)
    }

    @Test(arguments: [
        "/login?next=%2Fusers%3Fapi%2520key%3Ds3cr%252Bt-key", "/u?a=1;api%20key=s3cr%2Bt-key",
        "key s3cr+t-key",
    ])
    func `a field that has it in another way is not kept`(_ value: String) {
        #expect(Self.items.removed(from: HTTPField(name: .location, value: value)) == nil)
        #expect(Self.items.removed(from: HTTPField(name: .eTag, value: value)) != nil)
        #expect(AddedItems().removed(from: HTTPField(name: .location, value: value)) != nil)
    }
}

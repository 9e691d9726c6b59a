import Testing

@testable import LarderClient

@Suite struct SetCookieTests {
    @Test(arguments: [
        ("a=b", ["a=b"]), ("", [""]), ("a=b, c=d", ["a=b", "c=d"]), ("a=b,c=d", ["a=b", "c=d"]),
        (
            "a=b; Expires=Wed, 21 Oct 2015 07:28:00 GMT; Path=/, c=; Secure",
            ["a=b; Expires=Wed, 21 Oct 2015 07:28:00 GMT; Path=/", "c=; Secure"]
        ),
        ("a=1,2,3; Path=/, b=4", ["a=1,2,3; Path=/", "b=4"]),
    ])
    func `joined fields are taken apart between cookies`(_ list: String, _ fields: [String]) {
        #expect(SetCookie.split(list) == fields)
    }
}

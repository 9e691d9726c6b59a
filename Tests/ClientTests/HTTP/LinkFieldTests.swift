import Foundation
import HTTPTypes
import LarderClient
import Testing

@Suite struct LinkFieldTests {
    @Test(arguments: [
        ("<https://h/a?page=2>; rel=\"next\"", "https://h/a?page=2"),
        ("<https://h/a?page=2>; rel=next", "https://h/a?page=2"),
        ("<https://h/1>; rel=\"prev\", <https://h/3>; rel=\"next\"", "https://h/3"),
        ("<https://h/1>; rel=\"prev\",<https://h/3>;rel=\"next\"", "https://h/3"),
        ("</a?page=2>; rel=\"next\"", "https://api/a?page=2"),
        ("<?page=2>; rel=\"next\"", "https://api/v1/users?page=2"),
        ("<b>; rel=\"next\"", "https://api/v1/b"),
        ("<https://h/a>; rel=\"last next\"", "https://h/a"),
        ("<https://h/a>; REL=\"NEXT\"", "https://h/a"),
        ("<https://h/a>; title=\"a, b; c>\"; rel=\"next\"", "https://h/a"),
        ("<https://h/a>; title=\"a \\\" b\"; rel=\"next\"", "https://h/a"),
        ("<https://h/a>; rel=\"prev\"; rel=\"next\"", nil),
        ("<https://h/a>; rel=\"next\"; anchor=\"#x\"", nil),
        ("<https://h/a,b>; rel=\"next\"", "https://h/a,b"),
        (" , ,<https://h/a> ; rel = \"next\" ", "https://h/a"),
        ("<https://h/a>", nil), ("<https://h/a; rel=\"next\"", nil), ("https://h/a; rel=next", nil),
        ("", nil), ("<>; rel=next", "https://api/v1/users"), ("<https://h/a>; rel", nil),
        ("<https://h/a>; rel=\"next", "https://h/a"),
        ("<https://h/1>; rel=\"prev\" x, <https://h/3>; rel=\"next\"", "https://h/3"),
        ("x; rel=\"next\", <https://h/3>; rel=\"next\", y", "https://h/3"),
    ])
    func `the next page is found`(_ value: String, _ expected: String?) {
        let response = Response(
            1, headerFields: HTTPFields([HTTPField(name: .named("Link"), value: value)]),
            url: URL(string: "https://api/v1/users"))
        #expect(response.link(rel: "next")?.absoluteString == expected)
    }

    @Test func `links in several fields are one list`() {
        let name = HTTPField.Name.named("Link")
        let response = Response(
            1,
            headerFields: HTTPFields([
                HTTPField(name: name, value: "<https://h/1>; rel=first"),
                HTTPField(name: name, value: "<https://h/9>; rel=last"),
            ]),
            url: URL(string: "https://api/"))
        #expect(response.link(rel: "last")?.absoluteString == "https://h/9")
        #expect(response.link(rel: "first")?.absoluteString == "https://h/1")
        #expect(response.link(rel: "next") == nil)
    }

    @Test func `parameters are read by their lower-cased names`() {
        let links = LinkField.fields(in: #"<a>; Rel="x Y"; title*=UTF-8''b; flag"#)
        #expect(links.count == 1)
        #expect(links.first?.target == "a")
        #expect(links.first?.relations == ["x", "y"])
        #expect(links.first?.parameters["title*"] == "UTF-8''b")
        #expect(links.first?.parameters["flag"] == "")
    }

    @Test func `any text is read without end`() {
        let alphabet = Array("<>;,=\" \\rel")
        for _ in 0..<5000 {
            let text = String((0..<20).map { _ in alphabet.randomElement() ?? "<" })
            #expect(LinkField.fields(in: text).count <= 20)
        }
    }
}

import Foundation
import Testing

@testable import LarderClient

@Suite struct PercentEncodingTests {
    @Test(arguments: [
        ("a", "b", "a=b"), ("q", "a b", "q=a%20b"), ("q", "a+b", "q=a%2Bb"),
        ("q", "a&b=c", "q=a%26b%3Dc"),
        ("q", "ü", "q=%C3%BC"), ("q", "👍", "q=%F0%9F%91%8D"), ("q", "100%", "q=100%25"),
        ("a[]", "1", "a%5B%5D=1"), ("q", "", "q="), ("q", "-._~", "q=-._~"),
        ("q", "#?/", "q=%23%3F%2F"),
        ("q", "a\r\nb\0", "q=a%0D%0Ab%00"), ("=", "=", "%3D=%3D"),
    ])
    func `query items are encoded`(_ name: String, _ value: String, _ expected: String) {
        #expect(PercentEncoding.query([URLQueryItem(name: name, value: value)]) == expected)
    }

    @Test(arguments: [
        ("q", "a b", "q=a+b"), ("q", " ", "q=+"), ("q", "a+b", "q=a%2Bb"),
        ("a b", "~*", "a+b=%7E*"),
        ("q", "ü&", "q=%C3%BC%26"),
    ])
    func `forms are encoded by their own rules`(_ name: String, _ value: String, _ expected: String)
    {
        #expect(PercentEncoding.form([URLQueryItem(name: name, value: value)]) == expected)
    }

    @Test func `an item without a value is its name`() {
        let items = [URLQueryItem(name: "a", value: nil), URLQueryItem(name: "b", value: "c")]
        #expect(PercentEncoding.query(items) == "a&b=c")
        #expect(PercentEncoding.query([]) == "")
    }

    @Test func `an item without a name is one all the same`() {
        for name in ["", "a"] {
            let items = [URLQueryItem(name: name, value: nil), URLQueryItem(name: "b", value: "c")]
            #expect(PercentEncoding.query(items) == "\(name)&b=c")
            #expect(PercentEncoding.form(items) == "\(name)&b=c")
        }
    }

    @Test func `Foundation reads back what was written`() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let value = String(
                String.UnicodeScalarView(
                    (0..<8).compactMap { _ in
                        Unicode.Scalar(UInt32.random(in: 0..<0x3000, using: &generator))
                    }))
            let text = PercentEncoding.query([URLQueryItem(name: value, value: value)])
            let items = try #require(URLComponents(string: "?" + text)?.queryItems)
            #expect(items == [URLQueryItem(name: value, value: value)])
        }
    }
}

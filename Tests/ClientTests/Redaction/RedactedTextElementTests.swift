import Foundation
import HTTPTypes
import Testing

@testable import LarderClient

@Suite struct RedactedTextElementTests {
    @Test(arguments: [
        ("<s:B><w:Password>x</w:Password></s:B>", "<s:B><w:Password>…</w:Password></s:B>"),
        ("<Password Type=\"a>b\">x</Password><id>1</id>", "<Password …>…</Password><id>1</id>"),
        ("<token><![CDATA[x</token>y]]></token>z", "<token>…</token>z"),
        ("<token><value>x</value><token>y</token>z</token>1", "<token>…</token>1"),
        ("<token value='x'/><id a='b'/>", "<token …/><id a='b'/>"), ("<token>x", "<token>…"),
        ("<token value='x", "<token …"), ("<token/><token></token>", "<token/><token></token>"),
        (#"{"a": "<token>x<\/token> b"}"#, #"{"a": "<token>…<\/token> b"}"#),
        ("<code>a b</code><code>not_found</code>", "<code>a b</code><code>not_found</code>"),
        ("<key>sk_live_4eC39HqLyjWDarjtT1zdp7dc</key>", "<key>…</key>"),
        ("a < token > b, <token", "a < token > b, <token"),
    ])
    func `what is in an element with a secret name is left out`(_ body: String, _ expected: String)
    {
        #expect(Redaction().excerpt(of: Data(body.utf8)) == expected)
    }
}

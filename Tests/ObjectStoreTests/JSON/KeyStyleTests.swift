import Foundation
import LarderObjectStore
import Testing

@Suite struct KeyStyleTests {
    /// The same table as that of the tests of the macro's own copy.
    static let table = [
        ("id", "id"), ("createdAt", "created_at"), ("avatarURL", "avatar_url"),
        ("htmlURL", "html_url"), ("htmlURLText", "html_url_text"), ("URLText", "url_text"),
        ("URL", "url"), ("nodeID", "node_id"), ("labelIDs", "label_ids"),
        ("imageURLsByID", "image_urls_by_id"), ("IDs", "ids"), ("isHTTPSafe", "is_http_safe"),
        ("isUSState", "is_us_state"), ("asStated", "as_stated"), ("isAs", "is_as"),
        ("id2", "id2"), ("line2Text", "line2_text"), ("sha256Sum", "sha256_sum"),
        ("sha256", "sha256"), ("utf8Data", "utf8_data"), ("HTTP2Server", "http2_server"),
        ("oAuth2Token", "o_auth2_token"), ("aB", "a_b"), ("aBC", "a_bc"), ("aBCd", "a_b_cd"),
        ("Title", "title"), ("created_at", "created_at"), ("created_At", "created_at"),
        ("_private", "_private"), ("__Private", "__private"), ("last_", "last_"),
        ("größeÜber", "größe_über"), ("straßeNr", "straße_nr"), ("", ""), ("A", "a"),
        ("two words", "two words"),
    ]

    @Test(arguments: table)
    func `puts an underscore between words in snake case`(name: String, key: String) {
        #expect(KeyStyle.snakeCase.key(for: name) == key)
    }

    @Test(arguments: table)
    func `keeps names as they are where they are verbatim`(name: String, key: String) {
        #expect(KeyStyle.verbatim.key(for: name) == name)
    }

    @Test(arguments: table)
    func `leaves a key in snake case as it is`(name: String, key: String) {
        #expect(KeyStyle.snakeCase.key(for: key) == key)
    }

    @Test func `is spelled in model files with an underscore`() throws {
        let styles = try JSONDecoder().decode(
            [KeyStyle].self, from: Data(#"["verbatim", "snake_case"]"#.utf8))
        #expect(styles == [.verbatim, .snakeCase])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([KeyStyle].self, from: Data(#"["snakeCase"]"#.utf8))
        }
    }
}

import Foundation
import LarderXML
import Testing

@Suite struct XMLTreeTests {
    private func tree(_ text: String) throws -> XMLTree { try XMLTree(Data(text.utf8)) }

    @Test func `elements have attributes, text and elements`() throws {
        let tree = try tree(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- A feed --><?style none?>
            <feed xmlns:m="urn:m" lang='d&#101;'>
                <item id="1">One &amp; <![CDATA[<two>]]></item>
                <m:item/>
                <item>é&#x1F600;</item>
            </feed>
            """)
        #expect(tree.name == "feed")
        #expect(tree.attributes == ["xmlns:m": "urn:m", "lang": "de"])
        #expect(tree.children.map(\.name) == ["item", "m:item", "item"])
        #expect(tree["item"]?.attributes == ["id": "1"])
        #expect(tree.all("item").map(\.text) == ["One & <two>", "é😀"])
        #expect(tree["m:item"] == XMLTree("m:item"))
        #expect(tree["none"] == nil)
        #expect(tree.text.allSatisfy { $0.isWhitespace })
    }

    @Test(arguments: [
        "", " ", "text", "<a>", "</a>", "<a></b>", "<a><b></a></b>", "<a/><b/>", "<a/>text", "<a",
        "<a b/>", "<a b=c/>", "<a b='1' b='2'/>", "<a>&</a>", "<a>&unknown;</a>", "<a>&#0;</a>",
        "<a>\u{1}</a>", "<a b='<'/>", "<1/>", "<a><!-- -- --></a>", "<!-- <a/>", "<?x <a/>",
        "{\"a\": 1}", "<a>]]></a>", "<a><![CDATA[</a>", "<a/>\0", " <?xml version='1.0'?><a/>",
        "<html><br></html>", "<a b='&unknown;'/>", "<a xml='1'></a ></a>",
    ])
    func `what is not well-formed is refused`(_ text: String) {
        let error = #expect(throws: XMLError.self) { try tree(text) }
        #expect(error?.reason == .malformed)
    }

    @Test(arguments: [
        "<?xml?>", "<?xml ?>", "<?xml version='1.0' enc?>",
        "<?xml version='1.0'encoding='utf-8'?>", "<?xml encoding='utf-8'?>",
        "<?xml version='1.0' standalone='maybe'?>", "<?xml version='2'?>", "<?xml version='1.'?>",
        "<?xml encoding='utf-8' version='1.0'?>", "<?xml version='1.0' version='1.0'?>",
        "<?xml version='1.0?>", "<?xml version=1.0?>",
    ])
    func `a declaration is one, or the document is refused`(_ declaration: String) throws {
        let error = #expect(throws: XMLError.self) { try tree(declaration + "<a/>") }
        #expect(error?.reason == .malformed)
        for good in [
            "<?xml version='1.0'?>", "<?xml\tversion = \"1.1\"\r\n?>",
            "<?xml version='1.0' encoding = 'utf-8' standalone=\"yes\" ?>",
            "<?xml version='1.0' standalone='no'?>",
        ] {
            #expect(try tree(good + "<a/>").name == "a")
        }
    }

    /// Bombs, files and servers all need a document type.
    @Test(arguments: [
        """
        <?xml version="1.0"?>
        <!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
        <a>&b;</a>
        """,
        "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>",
        "<!DOCTYPE a SYSTEM 'http://127.0.0.1:1/a.dtd'><a/>",
        "<!DOCTYPE a PUBLIC 'x' 'http://127.0.0.1:1/a.dtd'><a/>",
        "<!DOCTYPE a [<!ENTITY % p SYSTEM 'http://127.0.0.1:1/'> %p;]><a/>",
        "<!DOCTYPE a [<!ATTLIST a b CDATA 'x'>]><a/>",
        "<!-- <a/> --> <?x ?>\n<!-- - --><!DOCTYPE a><a/>",
        "<!--><!DOCTYPE a>--><!DOCTYPE a><a/>", "<??><!DOCTYPE a><a/>",
        "\u{FEFF}<!DOCTYPE a><a/>", "<!doctype html><html/>",
        "<?xml version='1.0'?><!DOCTYPE a><a/>", "<?xml-stylesheet x?><!DOCTYPE a><a/>",
    ])
    func `document types are refused, wherever they hide`(_ text: String) {
        let error = #expect(throws: XMLError.self) { try tree(text) }
        #expect(error?.reason == .documentType)
    }

    @Test func `a document type is no way in from behind, or in another encoding`() {
        let inside = "<a><!DOCTYPE a [<!ENTITY x 'y'>]>&x;</a>"
        let behind = "<a/><!DOCTYPE a>"
        for text in [inside, behind] {
            #expect(throws: XMLError.self) { try tree(text) }
        }
        let bomb = "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>"
        for order in [String.Encoding.utf16LittleEndian, .utf16BigEndian] {
            let error = #expect(throws: XMLError.self) {
                try XMLTree(bomb.data(using: order) ?? Data())
            }
            #expect(error?.reason == .documentType)
        }
        // `+ADw-` is `<` in UTF-7, which some parsers take to.
        for (name, text) in [
            ("utf-7", "+ADw-!DOCTYPE a+AD4-"), ("ebcdic-cp-us", "<a/>"), ("utf-32", "<a/>"),
        ] {
            let declared = "<?xml version='1.0' encoding='\(name)'?>" + text
            let error = #expect(throws: XMLError.self) { try tree(declared) }
            #expect(error?.reason == .encoding)
        }
    }

    /// A mark or a declaration that is left would be the parser's, which then reads the rest in another way.
    @Test(arguments: [
        "\u{FEFF}\u{FEFF}<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>",
        "<?xml version='1.0'?>\u{FEFF}<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/hostname'>]><a>&x;</a>",
        "<?xml version='1.0'?><?xml version='1.0' encoding='utf-7'?>+ADwAIQ-DOCTYPE a+AD4APA-a/+AD4-",
        "<?xml-style x?><?xml version='1.0' encoding='utf-7'?>+ADwAIQ-DOCTYPE a+AD4APA-a/+AD4-",
        "<?xml?><?xml version='1.0'?><a/>",
    ])
    func `a second mark or declaration is refused`(_ text: String) {
        for data in [
            Data(text.utf8), Data([0xFF, 0xFE]) + (text.data(using: .utf16LittleEndian) ?? Data()),
        ] {
            let error = #expect(throws: XMLError.self) { try XMLTree(data) }
            #expect(error?.reason == .malformed)
        }
    }

    /// They end the process in Foundation's parser on Linux where they come to it as they are.
    @Test(arguments: [
        ("<a/><?p?>", ""), ("<?p?><a>x<?p?>y<?q ?>z</a>", "xyz"),
        ("<a><!--<?p?>--><?p\n?>x</a>", "x"),
        ("<a><![CDATA[<?p?>]]><?p?></a>", "<?p?>"),
        ("<a><!-- <![CDATA[ --><?p?><!-- ]]> --></a>", ""),
        ("<a b='?>'>&lt;?p?></a>", "<?p?>"),
    ])
    func `instructions may have nothing behind their names`(_ text: String, _ read: String) throws {
        #expect(try tree(text).text == read)
    }

    @Test(arguments: [
        "<a b='<![CDATA['><?p?></a>", "<a b='<!--'><?p?></a>", "<a b=<!-- ><?p?></a>",
        "<a &x;<?p?></a>",
        "<a><b></a><![CDATA[<?p?>", "<a>&x;<![CDATA[</a><?p?>", "<a><!-- -- <?p?>",
        "<a/><![CDATA[<?p?>]]>",
        "<?p??>", "<a><?p??></a>", "<a><??></a>", "<a><?p",
    ])
    func `nor where the rest is not well-formed`(_ text: String) {
        let error = #expect(throws: XMLError.self) { try tree(text) }
        #expect(error?.reason == .malformed)
    }

    @Test(arguments: [
        ("<m:a m:x='1'/>", "m:a", ["m:x": "1"]), ("<a xmlns='u'/>", "a", ["xmlns": "u"]),
        ("<a xml:space='all' xml:lang='?'/>", "a", ["xml:space": "all", "xml:lang": "?"]),
        (
            "<a xmlns:p='u' xmlns:q='u' p:x='1' q:x='2'/>", "a",
            ["xmlns:p": "u", "xmlns:q": "u", "p:x": "1", "q:x": "2"]
        ),
        ("<a xmlns='http://a b'/>", "a", ["xmlns": "http://a b"]), ("<a:b:c/>", "a:b:c", [:]),
    ])
    func `what is odd, or wrong about name spaces, is well-formed`(
        _ text: String, _ name: String, _ attributes: [String: String]
    ) throws {
        #expect(try tree(text) == XMLTree(name, attributes: attributes))
    }

    @Test func `elements are found by the code points of their names`() throws {
        let (composed, apart) = ("\u{E9}", "e\u{301}")
        let tree = try tree("<a><\(apart)>1</\(apart)><\(composed)>2</\(composed)></a>")
        #expect(tree[composed]?.text == "2")
        #expect(tree.all(apart).map(\.text) == ["1"])
        #expect(throws: XMLError.self) { try self.tree("<\(apart)></\(composed)>") }
    }

    /// A dictionary has one place for both, so that one of the values would be lost.
    @Test func `attributes that look the same are refused`() throws {
        let (composed, apart) = ("\u{E9}", "e\u{301}")
        for text in [
            "<a \(composed)='1' \(apart)='2'/>",
            "<a x='>'><b\n\(apart) = \"'\"\n\(composed)='2'>c</b></a>",
            "<!-- < --><a \(composed)='1' b='\(apart)=' \(apart)='2'></a>",
        ] {
            let error = #expect(throws: XMLError.self) { try tree(text) }
            #expect(error?.reason == .ambiguousNames)
            #expect(error?.description.contains("the names of two attributes") == true)
        }
        for text in [
            "<a \(composed)='1' b='\(apart)=' c=\"\(apart)='2'\"/>",
            "<a \(composed)='1'>\(apart)='2'<b \(apart)='2'/></a>",
            "<a><!--<a \(composed)='1' \(apart)='2'/>--></a>",
            "<a><![CDATA[<a \(composed)='1' \(apart)='2'/>]]></a>",
        ] {
            #expect(throws: Never.self) { try tree(text) }
        }
        let twice = #expect(throws: XMLError.self) { try tree("<a é='1' é='2'/>") }
        #expect(twice?.reason == .malformed)
    }

    @Test func `mistakes behind what is odd are found`() {
        for text in ["<m:a><b></m:a>", "<m:a/><b", "<m:a", "<m:a/>x", "<a xmlns='u'>&x;</a>"] {
            let error = #expect(throws: XMLError.self) { try tree(text) }
            #expect(error?.reason == .malformed)
        }
    }

    @Test func `a document may be larger than ten million bytes`() throws {
        let part = "<b>" + String(repeating: "é", count: 500) + "</b>"
        let tree = try tree("<a>" + String(repeating: part, count: 12_000) + "</a>")
        #expect(tree.children.count == 12_000)
        #expect(tree.children.allSatisfy { $0.text.utf8.count == 1000 })
        let text = String(repeating: "x€", count: 3_000_000)
        #expect(try self.tree("<a>\(text)</a>").text == text)
    }

    @Test func `a long prologue takes no longer than it is`() throws {
        // It would take minutes if each part of it copied the rest.
        for part in ["<?a?>", "<!--a-->"] {
            let text = String(repeating: part, count: 100_000) + "<a/>"
            #expect(try tree(text) == XMLTree("a"))
        }
    }

    @Test func `attributes and text hold what they name`() throws {
        let tree = try tree("<a b='?x=1&amp;y=&lt;&#38;#60;' c='1\n2&#10;3'>1\r\n2&amp;lt;</a>")
        #expect(tree.attributes == ["b": "?x=1&y=<&#60;", "c": "1 2\n3"])
        #expect(tree.text == "1\n2&lt;")
    }

    @Test func `depth is limited`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        #expect(throws: Never.self) { try tree(nested(100)) }
        for depth in [101, 1000, 100_000] {
            let error = #expect(throws: XMLError.self) { try tree(nested(depth)) }
            #expect(error?.reason == .tooDeep)
        }
        let limits = XMLLimits(depth: .max)
        let error = #expect(throws: XMLError.self) {
            try XMLTree(Data(nested(251).utf8), limits: limits)
        }
        #expect(error?.reason == .tooDeep)
        #expect(throws: Never.self) { try XMLTree(Data(nested(250).utf8), limits: limits) }
    }

    @Test func `elements and attributes are counted`() throws {
        let text = Data("<a><b x='1' y='2'/><b/></a>".utf8)
        #expect(throws: Never.self) { try XMLTree(text, limits: XMLLimits(nodes: 5)) }
        let error = #expect(throws: XMLError.self) {
            try XMLTree(text, limits: XMLLimits(nodes: 4))
        }
        #expect(error?.reason == .tooLarge)
    }

    /// The parser on Linux compares each of one element with all others, and nothing ends that.
    @Test(arguments: ["k", "é"])
    func `one element has no more attributes than can be read in time`(_ name: String) throws {
        func text(_ count: Int) -> String {
            "<a>x <b " + (0..<count).map { "\(name)\($0)='>'" }.joined(separator: " ") + "/></a>"
        }
        #expect(try tree(text(10_000))["b"]?.attributes.count == 10_000)
        for count in [10_001, 200_000] {
            let error = #expect(throws: XMLError.self) { try tree(text(count)) }
            #expect(error?.reason == .tooLarge)
        }
    }

    @Test(arguments: [
        ("iso-8859-1", nil), ("ISO-8859-1", "iso-8859-1"), ("utf-8", "iso-8859-1"),
        ("windows-1252", nil),
    ])
    func `encodings of one byte are read`(_ declared: String, _ charset: String?) throws {
        let text = "<?xml version='1.0' encoding='\(declared)'?><a>é</a>"
        let data = try #require(text.data(using: .isoLatin1))
        #expect(try XMLTree(data, charset: charset).text == "é")
    }

    @Test(arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian])
    func `UTF-16 is read with its mark and without`(_ encoding: String.Encoding) throws {
        let data = try #require(
            "<?xml version='1.0' encoding='utf-16'?><a>é😀</a>".data(using: encoding))
        #expect(try XMLTree(data).text == "é😀")
    }

    @Test func `bytes that are not what they claim to be are refused`() {
        for bytes in [[0x3C, 0x61, 0x3E, 0xFF], [0xFF, 0xFE, 0x3C], [0xFE, 0xFF, 0xD8, 0x00]]
            as [[UInt8]]
        {
            let error = #expect(throws: XMLError.self) { try XMLTree(Data(bytes)) }
            #expect(error?.reason == .encoding)
        }
    }

    @Test func `an error names the line`() {
        let error = #expect(throws: XMLError.self) {
            try tree("<?xml version='1.0'\n?>\n<a>\n<b></c>\n</a>")
        }
        #expect(error?.line.map { (4...5).contains($0) } == true)
    }

    /// Whatever bytes come, there is a tree or an error, and never a trap.
    @Test func `damaged documents are trees or errors`() {
        let text = Array("<?xml version='1.0'?><!--c--><a b='1'>&amp;<![CDATA[x]]><c/>é</a>".utf8)
        var state: UInt64 = 7
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(truncatingIfNeeded: (state >> 33) % UInt64(bound))
        }
        for _ in 0..<3000 {
            var bytes = text
            for _ in 0...random(4) {
                let place = random(bytes.count)
                switch random(3) {
                case 0: bytes.remove(at: place)
                case 1: bytes[place] = UInt8(truncatingIfNeeded: random(256))
                default: bytes.insert(contentsOf: bytes[..<random(bytes.count)], at: place)
                }
            }
            let tree = try? XMLTree(Data(bytes))
            #expect(tree?.name.isEmpty != true)
        }
    }
}

import Testing

@testable import LarderObjectStore

/// Key paths as trees.
@Suite struct ExportTreeTests {
    /// A tree in one line: `a:0(b:1)`.
    private func text(_ members: [ExportTree.Member]) -> String {
        members.map { member in
            var text = member.key
            if let field = member.field { text += "\(field)" }
            if let value = member.entityValue { text += "=\(value)" }
            return member.members.isEmpty ? text : "\(text)(\(self.text(member.members)))"
        }.joined(separator: " ")
    }

    @Test(
        arguments: [
            ([], ""), (["a", nil, "b"], #""a":0 "b":2"#),
            (["a.b", "c", "a.d.e", "a.d.f"], #""a":("b":0 "d":("e":2 "f":3)) "c":1"#),
            (["a.b", "a"], #""a":1("b":0)"#), (["a", "a"], #""a":0"#),
            (["\"\n"], #""\"\n":0"#),
        ] as [([String?], String)])
    func `key paths that begin alike are one branch`(keyPaths: [String?], expected: String) {
        #expect(text(ExportTree(keyPaths: keyPaths).members) == expected)
    }

    @Test func `what names an entity comes first, the higher before the lower`() {
        let tree = ExportTree(
            keyPaths: ["id", "kind", "meta.size"],
            entityValues: [("kind", "top"), ("kind", "low"), ("meta.kind", "m")])
        #expect(text(tree.members) == #""kind":1=top "meta":("kind":=m "size":2) "id":0"#)
    }

    @Test func `an output is written and cut`() {
        var output = JSONOutput()
        output.append("[")
        let start = output.count
        output.append(string: "a\u{0}\u{1F}\u{7F}\u{2028}\\\"")
        #expect(
            String(decoding: output.text(from: start), as: UTF8.self)
                == #""a\u0000\u001f"# + "\u{7F}\u{2028}" + #"\\\"""#)
        output.cut(to: start)
        #expect(output.bytes == [UInt8(ascii: "[")])
        #expect(output.last == UInt8(ascii: "["))
        output.append([UInt8(ascii: "]")])
        #expect(output.count == 2)
        output.removeAll()
        #expect(output.bytes.isEmpty && output.last == nil)
    }
}

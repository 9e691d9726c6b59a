import HTTPTypes

/// A response's head as text: the status, and a line for each field.
extension HTTPResponse {
    /// The lines of the head.
    var lines: [String] {
        ["\(status.code) \(status.reasonPhrase)"]
            + headerFields.map { "\($0.name.rawName):\($0.value)" }
    }

    /// Reads a head; nil where it is none.
    init?(lines: some Sequence<String>) {
        var lines = lines.makeIterator()
        guard let first = lines.next() else { return nil }
        let words = first.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard words.count == 2, let code = Int(words[0]), (100...999).contains(code) else {
            return nil
        }
        var fields = HTTPFields()
        while let line = lines.next() {
            guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")),
                let name = HTTPField.Name(String(line[..<colon]))
            else { return nil }
            let value = String(line[line.utf8.index(after: colon)...])
            guard HTTPField.isValidValue(value) else { return nil }
            fields.append(HTTPField(name: name, value: value))
        }
        self.init(
            status: Status(code: code, reasonPhrase: String(words[1])), headerFields: fields)
    }
}

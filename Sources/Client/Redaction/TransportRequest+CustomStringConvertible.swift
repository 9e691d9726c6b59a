import HTTPTypes

extension TransportRequest: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// One line: the method, the URL, the header fields and the size of the content, without what the usual
    /// ``Redaction`` names.
    public var description: String {
        let redaction = Redaction().adding(secretNames)
        var parts = ["\(head.method) \(redaction.url(urlText))"]
        if !head.headerFields.isEmpty { parts.append("(\(redaction.line(head.headerFields)))") }
        if let body { parts.append("with \(body.count) bytes") }
        return parts.joined(separator: " ")
    }

    /// The description.
    public var debugDescription: String { description }

    /// The description alone.
    public var customMirror: Mirror {
        Mirror(self, children: ["description": description], displayStyle: .struct)
    }
}

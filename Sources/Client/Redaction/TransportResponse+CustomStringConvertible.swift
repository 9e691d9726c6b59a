import HTTPTypes

extension TransportResponse: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// One line: the status, the header fields and the size of the content, without what the usual
    /// ``Redaction`` names.
    public var description: String {
        var parts = ["\(head.status.code)"]
        if !head.headerFields.isEmpty { parts.append("(\(Redaction().line(head.headerFields)))") }
        return (parts + ["with \(body.count) bytes"]).joined(separator: " ")
    }

    /// The description.
    public var debugDescription: String { description }

    /// The description alone.
    public var customMirror: Mirror {
        Mirror(self, children: ["description": description], displayStyle: .struct)
    }
}

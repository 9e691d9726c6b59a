import SwiftSyntax

extension StringLiteralExprSyntax {
    /// The text between the quotes; nil where it has an interpolation or an escape.
    var plainText: String? {
        guard segments.count == 1, case .stringSegment(let segment) = segments.first,
            !segment.content.text.contains("\\")
        else { return nil }
        return segment.content.text
    }

    /// Whether the text is known when the code is compiled.
    var isConstant: Bool {
        segments.allSatisfy { $0.is(StringSegmentSyntax.self) }
    }
}

import Foundation
import HTTPTypes

extension TransportRequest {
    /// The command by which curl sends this request, to try it in a shell or to hand it on.
    ///
    /// Secrets are left out by a redaction, and by the names of its client's; nil leaves them in. Content that is no text is left to a file
    /// named `content`.
    public func curlCommand(redacting redaction: Redaction? = Redaction()) -> String {
        let redaction = redaction?.adding(namesOfSecrets)
        var words = ["curl"]
        let method = head.method
        if method == .head {
            words.append("--head")
        } else if method != (body == nil ? .get : .post) {
            words += ["--request", Self.quoted(method.rawValue)]
        }
        // What curl would take for several URLs, or for steps to others.
        if urlText.utf8.contains(where: "[]{}".utf8.contains) { words.append("--globoff") }
        if urlText.contains("/.") { words.append("--path-as-is") }
        words.append(Self.quoted(redaction?.url(urlText) ?? urlText))
        for field in head.headerFields {
            let line =
                redaction?.line([field.name: field.value])
                ?? "\(field.name.rawName): \(field.value)"
            // curl leaves out a field without a value, but for this.
            words += [
                "--header", Self.quoted(field.value.isEmpty ? "\(field.name.rawName);" : line),
            ]
        }
        if let body {
            if let text = String(validating: body, as: UTF8.self), !text.contains("\0") {
                let shown = redaction.map { RedactedText.of(body, by: $0) } ?? text
                words += ["--data-raw", Self.quoted(shown)]
            } else {
                words += ["--data-binary", "@content"]
            }
            if !head.headerFields.contains(.contentType) {
                words += ["--header", "'Content-Type:'"]
            }
        }
        return words.joined(separator: " ")
    }

    /// A word as a POSIX shell takes it literally.
    private static func quoted(_ word: String) -> String {
        // By scalars, as a quote with an accent behind it is a quote to the shell.
        var quoted = String.UnicodeScalarView("'".unicodeScalars)
        for scalar in word.unicodeScalars {
            if scalar == "'" {
                quoted.append(contentsOf: #"'\''"#.unicodeScalars)
            } else {
                quoted.append(scalar)
            }
        }
        quoted.append("'")
        return String(quoted)
    }
}

import Foundation

extension DecodingOptions {
    /// What tells them from others by which the same JSON may be read as something else, the same in each process; empty
    /// for those that say nothing.
    ///
    /// Of a function it is known only that there is one.
    package var signature: String {
        var words: [String] = []
        switch keys {
        case .useDefaultKeys: break
        case .convertFromSnakeCase: words.append("keys snake")
        case .custom: words.append("keys custom")
        }
        switch dates {
        case .iso8601: break
        case .deferredToDate: words.append("dates deferred")
        case .secondsSince1970: words.append("dates seconds")
        case .millisecondsSince1970: words.append("dates milliseconds")
        case .formatted(let formatter): words.append("dates \(formatter.signature)")
        case .custom: words.append("dates custom")
        }
        switch bytes {
        case .base64: break
        case .deferredToData: words.append("bytes deferred")
        case .custom: words.append("bytes custom")
        }
        if case .convertFromString(let infinity, let negative, let nan) = nonConformingFloats {
            words.append("floats \([infinity, negative, nan])")
        }
        if !userInfo.isEmpty {
            words += userInfo.map { "info \($0.rawValue.debugDescription) \(Self.text(of: $1))" }
                .sorted()
        }
        return words.joined(separator: "\n")
    }

    /// A value that says itself what it is, or its type: others may be written in another way each time.
    private static func text(of value: any Sendable) -> String {
        (value as? any LosslessStringConvertible)?.description.debugDescription
            ?? TypeName.lasting(of: type(of: value))
    }
}

extension DateFormatter {
    /// What its dates depend on.
    fileprivate var signature: String {
        let texts = [
            dateFormat ?? "", locale?.identifier ?? "", timeZone?.identifier ?? "",
            calendar.map { "\($0.identifier)" } ?? "",
        ]
        return "\(texts)"
    }
}

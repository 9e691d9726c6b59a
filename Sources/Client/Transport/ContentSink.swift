import Foundation
import HTTPTypes

/// Where the content of a response goes, piece by piece, instead of being kept.
enum ContentSink: Sendable {
    /// A file; `isWhole` says whether any content is a beginning of its own, as who asks has asked for that part.
    case file(PartialFile, isWhole: Bool)
    /// Whoever reads it as it comes; the response is handed over once its head is there.
    case reader(maximumCount: Int)

    /// The number of bytes that are there already, and count as received; none once all comes anew.
    var start: Int {
        if case .file(let file, _) = self { file.kept } else { 0 }
    }

    /// The most bytes that it takes.
    var maximumCount: Int {
        switch self {
        case .file(let file, _): file.maximumCount
        case .reader(let count): max(count, 0)
        }
    }

    /// The most bytes that may come in a coding, which adds a little to what does not get smaller by it.
    var maximumCodedCount: Int {
        let (count, isTooMuch) = maximumCount.addingReportingOverflow(maximumCount / 8 + 1 << 16)
        return isTooMuch ? .max : count
    }

    /// Prepares for the content of a response, and returns the file that it is to go to, if it is.
    private func file(
        for head: HTTPResponse, from url: String
    ) throws(TransportError) -> PartialFile? {
        guard case .file(let file, let isWhole) = self else { return nil }
        return try file.begin(head, from: url, isWhole: isWhole) ? file : nil
    }

    /// Prepares for the content of a response, and returns who takes it; nil where it is kept as ever, as that of
    /// errors is.
    ///
    /// - Parameter url: The URL that has answered, which a redirect may have led to.
    func writer(
        for head: HTTPResponse, from url: String
    ) throws(TransportError) -> (any ContentWriter)? {
        guard case .reader = self else { return try file(for: head, from: url) }
        guard (200..<300).contains(head.status.code) else { return nil }
        if head.headerFields[.contentEncoding] == nil,
            let length = head.headerFields[.contentLength].flatMap({ Int($0) }),
            length > maximumCount
        {
            throw .limitExceeded("The content exceeds \(maximumCount) bytes.")
        }
        return ContentPipe(maximumCount: maximumCount)
    }
}

/// Who takes content, piece by piece.
protocol ContentWriter: AnyObject, Sendable {
    /// Whether it has to keep bytes, and would copy those that are another's.
    static var keepsBytes: Bool { get }

    /// Takes the bytes that follow, or none of them where these are too many.
    func append(_ bytes: Data) throws(TransportError)
    func append(_ bytes: UnsafeRawBufferPointer) throws(TransportError)

    /// Takes them as well, and may keep them for a while so as to take them with those that follow.
    func hold(_ bytes: UnsafeRawBufferPointer) throws(TransportError)

    /// Takes those that it has kept: for now, no others follow.
    func flush() throws(TransportError)
}

extension ContentWriter {
    static var keepsBytes: Bool { false }

    func append(_ bytes: Data) throws(TransportError) {
        let result = bytes.withUnsafeBytes { bytes in
            Result<Void, TransportError> { () throws(TransportError) in try append(bytes) }
        }
        try result.get()
    }

    func hold(_ bytes: UnsafeRawBufferPointer) throws(TransportError) { try append(bytes) }

    func flush() throws(TransportError) {}
}

extension PartialFile: ContentWriter {}

extension TransportRequest {
    /// Whether its response's content is to be read as it comes.
    var isStreamed: Bool {
        if case .reader = sink { true } else { false }
    }

    /// The same request, whose response comes with all of its content where that would have gone elsewhere.
    package var gathered: TransportRequest {
        guard let sink else { return self }
        var request = self
        request.sink = nil
        request.limits = request.limits ?? TransportLimits()
        request.limits?.maximumBodySize = sink.maximumCount
        return request
    }
}

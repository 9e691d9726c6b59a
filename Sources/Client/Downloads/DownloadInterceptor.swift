import HTTPTypes
import LarderPromises

/// The innermost interceptor of a download: asks for what is missing, and sees that it is written.
struct DownloadInterceptor: Interceptor {
    let file: PartialFile
    /// The names that are secret by the client.
    let secretNames: Set<String>

    /// What is asked for.
    private enum Wanted {
        case whole
        /// What follows the beginning that is there, where one is.
        case rest
        /// The last byte that is there, and what follows it.
        case lastByte
    }

    /// A part of less than this many bytes is a small one.
    private static let smallPart = 1 << 16
    /// The most small parts of one file: who sends a byte a time would be asked for ever.
    private static let mostSmallParts = 100

    func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        attempt(request, .rest, smallParts: 0, next)
    }

    private func attempt(
        _ original: TransportRequest, _ wanted: Wanted, smallParts: Int, _ next: @escaping Next
    ) -> Promise<TransportResponse> {
        // Who asks for a part has that part.
        let isWhole = original.head.headerFields.contains(.range)
        let mayGoOn = !isWhole && original.head.method == .get
        let beginning = file.beginning(
            of: mayGoOn ? original.urlText : nil, isWanted: wanted != .whole,
            replacing: wanted == .lastByte ? 1 : 0)
        let start = beginning?.count ?? 0
        let request = request(original, after: beginning, isWhole: isWhole)
        return ExchangeOutcome.of(next(request)).then(on: .immediate) { outcome in
            try after(
                outcome, of: original, wanted, from: start, isWhole: isWhole,
                smallParts: smallParts, next)
        }
    }

    private func after(
        _ outcome: ExchangeOutcome, of original: TransportRequest, _ wanted: Wanted,
        from start: Int, isWhole: Bool, smallParts: Int, _ next: @escaping Next
    ) throws -> Promise<TransportResponse> {
        let written: TransportResponse
        do {
            switch outcome {
            case .failure(let error): throw error
            case .response(let response):
                if start > 0, response.head.status == .rangeNotSatisfiable {
                    // There is nothing behind a beginning that is the whole, which a part of it can tell.
                    let size = ContentRange.size(in: response.head.headerFields)
                    let isWhole = wanted == .rest && size == start
                    return attempt(
                        original, isWhole ? .lastByte : .whole, smallParts: smallParts, next)
                }
                let url = (response.sent?.request ?? original).urlText
                written = try self.written(response, from: url, isWhole: isWhole)
            }
        } catch {
            if let failure = file.failure { throw ClientError(.notWritten, underlying: failure) }
            guard start > 0, file.isMismatched else { throw error }
            return attempt(original, .whole, smallParts: smallParts, next)
        }
        guard file.count >= file.end ?? 0 else {
            throw TransportError(.truncatedBody, "The content ended before its end.")
        }
        guard let total = file.total, file.count != total else {
            if written.content.unwritten == nil { file.noteHandingOn() }
            return .fulfilled(start > 0 ? written.completed(by: file) : written)
        }
        // A server may send less than was asked for.
        let smallParts = smallParts + (file.count - start < Self.smallPart ? 1 : 0)
        guard smallParts <= Self.mostSmallParts else {
            throw TransportError.limitExceeded(
                "The server sends more than \(Self.mostSmallParts) parts of less than "
                    + "\(Self.smallPart) bytes.")
        }
        return attempt(original, .rest, smallParts: smallParts, next)
    }

    private func request(
        _ original: TransportRequest, after beginning: PartialFile.Beginning?, isWhole: Bool
    ) -> TransportRequest {
        var request = original
        request.sink = .file(file, isWhole: isWhole)
        if !secretNames.isEmpty { request.secretNames.formUnion(secretNames) }
        guard let beginning else { return request }
        request.head.headerFields[.range] = "bytes=\(beginning.count)-"
        request.head.headerFields[.ifRange] = beginning.validator
        // The positions are those of bytes that are not coded.
        request.head.headerFields[.acceptEncoding] = "identity"
        return request
    }

    /// The response, whose content is in the file wherever it belongs there; a transport may not know of the
    /// file.
    private func written(
        _ response: TransportResponse, from url: String, isWhole: Bool
    ) throws -> TransportResponse {
        guard let data = response.content.unwritten,
            try file.begin(response.head, from: url, isWhole: isWhole)
        else { return response }
        try file.append(data)
        var response = response
        response.content = .written(count: data.count)
        return response
    }
}

extension TransportResponse {
    /// The response to a request for the rest, as if all of it had been asked for, which is what there is now.
    fileprivate func completed(by file: PartialFile) -> TransportResponse {
        guard head.status == .partialContent else { return self }
        var response = self
        response.head.status = .ok
        response.head.headerFields[.contentRange] = nil
        response.head.headerFields[.contentLength] = "\(file.count)"
        response.content = .written(count: file.count)
        return response
    }
}

import HTTPTypes
import LarderPromises

/// The innermost interceptor of a download: asks for what is missing, and sees that it is written.
struct DownloadInterceptor: Interceptor {
    let file: PartialFile

    func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        attempt(request, isResuming: true, next)
    }

    /// - Parameter isResuming: Whether the rest is asked for, where there is a beginning.
    private func attempt(
        _ original: TransportRequest, isResuming: Bool, _ next: @escaping Next
    ) -> Promise<TransportResponse> {
        // Who asks for a part has that part.
        let isWhole = original.head.headerFields.contains(.range)
        let mayGoOn = !isWhole && original.head.method == .get
        let beginning = file.beginning(
            of: mayGoOn ? original.urlText : nil, isWanted: isResuming)
        let start = beginning?.count ?? 0
        let request = request(original, after: beginning, isWhole: isWhole)
        return ExchangeOutcome.of(next(request)).then(on: .immediate) { outcome in
            try after(outcome, of: original, from: start, isWhole: isWhole, next)
        }
    }

    private func after(
        _ outcome: ExchangeOutcome, of original: TransportRequest, from start: Int, isWhole: Bool,
        _ next: @escaping Next
    ) throws -> Promise<TransportResponse> {
        let written: TransportResponse
        do {
            switch outcome {
            case .failure(let error): throw error
            case .response(let response):
                if start > 0, response.head.status == .rangeNotSatisfiable {
                    return attempt(original, isResuming: false, next)
                }
                written = try self.written(response, isWhole: isWhole)
            }
        } catch {
            if let failure = file.failure { throw ClientError(.notWritten, underlying: failure) }
            guard start > 0, file.isMismatched else { throw error }
            return attempt(original, isResuming: false, next)
        }
        guard file.count >= file.end ?? 0 else {
            throw TransportError(.truncatedBody, "The content ended before its end.")
        }
        guard let total = file.total, file.count != total else {
            return .fulfilled(start > 0 ? written.completed(by: file) : written)
        }
        // A server may send less than was asked for.
        return attempt(original, isResuming: true, next)
    }

    private func request(
        _ original: TransportRequest, after beginning: PartialFile.Beginning?, isWhole: Bool
    ) -> TransportRequest {
        var request = original
        request.sink = .file(file, isWhole: isWhole)
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
        _ response: TransportResponse, isWhole: Bool
    ) throws -> TransportResponse {
        guard let data = response.content.unwritten,
            try file.begin(response.head, isWhole: isWhole)
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

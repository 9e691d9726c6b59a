import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises

extension ResponseSerializer {
    /// The same value, and an object deleted in the transaction of its response.
    ///
    /// - Parameter earlier: How it stood when it was asked for; nil where whatever is there goes.
    func removing(
        _ object: RemovableObject, besides earlier: RemovableObject.Earlier?
    ) -> ResponseSerializer {
        ResponseSerializer(isStoring: true, writesMore: true) { arrival in
            try arrival.inTransaction { arrival, context in
                let (value, report) = try serialize(arrival)
                let removed = try object.remove(besides: earlier, in: context)
                if arrival.request.head.method == .delete { arrival.flushCache() }
                let whole = (value as? any ReportingResponse)?.adding(removed) as? Value
                return (whole ?? value, report.adding(removed))
            }
        }
    }

    /// Deletes an object that a refused response says is not there: to a DELETE that is the value of a
    /// success without content, to any other request the error that the response was refused by.
    func removing(
        _ object: RemovableObject, besides earlier: RemovableObject.Earlier?,
        refusedBy error: any Error, isSuccess: Bool
    ) -> ResponseSerializer {
        ResponseSerializer(isStoring: true, writesMore: true) { arrival in
            let removed = try arrival.inTransaction { arrival, context in
                // Who only looks for what is not there has a cache all the same.
                if isSuccess { arrival.flushCache() }
                return try object.remove(besides: earlier, in: context)
            }
            guard isSuccess else { throw error }
            var empty = arrival
            empty.response = TransportResponse(head: arrival.response.head)
            empty.response.head.headerFields[.contentType] = nil
            empty.content = nil
            guard let (value, report) = try? serialize(empty) else { throw error }
            let whole = (value as? any ReportingResponse)?.adding(removed) as? Value
            return (whole ?? value, report.adding(removed))
        }
    }
}

extension Arrival {
    /// Has no list that a cache keeps bring back what the server says is gone.
    fileprivate func flushCache() {
        guard let cache = client.configuration.cache, let url = URL(string: request.urlText) else {
            return
        }
        // The cache tries again what fails.
        own?.whenCommitted { cache.flush(origin: url).catch { _ in } }
    }
}

/// A response whose report can have more in it.
private protocol ReportingResponse {
    func adding(_ report: ImportReport) -> Self
}

extension Response: ReportingResponse {
    fileprivate func adding(_ report: ImportReport) -> Response {
        var response = self
        response.report = response.report.adding(report)
        return response
    }
}

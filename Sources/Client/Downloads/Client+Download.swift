public import Foundation
import HTTPTypes
import LarderObjectStore
public import LarderPromises

extension Client {
    /// Enqueues an endpoint and writes the content of its response to a file, without keeping it in memory.
    ///
    /// ```swift
    /// client.download(.get("exports/\(id).zip"), to: folder.appending(path: "export.zip"))
    ///     .then { response in open(response.value) }
    /// ```
    ///
    /// The file is there once it is whole, and not before. What has come of a download that fails, is cancelled
    /// or is killed lies beside it, with the suffix `.download`, and the next one to the same file asks for the
    /// rest (`Range` and `If-Range`, RFC 9110, section 14.2), where the resource has a strong `ETag` or a
    /// `Last-Modified` that counts and comes uncoded; if it has changed, or a redirect leads elsewhere, all of it
    /// comes anew.
    /// A ``RetryInterceptor`` goes on where the attempt before has ended.
    ///
    /// An endpoint that names no timeout has no bound on the whole, but the client's timeout as bound on
    /// silence. Validators and processors see a response without content, unless its status is none of 200 to
    /// 299. Downloads are never coalesced.
    ///
    /// What can't be written is ``ClientError/Reason/notWritten``, with the `POSIXError` beneath: `EEXIST` where
    /// there is a file already, which is so before anything is sent, `EBUSY` where another download
    /// writes it, `ENAMETOOLONG` where the name has no room for the suffix.
    ///
    /// - Parameters:
    ///   - file: The file's URL, in a folder that is there.
    ///   - isReplacing: Whether a file of that name is replaced.
    ///   - maximumSize: The most bytes of content, decoded; what comes with another status than 200 to 299 has
    ///     the client's limits.
    public func download(
        _ endpoint: some Endpoint, to file: URL, replacing isReplacing: Bool = false,
        maximumSize: Int = .max,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Response<URL>> {
        let partial: PartialFile
        do throws(POSIXError) {
            let path = file.path(percentEncoded: false)
            if !isReplacing, Self.isTaken(path) {
                throw POSIXError(.EEXIST)
            }
            partial = try PartialFile(
                for: file, maximumCount: maximumSize, isReplacing: isReplacing)
        } catch {
            let failure = ClientError(.notWritten, of: endpoint, configuration, underlying: error)
            return .rejected(failure, fileID: fileID, line: line)
        }
        let client = configured { configuration in
            if endpoint.allowedTime == nil {
                configuration.idleTimeout = configuration.idleTimeout ?? configuration.timeout
                configuration.timeout = .seconds(30 * 86_400)
            }
            configuration.interceptors.append(
                DownloadInterceptor(file: partial, secretNames: configuration.redaction.ownNames))
        }
        let serializer = ResponseSerializer<URL>.downloaded(to: partial, isReplacing: isReplacing)
        return client.perform(endpoint, serializer.withResponse(), fileID: fileID, line: line)
            .watch(fileID: fileID, line: line) { result in
                partial.release(isDiscarding: result.isRefusal)
            }
    }

    /// Whether there is something of that name, be it a link that leads nowhere.
    private static func isTaken(_ path: String) -> Bool {
        var found = stat()
        return lstat(path, &found) == 0
    }
}

extension Result<Response<URL>, any Error> {
    /// Whether what came is not what was wanted, or is no longer there, so that there is no use in the rest; where all
    /// of it is there and only has no name, there is.
    fileprivate var isRefusal: Bool {
        guard case .failure(let error as ClientError) = self, error.reason != .notWritten,
            let status = error.status
        else { return false }
        return (200..<300).contains(status.code)
            || [404, 410].contains(status.code) && error.source.isOfNow
    }
}

extension ResponseSerializer where Value == URL {
    /// Gives a file that has been written its name.
    fileprivate static func downloaded(
        to file: PartialFile, isReplacing: Bool
    ) -> ResponseSerializer {
        ResponseSerializer(isStoring: false) { arrival in
            guard (200..<300).contains(arrival.response.head.status.code) else {
                throw ClientError(.unacceptableStatus)
            }
            func writing(_ body: () throws -> Void) throws {
                do { try body() } catch { throw ClientError(.notWritten, underlying: error) }
            }
            // Whoever has made the response anew had none of what is here already.
            if let data = arrival.response.content.unwritten, !data.isEmpty || !file.isHandedOn {
                try writing { try file.rewrite(data) }
            }
            try arrival.commit()
            try writing { try file.finish(isReplacing: isReplacing) }
            return (file.target, ImportReport())
        }
    }
}

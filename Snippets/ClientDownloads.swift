// What is fetched into a file: at once, with progress, and where it was left.

import Foundation
import Larder

func export(_ client: Client, to folder: URL) -> Promise<URL> {
    // snippet.download
    let file = folder.appending(path: "export.zip")
    return client.download(.get("exports/latest"), to: file, replacing: true)
        .then { response in
            print(response.headerFields[.contentType] ?? "of no type")
            return response.value
        }
    // snippet.end
}

// snippet.resume
func film(_ id: Int, with client: Client, to file: URL) async throws -> URL {
    let client = client.configured { $0.interceptors.insert(RetryInterceptor(attempts: 5), at: 0) }
    let download = client.progress { $0.download(.get("films/\(id)"), to: file) }
    for await progress in download.progress {
        print(progress.received, "of", progress.expectedToReceive ?? 0, "bytes")
    }
    return try await download.promise.value.value
}
// snippet.end

// snippet.errors
func isDone(_ error: any Error) -> Bool {
    guard let error = error as? ClientError, error.reason == .notWritten else { return false }
    return (error.underlying as? POSIXError)?.code == .EEXIST
}
// snippet.end

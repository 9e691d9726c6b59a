#if canImport(Darwin) || LARDER_URLSESSION
import Foundation
import HTTPTypes

/// What a task in the background is for, in a form that outlives the app's run.
struct BackgroundRecord: Codable {
    /// The URL that was asked first.
    let url: String
    /// The path of the file that the content goes to, from the app's home if it is below that: it moves with updates.
    private var path: String?
    private var isInHome = false
    /// The number of bytes of it that were there already.
    private(set) var start = 0
    private(set) var isWhole = false
    private(set) var isReplacing = false
    private(set) var maximumCount = Int.max
    /// The name of the file that the request's content is in.
    private(set) var upload: String?
    /// A digest of the URL and of the fields that tell those apart who ask for it, and its salt; nil where an earlier
    /// version made the record.
    private let asker: Data?
    private let salt: Data?

    /// Creates the record of a request.
    ///
    /// - Parameter salt: The salt of another record that it is compared with, as what they have of fields is
    ///   secret.
    init(_ request: TransportRequest, salt: Data = makeSalt()) {
        url = request.urlText
        asker = Self.asker(of: request, salt: salt)
        self.salt = salt
        if case .file(let file, let isWhole) = request.sink {
            let (path, home) = (file.target.path(percentEncoded: false), Self.home)
            isInHome = path.hasPrefix(home)
            self.path = isInHome ? String(path.dropFirst(home.count)) : path
            (start, self.isWhole) = (file.kept, isWhole)
            (isReplacing, maximumCount) = (file.isReplacing, file.maximumCount)
        } else {
            upload = UUID().uuidString
        }
    }

    /// Reads what has been noted with a task.
    init?(of task: String?) {
        guard let data = task?.data(using: .utf8),
            let record = try? JSONDecoder().decode(BackgroundRecord.self, from: data)
        else { return nil }
        self = record
    }

    /// What is noted with a task.
    var text: String? {
        (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The file that the content goes to.
    var target: URL? {
        path.map { URL(filePath: isInHome ? Self.home + $0 : $0) }
    }

    /// The file that the request's content is in, which nobody else has a use for.
    var uploadFile: URL? {
        upload.flatMap { name in
            FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?
                .appending(path: "larder.uploads/\(name)")
        }
    }

    /// Whether a request is for the same part of the same resource, in the same file, with the same credentials.
    func isSame(as request: TransportRequest) -> Bool {
        guard let salt, let asker else { return false }
        let other = BackgroundRecord(request, salt: salt)
        return isOfSameFile(as: other) && url == other.url && start == other.start
            && isWhole == other.isWhole && asker == other.asker
    }

    func isOfSameFile(as other: BackgroundRecord) -> Bool {
        target != nil && target == other.target
    }

    private static var home: String {
        let home = NSHomeDirectory()
        return home.hasSuffix("/") ? home : home + "/"
    }
}
#endif

import Dispatch
public import Foundation
import HTTPTypes
import LarderPromises

/// Keeps the cookies that servers set, and gives them to requests (RFC 6265bis).
///
/// ```swift
/// configuration.cookies = CookieJar()
/// ```
///
/// A client that has one as its ``Client/Configuration/cookies`` takes and gives them with each exchange, below
/// interceptors and redirects: each hop has those of its own host, and what is sent again those of that
/// moment. A request that bears a `Cookie` field of its own is given none. Several clients may share a jar,
/// whatever their stores; each person needs one.
///
/// Cookies for a domain are refused where ``PublicSuffixes`` says that it is nobody's. Those that have expired go
/// as soon as the jar is asked for anything, and where there are more than ``Limits`` allow, those that were not
/// used for longest. A field of more than 4,096 bytes of name and value, one with a control character, and one
/// that is no UTF-8 sets nothing; an attribute of more than 1,024 bytes is passed over.
public final class CookieJar: Sendable {
    /// The numbers of cookies that a jar keeps.
    public struct Limits: Sendable, Hashable {
        /// The most cookies in all.
        public var cookies: Int

        /// The most cookies of one ``Cookie/domain``.
        public var cookiesOfDomain: Int

        /// Creates limits; those of RFC 6265bis unless set.
        public init(cookies: Int = 3000, cookiesOfDomain: Int = 50) {
            self.cookies = cookies
            self.cookiesOfDomain = cookiesOfDomain
        }
    }

    private struct State {
        var storage: CookieStorage
        /// The revision of the storage that the file has.
        var savedRevision: Int
        /// The turn up to which the file knows what was used.
        var savedTurn: Int
        /// Whether the file is about to be written.
        var isSaving = false
        var failure: FileError?
    }

    private let state: Guarded<State>
    private let file: CookieFile?
    private let suffixes: PublicSuffixes
    private let date: @Sendable () -> Date
    /// Writes the file, one state after the other.
    private let queue = DispatchQueue(label: "larder.client.cookies", qos: .utility)

    private init(
        _ entries: [CookieStorage.Entry], file: CookieFile?, suffixes: PublicSuffixes,
        limits: Limits, date: @escaping @Sendable () -> Date
    ) {
        var storage = CookieStorage(limits: limits)
        storage.restore(entries, at: date())
        state = Guarded(
            State(storage: storage, savedRevision: storage.revision, savedTurn: storage.turn))
        self.file = file
        self.suffixes = suffixes
        self.date = date
    }

    /// Creates a jar that lives as long as the process.
    ///
    /// - Parameters:
    ///   - cookies: What is in it, such as ``cookies`` of an earlier one, in the order of their creation.
    ///   - suffixes: The domains that are nobody's.
    ///   - limits: The numbers of cookies that it keeps.
    ///   - date: The time of day, by which cookies expire.
    public convenience init(
        _ cookies: [Cookie] = [], suffixes: PublicSuffixes = .system, limits: Limits = Limits(),
        date: @escaping @Sendable () -> Date = { Date() }
    ) {
        let entries = cookies.enumerated().map {
            CookieStorage.Entry(cookie: $1, created: $0, accessed: $0)
        }
        self.init(entries, file: nil, suffixes: suffixes, limits: limits, date: date)
    }

    /// Creates a jar whose cookies, but those of the session, are kept in a file.
    ///
    /// The file is written anew, on a queue of the jar's, soon after they change; ``save()`` waits for that. It is
    /// JSON that only the owner may read (mode 0600), whole at any moment, and belongs to one jar: another one
    /// would write over what this one has. It holds secrets; a folder that is backed up or synchronised
    /// is no place for it.
    ///
    /// The other parameters are those of the jar without a file.
    ///
    /// - Parameter file: The URL of the file, which need not be there, in a folder that is.
    /// - Throws: ``FileError`` where a file is there that can't be read.
    public convenience init(
        file: URL, suffixes: PublicSuffixes = .system, limits: Limits = Limits(),
        date: @escaping @Sendable () -> Date = { Date() }
    ) throws(FileError) {
        let file = CookieFile(url: file)
        self.init(try file.read(), file: file, suffixes: suffixes, limits: limits, date: date)
        file.removeRemains()
    }

    /// The cookies, in the order in which they were first set.
    public var cookies: [Cookie] {
        update { storage, now in
            storage.removeExpired(at: now)
            return storage.all.map(\.cookie)
        }
    }

    /// Returns the cookies that a request for a URL is given, in the order in which it gives them.
    public func cookies(for url: URL) -> [Cookie] {
        (try? URLReference(url.absoluteString)).map(cookies) ?? []
    }

    private func cookies(for url: URLReference) -> [Cookie] {
        guard let origin = CookieOrigin(url) else { return [] }
        return update { $0.cookies(for: origin, at: $1) }
    }

    /// Takes a cookie as if the server at a URL had set it.
    ///
    /// - Parameters:
    ///   - field: The value of one `Set-Cookie` field.
    ///   - url: The URL of the response.
    /// - Returns: Whether it was taken, be it to remove one; false where the rules refuse it.
    @discardableResult
    public func set(_ field: String, from url: URL) -> Bool {
        (try? URLReference(url.absoluteString)).map { set([field], from: $0) } ?? false
    }

    /// - Parameter removals: The number of removals of all cookies that there have to have been; nil for any.
    private func set(
        _ fields: [String], from url: URLReference, since removals: Int? = nil
    ) -> Bool {
        guard let origin = CookieOrigin(url) else { return false }
        return update { storage, now in
            guard removals ?? storage.removals == storage.removals else { return false }
            var isTaken = false
            for field in fields {
                guard let received = ReceivedCookie(field, at: now) else { continue }
                if storage.insert(received, from: origin, suffixes: suffixes, at: now) {
                    isTaken = true
                }
            }
            return isTaken
        }
    }

    /// Removes those cookies that a closure picks, such as one person's at a log-out.
    public func remove(where isRemoved: (Cookie) throws -> Bool) rethrows {
        let removed = Dictionary(
            try cookies.filter(isRemoved).map { ($0.place, $0) }, uniquingKeysWith: { $1 })
        update { storage, _ in storage.remove { removed[$0.place] == $0 } }
    }

    /// Removes all cookies; what was sent before brings none back.
    public func removeAll() {
        update { storage, _ in
            storage.removals += 1
            storage.remove { _ in true }
        }
    }

    /// The number of times that all cookies have been removed.
    var removals: Int { state.withLock(\.storage.removals) }

    /// Removes the cookies that end with the session, which is over when the app says so, or the process ends.
    public func removeSessionCookies() {
        update { storage, _ in storage.remove { $0.expires == nil } }
    }

    // MARK: - File

    /// Why the file could not be written when that was last tried; nil where it could.
    public var failure: FileError? { state.withLock(\.failure) }

    /// Writes the file, where there is one that does not have all changes and uses yet; returns once it has.
    ///
    /// It blocks for as long as the disk takes.
    public func save() throws(FileError) {
        queue.sync { write(withUses: true) }
        if let failure { throw failure }
    }

    /// Writes the file where it does not have all changes.
    func saved() -> Promise<Void> {
        guard file != nil else { return .fulfilled(()) }
        let (promise, resolver) = Promise<Void>.pending()
        queue.async {
            self.write()
            if let failure = self.failure { return resolver.reject(failure) }
            resolver.fulfill(())
        }
        // Not on that queue, where a handler could not have the file written.
        return promise.then {}.recover { throw $0 }
    }

    private func update<Result: Sendable>(
        _ change: (inout CookieStorage, Date) -> Result
    ) -> Result {
        let now = date()
        let (result, isToBeSaved) = state.withLock { state in
            let result = change(&state.storage, now)
            let isToBeSaved =
                file != nil && !state.isSaving && state.storage.revision != state.savedRevision
            if isToBeSaved { state.isSaving = true }
            return (result, isToBeSaved)
        }
        // Whatever changes until then is written along.
        if isToBeSaved { queue.async { self.write() } }
        return result
    }

    /// - Parameter withUses: Whether a cookie that was used and no more is reason enough.
    private func write(withUses: Bool = false) {
        guard let file else { return }
        let (entries, revision, turn) = state.withLock { state in
            state.isSaving = false
            let storage = state.storage
            let isChanged = storage.revision != state.savedRevision
            let kept = storage.all.filter { $0.cookie.expires != nil }
            let isUsed = withUses && storage.turn != state.savedTurn && !kept.isEmpty
            return (isChanged || isUsed ? kept : nil, storage.revision, storage.turn)
        }
        guard let entries else { return }
        do throws(FileError) {
            try file.write(entries)
            state.withLock { state in
                state.savedRevision = revision
                state.savedTurn = turn
                state.failure = nil
            }
        } catch {
            state.withLock { $0.failure = error }
        }
    }
}

extension CookieJar {
    /// Returns the request with the cookies for its URL.
    func adding(to request: TransportRequest) -> TransportRequest {
        guard !request.head.headerFields.contains(.cookie),
            let url = try? URLReference(request.urlText)
        else { return request }
        let cookies = cookies(for: url)
        guard !cookies.isEmpty else { return request }
        var request = request
        let pairs = cookies.map(\.pair).joined(separator: "; ")
        request.head.headerFields.append(HTTPField(name: .cookie, value: pairs))
        return request
    }

    /// Takes the cookies of a response to a request for a URL.
    ///
    /// - Parameter removals: The number of removals of all cookies when it was sent, behind which none are taken.
    func take(_ fields: HTTPFields, from urlText: String, since removals: Int) {
        let values = fields[fields: .setCookie].compactMap { field in
            field.withUnsafeBytesOfValue { String(validating: $0, as: UTF8.self) }
        }
        guard !values.isEmpty, let url = try? URLReference(urlText) else { return }
        _ = set(values, from: url, since: removals)
    }
}

extension CookieJar {
    /// The failure to read or to write a jar's file; it quotes nothing of what is in there.
    public struct FileError: Error, Sendable, CustomStringConvertible {
        /// A reason for failure; the list may grow.
        public struct Reason: Sendable, Hashable, CustomStringConvertible {
            /// The reason in words, for a person.
            public let description: String

            /// The file is there and can't be read.
            public static let unreadable = Reason(description: "can't be read")
            /// The file holds something else than a jar.
            public static let malformed = Reason(description: "is no file of cookies")
            /// The file was written by a later version.
            public static let unknownVersion = Reason(description: "is of a later version")
            /// The file can't be written; the one before is still there.
            public static let unwritable = Reason(description: "can't be written")
        }

        /// The reason for the failure.
        public let reason: Reason

        /// The URL of the file.
        public let file: URL

        /// The system's error, where there is one.
        public let underlying: (any Error)?

        init(_ reason: Reason, _ file: URL, underlying: (any Error)? = nil) {
            self.reason = reason
            self.file = file
            self.underlying = underlying
        }

        /// One line: the file, what is the matter, and the system's error.
        public var description: String {
            "\(file.path(percentEncoded: false)) \(reason)" + (underlying.map { ": \($0)" } ?? "")
        }
    }
}

import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises

/// A file that content is written to as it comes, and that takes its name once it is whole.
///
/// Until then it lies beside that name, with the suffix `.download`. A record beside it, with the suffix
/// `.download.json`, says of which resource it is the beginning, so that the rest can be asked for later; how
/// much there is, is its length. Whoever writes it has it to himself until it is closed, other processes
/// included.
final class PartialFile: Sendable {
    /// The beginning of a resource.
    struct Beginning {
        let count: Int
        /// What has to hold for the rest to be the rest of it, as ``ResourceRecord`` says.
        let validator: String
    }

    struct State {
        /// Nil once it is closed.
        var descriptor: Int32?
        /// The number of bytes that it holds.
        var count = 0
        /// Where the content that is asked for begins, and the digest of its URL.
        var start = 0
        var resource: UInt64?
        /// The number of bytes that were there before what comes.
        var kept = 0
        /// The size of the whole, where a part has said so.
        var total: Int?
        /// Where the part ends that comes.
        var end: Int?
        /// What kept bytes from being written.
        var failure: POSIXError?
        var isMismatched = false
        /// Whether it has all content of a response that was handed on without it, be there any or not.
        var isHandedOn = false
        /// Whether anything has been done to what was there.
        var isChanged = false

        /// What waits to be written behind the rest, together with what follows; it counts.
        var held: [UInt8] = []
        /// When anything was written last.
        var lastWrite = ContinuousClock.now
    }

    /// The name that it takes.
    let target: URL
    /// The most bytes that it holds.
    let maximumCount: Int
    /// Whether it may take the place of a file of that name.
    let isReplacing: Bool
    let partial: URL
    let recordFile: URL
    let state: Guarded<State>

    /// Opens what has been written for a file so far, or makes it anew.
    ///
    /// - Throws: The system's error; `EBUSY` where somebody else writes it.
    init(
        for target: URL, maximumCount: Int = .max, isReplacing: Bool = false
    ) throws(POSIXError) {
        guard target.isFileURL, !target.lastPathComponent.isEmpty else {
            throw POSIXError(.EINVAL)
        }
        var isFolder: ObjCBool = false
        let name = target.path(percentEncoded: false)
        if target.hasDirectoryPath
            || FileManager.default.fileExists(atPath: name, isDirectory: &isFolder)
                && isFolder.boolValue
        {
            throw POSIXError(.EISDIR)
        }
        (self.target, self.isReplacing) = (target, isReplacing)
        self.maximumCount = max(maximumCount, 0)
        let folder = target.deletingLastPathComponent()
        partial = folder.appending(path: target.lastPathComponent + ".download")
        recordFile = folder.appending(path: target.lastPathComponent + ".download.json")
        let descriptor = try Self.locked(
            partial.path(percentEncoded: false), besides: target.path(percentEncoded: false))
        let count = lseek(descriptor, 0, SEEK_END)
        state = Guarded(State(descriptor: descriptor, count: max(Int(count), 0)))
    }

    /// Opens a file that nobody else has open, and that has no other name: a process that ended just as it gave
    /// one that has leaves both.
    private static func locked(
        _ path: String, besides target: String
    ) throws(POSIXError) -> Int32 {
        while true {
            // A name that somebody has led elsewhere is nothing to write to.
            let descriptor = open(
                path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else { throw .last }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let error = POSIXError.last
                close(descriptor)
                throw error.code == .EWOULDBLOCK ? POSIXError(.EBUSY) : error
            }
            // Whoever had it before may have taken its name away.
            var (opened, named, whole) = (stat(), stat(), stat())
            if fstat(descriptor, &opened) == 0, stat(path, &named) == 0,
                opened.st_ino == named.st_ino
            {
                guard opened.st_nlink > 1, stat(target, &whole) == 0,
                    (whole.st_dev, whole.st_ino) == (opened.st_dev, opened.st_ino)
                else { return descriptor }
                guard unlink(path) == 0 || errno == ENOENT else {
                    let error = POSIXError.last
                    unlockAndClose(descriptor)
                    throw error
                }
            }
            unlockAndClose(descriptor)
        }
    }

    /// Closes a file and lets others have it at once: a process that is begun just now holds the descriptor, and
    /// a lock with it, until it has its program.
    static func unlockAndClose(_ descriptor: Int32) {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    deinit { release(isDiscarding: false) }

    /// The number of bytes that it holds.
    var count: Int { state.withLock(\.count) }

    /// The size of the whole, where a part has said so.
    var total: Int? { state.withLock(\.total) }

    /// Where the part has to end that has come last; nil where it was none.
    var end: Int? { state.withLock(\.end) }

    /// The number of bytes that were there before what comes.
    var kept: Int { state.withLock(\.kept) }

    /// What kept bytes from being written, where something did.
    var failure: POSIXError? { state.withLock(\.failure) }

    /// Whether a response was another part than the one that was asked for.
    var isMismatched: Bool { state.withLock(\.isMismatched) }

    // MARK: - One attempt

    /// Begins an attempt: returns what there is of the resource, where the rest can be asked for.
    ///
    /// - Parameters:
    ///   - url: The resource's URL, nil where what comes is not to be gone on with.
    ///   - isWanted: Whether the rest is asked for.
    ///   - replaced: The number of bytes at its end that come once more.
    func beginning(of url: String?, isWanted: Bool, replacing replaced: Int) -> Beginning? {
        let resource = url.map(ResourceRecord.digest)
        let validator = isWanted ? resource.flatMap(record)?.validator : nil
        return state.withLock { state in
            (state.total, state.end, state.isMismatched) = (nil, nil, false)
            state.isHandedOn = false
            state.resource = resource
            state.start = validator == nil ? 0 : max(state.count - replaced, 0)
            state.kept = state.start
            guard let validator, state.start > 0 else { return nil }
            return Beginning(count: state.start, validator: validator)
        }
    }

    private func record(of resource: UInt64) -> ResourceRecord? {
        (try? Data(contentsOf: recordFile)).flatMap { ResourceRecord($0, of: resource) }
    }

    /// Prepares for the content of a response, and returns whether it takes it.
    ///
    /// - Parameters:
    ///   - url: The URL that has answered, which a redirect may have led to.
    ///   - isWhole: Whether any content is a beginning of its own, whatever has been asked for.
    /// - Throws: `limitExceeded` where it is to hold more than it may, and `malformedResponse` where the content
    ///   is another part than the one asked for, or one of something else.
    func begin(
        _ head: HTTPResponse, from url: String, isWhole: Bool
    ) throws(TransportError) -> Bool {
        let (start, resource) = state.withLock { state in
            state.kept = head.status == .partialContent ? state.start : 0
            return (state.start, state.resource)
        }
        guard (200..<300).contains(head.status.code) else { return false }
        if start > 0, head.status == .partialContent, !isWhole {
            guard let range = ContentRange(head.headerFields), range.first == start,
                Self.isPlain(head),
                let total = resource.flatMap(record)?
                    .total(of: range, from: url, in: head.headerFields),
                Self.length(of: head).map({ $0 == range.last - start + 1 }) ?? true
            else {
                state.withLock { $0.isMismatched = true }
                throw .malformedResponse("The content is another part than the one asked for.")
            }
            guard total <= maximumCount else { throw tooLarge }
            try truncate(to: start)
            state.withLock { ($0.total, $0.end) = (total, range.last + 1) }
        } else {
            guard head.status != .partialContent || isWhole else {
                throw .malformedResponse("The content is a part that was not asked for.")
            }
            // Who asks for the rest wants no coding, so that nobody takes off one that comes all the same.
            guard start == 0 || Self.isPlain(head) else {
                state.withLock { $0.isMismatched = true }
                throw .malformedResponse("The content is coded, unlike what is there of it.")
            }
            let length = Self.length(of: head)
            guard length ?? 0 <= maximumCount else { throw tooLarge }
            let beginning = resource.flatMap { resource in
                isWhole ? nil : ResourceRecord(of: resource, from: url, head, total: length)
            }
            try truncate(to: 0, recording: beginning)
        }
        return true
    }

    /// Whether it has all content of a response that was handed on without it, be there any or not.
    var isHandedOn: Bool { state.withLock(\.isHandedOn) }

    /// Takes that the response whose content it has is handed on.
    func noteHandingOn() { state.withLock { $0.isHandedOn = true } }

    /// Whether the content is in no coding.
    private static func isPlain(_ head: HTTPResponse) -> Bool {
        head.headerFields[.contentEncoding]?.lowercased() ?? "identity" == "identity"
    }

    /// The number of bytes of uncoded content that a response says to have.
    private static func length(of head: HTTPResponse) -> Int? {
        guard head.headerFields[.contentEncoding] == nil,
            head.headerFields[.transferEncoding] == nil
        else { return nil }
        return head.headerFields[.contentLength].flatMap { Int($0) }
    }

    private var tooLarge: TransportError {
        .limitExceeded("The content exceeds \(maximumCount) bytes.")
    }

    /// Writes other content in place of what has come.
    func rewrite(_ content: Data) throws(TransportError) {
        try truncate(to: 0, recording: nil)
        try append(content)
    }

    /// Writes content behind what is there.
    func append(_ content: Data) throws(TransportError) {
        for region in content.regions {
            let result = region.withUnsafeBytes { bytes in
                Result<Void, TransportError> { () throws(TransportError) in try append(bytes) }
            }
            try result.get()
        }
    }

    /// Writes bytes behind those that are there, or none of them where these are too many.
    func append(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        try checkRoom(for: bytes.count)
        try change { $0.append(bytes) }
    }

    /// Throws where so many bytes more are too many.
    func checkRoom(for added: Int) throws(TransportError) {
        let (count, end) = state.withLock { ($0.count, $0.end) }
        guard added <= (end ?? .max) - count else {
            throw .malformedResponse("The content goes on behind its end.")
        }
        guard added <= maximumCount - count else { throw tooLarge }
    }

    private func truncate(to count: Int) throws(TransportError) {
        try change { $0.truncate(to: count) }
    }

    /// Empties it, and records of what it is to be the beginning.
    private func truncate(to count: Int, recording beginning: ResourceRecord?)
        throws(TransportError)
    {
        let path = path(of: recordFile)
        try change { state in
            // In this order, so that there is never a record of something else than the file.
            unlink(path)
            state.end = nil
            if let failure = state.truncate(to: count) { return failure }
            if let data = beginning.flatMap({ try? JSONEncoder().encode($0) }) {
                // Without it, all of it will be asked for.
                try? data.write(to: recordFile, options: .atomic)
            }
            return nil
        }
    }

    /// Changes the file as long as it is open: once it's closed, it is somebody else's.
    func change(
        _ change: (inout State) -> POSIXError?
    ) throws(TransportError) {
        let failure = state.withLock { state -> POSIXError? in
            guard state.descriptor != nil else { return POSIXError(.EBADF) }
            let failure = change(&state)
            if let failure { state.failure = failure }
            return failure
        }
        if let failure { throw Self.failed(failure) }
    }

    private static func failed(_ error: POSIXError) -> TransportError {
        TransportError(
            .temporaryFile,
            "The content could not be written: \(String(cString: strerror(error.code.rawValue))).",
            code: Int(error.code.rawValue))
    }

    func path(of file: URL) -> String { file.path(percentEncoded: false) }
}

extension POSIXError {
    /// The error of the last system call that failed.
    static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

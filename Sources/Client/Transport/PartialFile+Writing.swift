import Foundation
import LarderPromises

/// How bytes are written: many at a time, and all that have come before anybody else has the file.
extension PartialFile {
    /// The most bytes that wait to be written.
    fileprivate static let mostHeld = 256 << 10
    /// The time for which they do while others come.
    static let longestHeld = Duration.milliseconds(100)

    /// Takes bytes behind those that are there, or none of them where these are too many; they are written with those
    /// that follow, and before the file is closed, whoever does that.
    func hold(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        try checkRoom(for: bytes.count)
        try change { $0.hold(bytes) }
    }

    /// Writes what waits for it, and has no room for more.
    func flush() throws(TransportError) {
        guard isHolding else { return }
        try change { state in
            defer { state.held = [] }
            return state.flush()
        }
    }

    /// Writes what has waited for long enough, so that a process that is killed loses little; returns whether some
    /// still waits.
    func flushIfDue() throws(TransportError) -> Bool {
        guard isHolding else { return false }
        try change { $0.isDue ? $0.flush() : nil }
        return isHolding
    }

    private var isHolding: Bool { state.withLock { !$0.held.isEmpty } }
}

extension PartialFile.State {
    /// Whether what waits has waited for long enough.
    fileprivate var isDue: Bool { .now - lastWrite >= PartialFile.longestHeld }

    /// Takes bytes that are to be written with those that follow, or counts none of them.
    fileprivate mutating func hold(_ bytes: UnsafeRawBufferPointer) -> POSIXError? {
        guard bytes.count < PartialFile.mostHeld else { return append(bytes) }
        isChanged = true
        held.append(contentsOf: bytes)
        count += bytes.count
        return held.count >= PartialFile.mostHeld || isDue ? flush() : nil
    }

    /// Writes what waits for it, all of it, or counts none of it.
    mutating func flush() -> POSIXError? {
        guard !held.isEmpty else { return nil }
        var bytes: [UInt8] = []
        swap(&bytes, &held)
        count -= bytes.count
        let failure = bytes.withUnsafeBytes { append($0) }
        // There is room for the next ones.
        bytes.removeAll(keepingCapacity: true)
        held = bytes
        return failure
    }

    /// Writes all of the bytes, or counts none of them.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> POSIXError? {
        if let failure = flush() { return failure }
        guard let descriptor else { return POSIXError(.EBADF) }
        isChanged = true
        lastWrite = .now
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let place = off_t(count + bytes.count - rest.count)
            let written = pwrite(descriptor, part.baseAddress, part.count, place)
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return .last }
            rest = rest.dropFirst(written)
        }
        count += bytes.count
        return nil
    }

    /// Leaves the beginning of what there is.
    mutating func truncate(to count: Int) -> POSIXError? {
        let failure = flush()
        // What is not there is no beginning.
        guard count <= self.count else { return failure ?? POSIXError(.EIO) }
        guard let descriptor else { return POSIXError(.EBADF) }
        isChanged = true
        guard ftruncate(descriptor, off_t(count)) == 0 else { return .last }
        (self.count, lastWrite) = (count, .now)
        return nil
    }
}

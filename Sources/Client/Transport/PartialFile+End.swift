import Foundation
import LarderPromises

/// How a file that is written ends: it takes its name, or is left to others.
extension PartialFile {
    /// Gives it its name, once all of it is on the disk, and closes it.
    ///
    /// - Throws: The system's error; `EEXIST` where there is such a file, which may not be replaced.
    func finish(isReplacing: Bool) throws(POSIXError) {
        let failure = state.withLock { state -> POSIXError? in
            guard let descriptor = state.descriptor else { return POSIXError(.EBADF) }
            if let failure = state.flush() { return failure }
            guard fsync(descriptor) == 0 else {
                defer { unlink(path(of: recordFile)) }
                // What the disk lacks it does not say again: it is no beginning.
                return .last
            }
            let (old, new) = (path(of: partial), path(of: target))
            if isReplacing {
                guard rename(old, new) == 0 else { return .last }
            } else if let failure = Self.name(old, new) {
                return failure
            }
            // Under the lock, which whoever comes next waits for.
            unlink(path(of: recordFile))
            Self.unlockAndClose(descriptor)
            state.descriptor = nil
            return nil
        }
        if let failure { throw failure }
        Self.synchronize(target.deletingLastPathComponent())
    }

    /// Renames a file where there is none of its new name.
    private static func name(_ old: String, _ new: String) -> POSIXError? {
        if link(old, new) == 0 {
            unlink(old)
            return nil
        }
        let error = POSIXError.last
        // Some file systems have no second names.
        guard [EPERM, ENOTSUP, EMLINK].contains(error.code.rawValue) else { return error }
        if access(new, F_OK) == 0 { return POSIXError(.EEXIST) }
        return rename(old, new) == 0 ? nil : .last
    }

    /// Has a folder's new names written to the disk.
    private static func synchronize(_ folder: URL) {
        let descriptor = open(folder.path(percentEncoded: false), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Lets others have it, which may go on where it ends unless it is discarded: behind all that has come, whoever
    /// still receives more.
    ///
    /// What was there without a record, and has not been written to, is not known to be a download's, and stays.
    func release(isDiscarding: Bool) {
        state.withLock { state in
            guard let descriptor = state.descriptor else { return }
            // What can't be written does not count.
            if !isDiscarding { _ = state.flush() }
            let record = try? Data(contentsOf: recordFile)
            let isBeginning =
                record.flatMap { try? JSONDecoder().decode(ResourceRecord.self, from: $0) } != nil
            let isKept = state.count > 0 && (isBeginning ? !isDiscarding : !state.isChanged)
            if !isKept {
                if isBeginning || state.isChanged { unlink(path(of: recordFile)) }
                unlink(path(of: partial))
            }
            Self.unlockAndClose(descriptor)
            state.descriptor = nil
        }
    }
}

import Foundation
import LarderObjectStore
import LarderPromises

/// What a process notes of what is kept in a file, beside the file.
protocol FileNote: AnyObject, Sendable {
    /// Notes nothing yet.
    init()

    /// Whether it says of something in the file that it is nobody's, which the file does not know.
    var isNeeded: Bool { get }
}

/// The notes of files, one of each, whichever stores have it open; a store in memory has one of its own.
final class FileNotes<Note: FileNote>: Sendable {
    private struct Entry: Sendable {
        weak var store: Store?
        let file: File?
        let note: Note
    }

    private let entries = Guarded<[Entry]>([])

    /// That of a store's file, for as long as a store has it, or the file is there and what is noted is needed.
    func note(of store: Store) -> Note {
        let file = store.path.flatMap(File.init)
        return entries.withLock { entries in
            // What could not be done in a file is there for whoever opens it next; of memory nobody does.
            entries.removeAll { entry in
                entry.store == nil && (entry.file?.isThere != true || !entry.note.isNeeded)
            }
            if let entry = entries.first(where: { $0.store === store }) { return entry.note }
            let other = entries.first { entry in
                file.flatMap { entry.file?.isSame(as: $0) } == true
            }
            let note = other?.note ?? Note()
            entries.removeAll { $0.store == nil && $0.note === note }
            entries.append(Entry(store: store, file: file, note: note))
            return note
        }
    }

    /// The number of stores and files that there are notes of; for tests.
    var count: Int { entries.withLock(\.count) }
}

/// What tells files apart, by whichever path they are opened.
private struct File: Sendable {
    private let path: String
    private let device: UInt64
    private let number: UInt64

    init?(at path: String) {
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        self.path = path
        device = UInt64(truncatingIfNeeded: information.st_dev)
        number = UInt64(truncatingIfNeeded: information.st_ino)
    }

    /// Whether the file has not gone, whose number another one may get.
    var isThere: Bool { File(at: path)?.isSame(as: self) == true }

    func isSame(as other: File) -> Bool { device == other.device && number == other.number }
}

import Foundation
import LarderObjectStore
import LarderPromises
import Testing

@testable import LarderClient

/// What is noted of files, and for how long.
@Suite struct FileNotesTests {
    private final class Mark: FileNote {
        private let state = Guarded(false)

        var isNeeded: Bool {
            get { state.withLock(\.self) }
            set { state.withLock { $0 = newValue } }
        }
    }

    private let notes = FileNotes<Mark>()
    private let file: ReopenedFile

    init() throws { file = try ReopenedFile() }

    @Test func `what is needed waits for the next store of its file`() async throws {
        weak var first: Mark?
        try await file.open { store in
            let mark = notes.note(of: store)
            mark.isNeeded = true
            first = mark
        }
        try await file.open("other") { #expect(notes.note(of: $0) !== first) }
        try await file.open { store in
            let mark = notes.note(of: store)
            #expect(mark === first)
            #expect(notes.note(of: store) === mark)
            mark.isNeeded = false
        }
        try await file.open { #expect(!notes.note(of: $0).isNeeded) }
        #expect(first == nil)
        #expect(notes.count == 1)
    }

    @Test func `what is not needed goes with its store`() async throws {
        for number in 0..<20 {
            try await file.open("\(number % 2)") { _ = notes.note(of: $0) }
            #expect(notes.count == 1)
        }
    }

    @Test func `what is needed is noted once, however often the file is opened`() async throws {
        for _ in 0..<5 {
            try await file.open { notes.note(of: $0).isNeeded = true }
            #expect(notes.count == 1)
        }
    }

    @Test func `what is needed goes with its file`() async throws {
        var path: String?
        try await file.open { store in
            notes.note(of: store).isNeeded = true
            path = store.path
        }
        try FileManager.default.removeItem(atPath: #require(path))
        // Which may get the other one's number.
        try await file.open("other") { #expect(!notes.note(of: $0).isNeeded) }
        #expect(notes.count == 1)
    }

    @Test func `what is in memory goes along`() throws {
        for _ in 0..<5 {
            let store = try TestClient.store()
            notes.note(of: store).isNeeded = true
            #expect(notes.count == 1)
        }
    }
}

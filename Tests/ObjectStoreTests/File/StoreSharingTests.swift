import Foundation
import LarderPromises
import Testing

@testable import LarderObjectStore

/// What happens to a store's file while others use it.
struct StoreSharingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(
        _ configure: (inout Store.Configuration) -> Void = { _ in }
    ) throws -> Store {
        var configuration = Store.Configuration()
        configuration.busyTimeout = .milliseconds(50)
        configure(&configuration)
        return try Store(at: folder.file("a"), entities: Card.self, configuration: configuration)
    }

    private static func insert(_ value: Int, into store: Store) throws {
        try store.insert("Card", #"{"suit": "s", "value": "\#(value)"}"#)
    }

    private func rebuild() throws -> (store: Store, report: RebuildReport) {
        var configuration = Store.Configuration()
        configuration.busyTimeout = .milliseconds(50)
        return try Store.rebuild(
            at: folder.file("a"), entities: Card.self, configuration: configuration)
    }

    /// The locks that this process has on a file, as Linux lists them; nil elsewhere.
    private static func lockCount(on path: String) throws -> Int? {
        guard let list = try? String(contentsOfFile: "/proc/locks", encoding: .utf8) else {
            return nil
        }
        let number = try #require(StoreRebuild.number(of: path))
        return list.split(separator: "\n").count { line in
            let words = line.split(separator: " ")
            return words.contains(Substring("\(getpid())"))
                && words.contains { $0.hasSuffix(":\(number)") }
        }
    }

    @Test func `opening a store once more leaves the locks of the first`() throws {
        let first = try open()
        try Self.insert(1, into: first)
        guard let before = try Self.lockCount(on: folder.file("a")), before > 0 else {
            print("SKIPPED: this system does not list the locks of a process")
            return
        }
        let second = try open()
        #expect(try Self.lockCount(on: folder.file("a")) ?? 0 > 0)
        try second.close()
        #expect(try Self.lockCount(on: folder.file("a")) ?? 0 > 0)
        try Self.insert(2, into: first)
        #expect(try first.count(Card.all) == 2)
    }

    @Test func `a store that is taken as a seed keeps its locks`() throws {
        let first = try open()
        try Self.insert(1, into: first)
        guard let before = try Self.lockCount(on: folder.file("a")), before > 0 else {
            print("SKIPPED: this system does not list the locks of a process")
            return
        }
        var configuration = Store.Configuration()
        configuration.seed = URL(fileURLWithPath: folder.file("a"))
        let second = try Store(
            at: folder.file("b"), entities: Card.self, configuration: configuration)
        #expect(try Self.lockCount(on: folder.file("a")) ?? 0 > 0)
        try Self.insert(2, into: first)
        #expect(try first.count(Card.all) == 2)
        #expect(try second.count(Card.all) == 1)
    }

    @Test func `a path is one from the root`() throws {
        let current = FileManager.default.currentDirectoryPath
        #expect(StoreFile.absolutePath("a/b") == current + "/a/b")
        #expect(StoreFile.absolutePath("/a/b") == "/a/b")
        let up = String(repeating: "../", count: current.split(separator: "/").count)
        let store = try Store(
            at: up + folder.file("a").dropFirst(), entities: Card.self)
        #expect(store.path?.hasPrefix("/") == true)
        #expect(try folder.files.contains("a"))
        for name in [":memory:", "", "a\0b"] { #expect(StoreFile.absolutePath(name) == name) }
    }

    @Test(arguments: ["removed", "replaced"])
    func `nothing is written to or read of a file that is not in its place`(_ fate: String) throws {
        let store = try open()
        try Self.insert(1, into: store)
        if fate == "removed" {
            try FileManager.default.removeItem(atPath: folder.file("a"))
        } else {
            try Data().write(to: URL(fileURLWithPath: folder.file("b")))
            #expect(rename(folder.file("b"), folder.file("a")) == 0)
        }
        for call in [{ try Self.insert(2, into: store) }, { _ = try store.fetch(Card.all) }] {
            #expect(#expect(throws: StoreError.self) { try call() }?.reason == .moved)
        }
    }

    @Test func `nothing is read of another file that takes the place of the own`() throws {
        let other = try Store(at: folder.file("b"), entities: Card.self)
        try Self.insert(9, into: other)
        try other.close()
        let store = try open()
        try store.write { try $0.save(Card(suit: "s", value: "1", timesPlayed: nil)) }
        for companion in ["", "-wal", "-shm"] { unlink(folder.file("a" + companion)) }
        #expect(rename(folder.file("b"), folder.file("a")) == 0)
        let copy = URL(fileURLWithPath: folder.file("copy"))
        for call in [
            { _ = try store.fetch(Card.all) }, { try store.backUp(to: copy) },
            { _ = try store.checkIntegrity() },
        ] {
            #expect(#expect(throws: StoreError.self) { try call() }?.reason == .moved)
        }
        #expect(try !folder.files.contains("copy"))
        #expect(try open().fetch(Card.all).map(\.value) == ["9"])
    }

    @Test func `who has a store open that is rebuilt is told`() throws {
        let old = try open()
        try Self.insert(1, into: old)
        let (new, report) = try rebuild()
        #expect(report.saved == ["Card": 1])
        let error = #expect(throws: StoreError.self) { try Self.insert(2, into: old) }
        #expect(error?.reason == .moved)
        try Self.insert(3, into: new)
        try old.close()
        #expect(try new.fetch(Card.all).map(\.value) == ["1", "3"])
        #expect(try open().count(Card.all) == 2)
    }

    @Test func `a store is not rebuilt while somebody writes`() throws {
        let store = try open()
        let error = #expect(throws: StoreError.self) {
            try store.write { context in
                try context.import(
                    Card.self, from: JSONDocument(#"{"suit": "s", "value": "1"}"#).root)
                _ = try rebuild()
            }
        }
        #expect(error?.reason == .busy)
        try Self.insert(1, into: store)
        #expect(try folder.files.filter { !$0.hasPrefix("a-") } == ["a"])
    }

    @Test func `of many that find a store damaged one rebuilds it`() throws {
        try Self.insert(1, into: open())
        var bytes = try folder.bytes("a")
        bytes.replaceSubrange(0..<100, with: Data(repeating: 0xA5, count: 100))
        try bytes.write(to: URL(fileURLWithPath: folder.file("a")))
        let outcomes = Guarded<(reports: Int, stores: [Store], errors: [String])>((0, [], []))
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            do {
                let store = try open { configuration in
                    configuration.busyTimeout = .seconds(600)
                    configuration.damagePolicy = .rebuild { _ in
                        outcomes.withLock { $0.reports += 1 }
                    }
                }
                try Self.insert(number, into: store)
                outcomes.withLock { $0.stores.append(store) }
            } catch {
                outcomes.withLock { $0.errors.append("\(error)") }
            }
        }
        let outcome = outcomes.withLock(\.self)
        #expect(outcome.errors == [])
        #expect(outcome.reports == 1)
        #expect(try open().count(Card.all) == 8)
    }

    @Test func `many that open a new store at once all do`() throws {
        let failures = Guarded<[String]>([])
        for round in 0..<20 {
            let path = folder.file("new-\(round)")
            DispatchQueue.concurrentPerform(iterations: 6) { number in
                do {
                    let store = try Store(at: path, entities: Card.self)
                    try Self.insert(number, into: store)
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
            #expect(try Store(at: path, entities: Card.self).count(Card.all) == 6)
        }
        #expect(failures.withLock(\.self) == [])
    }

    /// As a process leaves it that is killed after some of the steps.
    @Test(arguments: 0...2)
    func `a rebuild that was interrupted has not happened`(_ movedCount: Int) throws {
        let store = try open()
        try Self.insert(1, into: store)
        // With what its log holds, as a process leaves it that is killed.
        for companion in ["", "-wal"] {
            try folder.bytes("a" + companion)
                .write(to: URL(fileURLWithPath: folder.file("b" + companion)))
        }
        try store.close()
        let aside = folder.file("b.damaged-20260101T000000Z")
        #expect(link(folder.file("b"), aside) == 0)
        if movedCount > 0 { #expect(rename(folder.file("b-wal"), aside + "-wal") == 0) }
        if movedCount > 1 { try Data().write(to: URL(fileURLWithPath: folder.file("b.rebuilt"))) }
        let opened = try Store(at: folder.file("b"), entities: Card.self)
        #expect(try opened.fetch(Card.all).map(\.value) == ["1"])
        #expect(try !folder.files.contains { $0.contains(".damaged") })
    }

    @Test func `a seed is not mixed with the log of a store that was removed`() throws {
        let seed = try Store(at: folder.file("seed"), entities: Card.self)
        for value in 100..<140 { try Self.insert(value, into: seed) }
        try seed.close()
        let store = try open()
        for value in 0..<50 { try Self.insert(value, into: store) }
        let log = try folder.bytes("a-wal")
        try store.close()
        try FileManager.default.removeItem(atPath: folder.file("a"))
        try log.write(to: URL(fileURLWithPath: folder.file("a-wal")))
        let planted = try open { $0.seed = URL(fileURLWithPath: folder.file("seed")) }
        #expect(try planted.checkIntegrity().isSound)
        #expect(try planted.count(Card.all) == 40)
    }

    @Test func `a rebuild plants no seed`() throws {
        let seed = try Store(at: folder.file("seed"), entities: Card.self)
        for value in 0..<9 { try Self.insert(value, into: seed) }
        try seed.close()
        var configuration = Store.Configuration()
        configuration.seed = URL(fileURLWithPath: folder.file("seed"))
        let store = try Store(
            at: folder.file("a"), entities: Card.self, configuration: configuration)
        try store.write { _ = try $0.delete(Card.where { $0.value != "3" }) }
        try store.close()
        let (rebuilt, report) = try Store.rebuild(
            at: folder.file("a"), entities: Card.self, configuration: configuration)
        #expect(report.saved == ["Card": 1])
        #expect(try rebuilt.fetch(Card.all).map(\.value) == ["3"])
    }
}

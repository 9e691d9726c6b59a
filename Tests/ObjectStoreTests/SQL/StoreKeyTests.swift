import Foundation
import Testing

@testable import LarderObjectStore

/// Keys, and what becomes of them where the linked library can't encrypt.
struct StoreKeyTests {
    @Test func `a key never shows what it is`() throws {
        let keys = [
            StoreKey(passphrase: "hunter2"),
            try StoreKey(bytes: [UInt8](repeating: 0xAB, count: 32)),
        ]
        for key in keys {
            var dumped = ""
            dump(key, to: &dumped)
            for text in ["\(key)", String(reflecting: key), dumped] {
                #expect(!text.contains("hunter2"))
                #expect(!text.lowercased().contains("abab"))
            }
            var configuration = Store.Configuration()
            configuration.key = key
            dumped = ""
            dump(configuration, to: &dumped)
            #expect(!dumped.contains("hunter2") && !dumped.contains("abab"))
        }
    }

    @Test(arguments: [0, 31, 33]) func `bytes are 32`(_ count: Int) {
        let error = #expect(throws: StoreError.self) {
            try StoreKey(bytes: [UInt8](repeating: 1, count: count))
        }
        #expect(error?.code == .wrongKey)
    }

    @Test func `bytes are handed over as SQLCipher takes them raw`() throws {
        let key = try StoreKey(bytes: 0..<32)
        let text = key.withBytes { String(decoding: $0, as: UTF8.self) }
        #expect(text == "x'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'")
    }

    @Test func `without a library that encrypts no file is made`() throws {
        let connection = try Connection.inMemory()
        guard try connection.value("PRAGMA cipher_version") == nil else {
            print("SKIPPED: the linked SQLite can encrypt")
            return
        }
        let folder = try TemporaryFolder()
        var configuration = Store.Configuration()
        configuration.key = StoreKey(passphrase: "hunter2")
        let error = try #require(
            #expect(throws: StoreError.self) {
                try Store(
                    at: folder.file("a"), entities: Card.self, configuration: configuration)
            })
        #expect(error.code == .encryptionUnavailable)
        #expect(!"\(error)".contains("hunter2"))
        #expect(try folder.files == [])
        #expect(throws: StoreError.self) {
            try Store.inMemory(entities: Card.self, configuration: configuration)
        }
    }

    @Test func `a store that is not encrypted stays as it is when a key is given`() throws {
        let folder = try TemporaryFolder()
        _ = try Store(at: folder.file("a"), entities: Card.self)
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.file("a")))
        var configuration = Store.Configuration()
        configuration.key = StoreKey(passphrase: "hunter2")
        #expect(throws: StoreError.self) {
            try Store(at: folder.file("a"), entities: Card.self, configuration: configuration)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("a"))) == before)
    }
}

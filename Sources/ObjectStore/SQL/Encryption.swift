import CLarderSQLite
import Foundation

/// What the linked library can do to encrypt a file.
///
/// Only SQLCipher can, and only from a version whose SQLite has what a store needs. Its functions
/// are looked up when they are needed, since the plain library has none of them.
enum Encryption {
    /// The oldest version of SQLCipher that a store works with.
    private static let minimum = (4, 6)

    private typealias KeyFunction =
        @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, UnsafeRawPointer?, Int32) -> Int32

    /// Throws where the linked library can't encrypt a store.
    static func check() throws(StoreError) {
        let connection = try Connection(
            path: ":memory:", creates: true, readOnly: false, busyTimeout: 0)
        guard case .text(let version)? = try connection.value("PRAGMA cipher_version") else {
            throw StoreError(
                .encryptionUnavailable,
                "the linked SQLite can't encrypt; link a SQLCipher of version"
                    + " \(minimum.0).\(minimum.1) or later")
        }
        let numbers = version.prefix { $0 != " " }.split(separator: ".").map { Int($0) ?? 0 }
        guard numbers.count > 1, (numbers[0], numbers[1]) >= minimum else {
            throw StoreError(
                .encryptionUnavailable,
                "the linked SQLCipher \(version) is too old; version"
                    + " \(minimum.0).\(minimum.1) is needed")
        }
    }

    /// Gives a connection its key, before anything else is done with it.
    static func unlock(_ connection: OpaquePointer, with key: StoreKey) throws(StoreError) {
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "sqlite3_key_v2") else {
            throw StoreError(
                .encryptionUnavailable, "the linked SQLite can't encrypt")
        }
        let function = unsafeBitCast(symbol, to: KeyFunction.self)
        let result = key.withBytes {
            function(connection, "main", $0.baseAddress, Int32($0.count))
        }
        // SQLite's message could quote what it was given.
        guard result == SQLITE_OK else {
            throw StoreError(.wrongKey, "the key is not taken", resultCode: result)
        }
    }
}

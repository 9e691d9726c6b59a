import CLarderSQLite

/// The key that a store's file is encrypted with.
///
/// A key never shows what it is, and its bytes are wiped with its last copy. The text or bytes that
/// it is made from are the caller's to wipe.
public struct StoreKey: Sendable {
    private let secret: Secret

    /// Makes a key of a passphrase, from which the file's key is derived (slowly, on purpose).
    public init(passphrase: String) {
        secret = Secret([UInt8](passphrase.utf8))
    }

    /// Makes a key of 32 random bytes.
    ///
    /// - Throws: `StoreError` where there are not 32 of them.
    public init(bytes: some Sequence<UInt8>) throws(StoreError) {
        let bytes = [UInt8](bytes)
        guard bytes.count == 32 else {
            throw StoreError(.wrongKey, "a key has 32 bytes")
        }
        let digits = [UInt8]("0123456789abcdef".utf8)
        // SQLCipher takes bytes as they are where they are spelled as a literal.
        secret = Secret(
            Array("x'".utf8) + bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
                + Array("'".utf8))
    }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(UnsafeRawBufferPointer(secret.bytes))
    }

    /// The bytes, in memory that nobody else has.
    ///
    /// Unchecked because it holds a pointer; nothing writes through it between `init` and `deinit`.
    private final class Secret: @unchecked Sendable {
        let bytes: UnsafeMutableRawBufferPointer

        init(_ source: [UInt8]) {
            bytes = .allocate(byteCount: source.count, alignment: 1)
            bytes.copyBytes(from: source)
        }

        deinit {
            larder_wipe(bytes.baseAddress, UInt(bytes.count))
            bytes.deallocate()
        }
    }
}

extension StoreKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Says that it is a key, and no more.
    public var description: String { "a key" }
    /// Says that it is a key, and no more.
    public var debugDescription: String { description }
    /// Shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

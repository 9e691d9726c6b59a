// swift-format-ignore-file
// What Larder uses of Apple's CryptoKit, for `Scripts/check-darwin`; nothing here does anything.
import Foundation

public enum SHA256 {
    public static func hash<D: DataProtocol>(data: D) -> SHA256Digest { SHA256Digest() }
}

public struct SHA256Digest: Sequence {
    public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}

// swift-format-ignore-file
// What Larder uses of Apple's Security and Core Foundation, for `Scripts/check-darwin`; nothing here does anything.
//
// Core Foundation's types are those of Foundation here, to which they are bridged there. None is Sendable.
import Foundation

public typealias CFArray = NSArray
public typealias CFData = NSData
public typealias CFDictionary = NSDictionary
public typealias CFString = NSString
public typealias CFIndex = Int
public typealias OSStatus = Int32

public final class CFError {
    init() {}
}

public final class CFAllocator {
    init() {}
}

public func CFErrorGetCode(_ err: CFError!) -> CFIndex { 0 }

public final class SecCertificate {
    init() {}
}

public final class SecIdentity {
    init() {}
}

public final class SecTrust {
    init() {}
}

public let errSecSuccess: OSStatus = 0
public let errSecHostNameMismatch: OSStatus = -67602
public let errSecCertificateExpired: OSStatus = -67818
public let errSecCertificateNotValidYet: OSStatus = -67819

// Constants of C, which the compiler believes there to be safe.
nonisolated(unsafe) public let kSecImportExportPassphrase: CFString = ""
nonisolated(unsafe) public let kSecImportToMemoryOnly: CFString = ""
nonisolated(unsafe) public let kSecImportItemIdentity: CFString = ""
nonisolated(unsafe) public let kSecImportItemCertChain: CFString = ""

public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData)
    -> SecCertificate?
{ nil }

public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { CFData() }

public func SecTrustSetAnchorCertificates(
    _ trust: SecTrust, _ anchorCertificates: CFArray?
) -> OSStatus { 0 }

public func SecTrustSetAnchorCertificatesOnly(
    _ trust: SecTrust, _ anchorCertificatesOnly: Bool
) -> OSStatus { 0 }

public func SecTrustEvaluateWithError(
    _ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?
) -> Bool { false }

public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { nil }

public func SecPKCS12Import(
    _ pkcs12_data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus { 0 }

import Foundation

/// A host's name or address, in the one form that all its spellings have.
struct HostName: Hashable, Sendable {
    /// The name in small letters without the dot of the root, or the address without brackets.
    let text: String
    /// The bytes of an address, those of IPv4 also where it is written as one of IPv6; nil for a name.
    let address: [UInt8]?

    init(_ host: String) {
        var name = host.lowercased()[...]
        if name.first == "[", name.last == "]" { name = name.dropFirst().dropLast() }
        if name.last == "." { name.removeLast() }
        address = Self.address(String(name))
        text = String(name)
    }

    /// Addresses are equal that are written otherwise.
    static func == (left: HostName, right: HostName) -> Bool {
        left.address == right.address && (left.address != nil || left.text == right.text)
    }

    func hash(into hasher: inout Hasher) {
        if let address { hasher.combine(address) } else { hasher.combine(text) }
    }

    /// Whether it is a name that ends in another one, such as `api.example.com` in `example.com`.
    func isBelow(_ other: HostName) -> Bool {
        // What holds a colon is an address, if one with a zone, whatever that ends in.
        guard address == nil, other.address == nil, !other.text.isEmpty, !text.contains(":") else {
            return false
        }
        return text.hasSuffix("." + other.text)
    }

    private static func address(_ text: String) -> [UInt8]? {
        // What stands behind it is not read.
        guard !text.utf8.contains(0) else { return nil }
        var (short, long) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &short) == 1 {
            return withUnsafeBytes(of: short) { Array($0) }
        }
        if inet_pton(AF_INET6, text, &long) == 1 {
            let bytes = withUnsafeBytes(of: long) { Array($0) }
            return bytes.starts(with: mapped) ? Array(bytes.dropFirst(mapped.count)) : bytes
        }
        return nil
    }

    /// What stands before an address of IPv4 that is written as one of IPv6 (RFC 4291, section 2.5.5.2): who connects
    /// to it gets to the same host.
    private static let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
}

extension HostName {
    /// The error for what settings are for and is no host.
    static var unusable: TransportError {
        .invalidRequest(
            "A host that settings are for is no name and no address, or is there in two spellings.")
    }

    /// Reads a name that settings are for, as it stands in URLs, or an address.
    init(plain text: String) throws(TransportError) {
        self.init(text)
        let isPlain = self.text.utf8.allSatisfy {
            $0 > 0x20 && $0 < 0x7F && !"/?#@[]%*,\\".utf8.contains($0)
        }
        let hasLabels = !self.text.split(separator: ".", omittingEmptySubsequences: false)
            .contains("")
        guard isPlain, hasLabels, address != nil || !self.text.contains(":") else {
            throw Self.unusable
        }
    }

    /// Whether it is read as an address by some, though not here, such as `0x7f.1`.
    var isAddressInOtherForm: Bool {
        guard address == nil, let last = text.split(separator: ".").last else { return false }
        return last.utf8.allSatisfy { (0x30...0x39).contains($0) } || last.hasPrefix("0x")
    }
}

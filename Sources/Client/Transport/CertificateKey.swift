import Foundation

/// The public key of a certificate (RFC 5280, section 4.1), in the bytes by which it is pinned.
enum CertificateKey {
    /// One element of DER (X.690, section 8.1): its tag, and where its bytes and those of its content are.
    private struct Element {
        let tag: UInt8
        let range, content: Range<Int>

        /// Reads the element that begins at an index; nil where there is none that ends in time.
        init?(_ bytes: [UInt8], at start: Int, before end: Int) {
            guard end - start >= 2 else { return nil }
            var (index, length) = (start + 2, Int(bytes[start + 1]))
            if length >= 0x80 {
                let count = length - 0x80
                guard (1...4).contains(count), end - index >= count else { return nil }
                length = bytes[index..<index + count].reduce(0) { $0 << 8 | Int($1) }
                index += count
            }
            guard end - index >= length else { return nil }
            tag = bytes[start]
            content = index..<index + length
            range = start..<index + length
        }

        func children(in bytes: [UInt8]) -> [Element] {
            var children: [Element] = []
            var index = content.lowerBound
            while let child = Element(bytes, at: index, before: content.upperBound) {
                children.append(child)
                index = child.range.upperBound
            }
            return children
        }
    }

    private static let (sequence, version): (UInt8, UInt8) = (0x30, 0xA0)

    /// The subject's public key with its algorithm, as it stands in a certificate; nil where that is none.
    static func info(ofCertificate certificate: Data) -> Data? {
        let bytes = [UInt8](certificate)
        guard let all = Element(bytes, at: 0, before: bytes.count), all.tag == sequence,
            let signed = all.children(in: bytes).first, signed.tag == sequence
        else { return nil }
        var fields = signed.children(in: bytes)[...]
        if fields.first?.tag == version { fields.removeFirst() }
        // Behind the serial number, the algorithm, the issuer, the dates and the subject.
        guard let key = fields.dropFirst(5).first, key.tag == sequence else { return nil }
        return Data(bytes[key.range])
    }

    /// The certificates that stand one after the other as PEM (RFC 7468), as DER; nil where one is damaged.
    static func certificates(inPEM text: Data) -> [Data]? {
        let parts = String(decoding: text, as: UTF8.self)
            .components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst()
        var certificates: [Data] = []
        for part in parts {
            guard let end = part.range(of: "-----END CERTIFICATE-----") else { return nil }
            let lines = part[..<end.lowerBound].filter { !$0.isWhitespace }
            guard let certificate = Data(base64Encoded: String(lines)), !certificate.isEmpty else {
                return nil
            }
            certificates.append(certificate)
        }
        return certificates
    }
}

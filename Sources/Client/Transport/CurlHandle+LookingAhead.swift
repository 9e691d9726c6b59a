#if !canImport(Darwin)
import CLarderCurl

extension CurlHandle {
    /// Whether the lines of a head are looked at before libcurl takes them down.
    ///
    /// 7.83 to 7.88 remember the last line of a response's head beyond its life, and read it where the
    /// first field of the next one is folded. What a head is written to as if it were content, libcurl
    /// calls first.
    static let looksAhead: Bool = {
        let version = larder_curl_version()
        return version >= 0x07_53_00 && version < 0x08_00_00
    }()

    /// Refuses a line of the head that libcurl must not see.
    func lookAhead(at line: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard reader.isAtFirstField, let first = line?.pointee else { return count }
        return accept(count) { () throws(TransportError) in
            try ResponseHead.checkFirst(UInt8(bitPattern: first))
        }
    }
}
#endif

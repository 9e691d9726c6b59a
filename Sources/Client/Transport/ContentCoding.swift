/// A coding of content (RFC 9110, section 8.4) that a transport decodes.
enum ContentCoding: Hashable {
    /// RFC 1952.
    case gzip
    /// RFC 7932.
    case brotli
    /// RFC 8878.
    case zstd

    /// The coding that a lower-case name stands for.
    init?(named name: String) {
        switch name {
        case "gzip", "x-gzip": self = .gzip
        case "br": self = .brotli
        case "zstd": self = .zstd
        default: return nil
        }
    }
}

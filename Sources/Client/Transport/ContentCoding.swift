/// The coding of a response's content, as far as a transport cares.
enum ContentCoding {
    /// As it is.
    case identity
    /// RFC 1952, which the transport decodes.
    case gzip
    /// Something the transport does not decode, or several codings.
    case other
}

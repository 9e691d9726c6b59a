import HTTPTypes

/// What has chosen a response among others of its URL, as its `Vary` has it: digests of what the request had that was
/// sent for it, with a salt that no other response has.
struct KeptVariant: Sendable {
    private var salt: [UInt8] = []
    private var digests: [String: [UInt8]?] = [:]

    /// The variant of a response of which that is not known, or that any request gets.
    init() {}

    /// Creates the variant of a response.
    ///
    /// - Parameters:
    ///   - request: The one that was sent, with all that interceptors have added.
    ///   - isLeftOut: Says which fields are known to be the same otherwise.
    init(
        of head: HTTPResponse, to request: TransportRequest,
        without isLeftOut: (HTTPField.Name) -> Bool
    ) {
        // By `*` nothing is asked on a condition.
        let names = (Variant.names(in: head.headerFields) ?? []).filter { name in
            HTTPField.Name(name).map { !isLeftOut($0) } ?? false
        }
        guard !names.isEmpty else { return }
        salt = KeyMaker.makeSalt()
        digests = Variant.digests(of: names, in: request, by: keys)
    }

    private var keys: KeyMaker { KeyMaker(salt: salt) { _ in false } }

    /// Whether a request, as it was sent, would have had the response.
    func isMatch(_ request: TransportRequest) -> Bool {
        Variant.isMatch(digests, request, by: keys)
    }

    // MARK: The row

    /// The text of it in a row, nil where it says nothing.
    var text: String? {
        guard !digests.isEmpty else { return nil }
        return ResponseRow.hexadecimal(salt) + " " + ResponseRow.text(of: digests)
    }

    /// Reads such text; nil where it is none.
    init?(text: Substring) {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let salt = ResponseRow.bytes(parts[0]),
            let digests = ResponseRow.variant(String(parts[1]))
        else { return nil }
        (self.salt, self.digests) = (salt, digests)
    }
}

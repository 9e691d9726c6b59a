extension JSONValueDecoder {
    /// The transaction that stored parts are written in, nil where there is none.
    var context: Context? { shared.destination as? Context }
}

extension JSONValueDecoder {
    /// The transaction that stored parts are written in, nil where there is none.
    var context: Context? { shared.destination as? Context }
}

extension Context: PartDestination {
    func noteFailure(_ error: any Error, of type: Any.Type, since count: Int) {
        if type is any Wrapper.Type { noteFailure(error, since: count) }
    }
}

/// How far something has come that is being loaded.
public enum LoadState<Value: Sendable>: Sendable {
    /// Nothing has been asked for, or it was cancelled before there was anything.
    case idle
    /// It is under way; with the bytes that have moved, where they are counted.
    case loading(TransferProgress?)
    /// It has come.
    case loaded(Value)
    /// It has failed.
    case failed(any Error)
}

extension LoadState {
    /// Whether it is under way.
    public var isLoading: Bool {
        if case .loading = self { true } else { false }
    }

    /// The value, once it has come.
    public var value: Value? {
        if case .loaded(let value) = self { value } else { nil }
    }

    /// The error, where it has failed.
    public var error: (any Error)? {
        if case .failed(let error) = self { error } else { nil }
    }
}

/// Errors of the tests.
enum Sample: Error, Equatable {
    case first
    case second
}

/// An error that is a struct.
struct Detailed: Error, Equatable {
    var detail: String
}

/// Says when it is destroyed.
final class Witness: Sendable {
    private let onEnd: @Sendable () -> Void

    init(_ onEnd: @escaping @Sendable () -> Void) {
        self.onEnd = onEnd
    }

    func touch() {}

    deinit {
        onEnd()
    }
}

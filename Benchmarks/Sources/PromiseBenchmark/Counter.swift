/// Where the last handler of a chain leaves its value.
///
/// `@unchecked Sendable`: the chains of one run touch it one after another, on one thread.
final class Counter: @unchecked Sendable {
    var sum = 0
    var remaining: Int

    init(_ count: Int) {
        remaining = count
    }
}

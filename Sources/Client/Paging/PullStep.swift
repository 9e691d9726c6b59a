import LarderPromises

/// Where a walk goes on behind a page, as it was written with that.
final class PullStep: Sendable {
    let next = Guarded<(place: NextPage?, record: PullRecord)?>(nil)
    /// The error of who says where it goes on.
    let failure = Guarded<(any Error)?>(nil)
    /// The number of the page's elements, nil where it is no list.
    let elementCount = Guarded<Int?>(nil)

    func position(at index: Int) -> PagePosition {
        PagePosition(index: index, elementCount: elementCount.withLock(\.self))
    }
}

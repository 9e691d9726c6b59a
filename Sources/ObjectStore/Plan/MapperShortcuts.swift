/// Ways around the store that a mapper takes for speed.
///
/// Each is sound by itself: without any of them the same rows are written and the same is reported.
struct MapperShortcuts: OptionSet, Sendable {
    let rawValue: Int

    /// An object that comes again in the same words is not mapped again.
    static let repeatedObjects = MapperShortcuts(rawValue: 1)
    /// An object of which a document has just written the row is compared with the words it was
    /// written from.
    static let writtenTexts = MapperShortcuts(rawValue: 2)
    /// The row that an identity has led to in a document is not looked for again.
    static let knownIdentities = MapperShortcuts(rawValue: 4)
    /// Rows are read ahead and compared, so that those which differ in nothing are not written.
    static let storedRows = MapperShortcuts(rawValue: 8)

    static let all: MapperShortcuts = [
        .repeatedObjects, .writtenTexts, .knownIdentities, .storedRows,
    ]
}

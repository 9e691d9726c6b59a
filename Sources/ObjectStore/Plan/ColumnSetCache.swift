/// A cache of what has been prepared for sets of columns, for those that come again.
///
/// An object may lack any of its optional keys, so that there can be more sets than there is room
/// for something prepared. When there is none left, a set must have come twice within a few others
/// to get the place of the one that was not used for longest.
struct ColumnSetCache<Value> {
    private struct Entry {
        let value: Value
        var lastUse: Int
    }

    private var entries: [ColumnSet: Entry] = [:]
    private var useCount = 0
    /// The sets without a place that came last, the oldest to be written over next.
    private var waiting: [ColumnSet] = []
    private var oldest = 0

    /// The number of sets that have a place.
    static var limit: Int { 32 }
    /// The number of sets without a place that are remembered.
    private static var memory: Int { 8 }

    /// All that is kept.
    var values: [Value] { entries.values.map(\.value) }

    /// The value that is kept or made for a set; nil where the set gets no place.
    mutating func value(
        for columns: ColumnSet, make: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        useCount &+= 1
        if let index = entries.index(forKey: columns) {
            entries.values[index].lastUse = useCount
            return entries.values[index].value
        }
        if entries.count >= Self.limit {
            guard waiting.contains(columns) else {
                wait(columns)
                return nil
            }
            if let old = entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key {
                entries[old] = nil
            }
        }
        let value = try make()
        entries[columns] = Entry(value: value, lastUse: useCount)
        return value
    }

    private mutating func wait(_ columns: ColumnSet) {
        if waiting.count < Self.memory {
            waiting.append(columns)
        } else {
            waiting[oldest] = columns
            oldest = (oldest + 1) % Self.memory
        }
    }
}

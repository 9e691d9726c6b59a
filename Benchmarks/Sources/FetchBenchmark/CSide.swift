import CFetchBaseline

/// A loop over `sqlite3_step` in C that copies the same columns.
struct CSide: Side {
    let name = "C over sqlite3_step"
    let path: String
    let count: Int

    func fetchAll() throws -> Double {
        var found: Int32 = 0
        let took = fetch_baseline_all(path, &found)
        guard took >= 0, found == count else { throw WrongResult(side: name) }
        return took
    }

    func find(_ count: Int) throws -> Double {
        let took = fetch_baseline_find(path, Int64(IDs.first), Int32(IDs.count), Int32(count))
        guard took >= 0 else { throw WrongResult(side: name) }
        return took
    }
}

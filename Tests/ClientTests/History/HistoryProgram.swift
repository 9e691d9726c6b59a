/// A program: a world, and the steps that are taken in it.
struct HistoryProgram: Sendable, Equatable, CustomStringConvertible {
    /// The ways in which the server's list comes in pages.
    enum Way: CaseIterable, Sendable {
        case number, sizedNumber, offset, link, header, cursor

        /// Whether the server goes on behind the last object.
        var isStable: Bool { self == .header || self == .cursor }
    }

    enum Validator: CaseIterable, Sendable { case none, tag, time }

    /// What responses say of how long they are good.
    enum Control: CaseIterable, Sendable {
        case none, noStore, noCache, fresh, freshAndStale
    }

    var way = Way.cursor
    var pageSize = 2
    /// Whether lists have a part of each object.
    var isBrief = false
    /// Whether lists tell what has been deleted.
    var tellsTombstones = false
    var validator = Validator.none
    var control = Control.none
    var hasCache = false
    var isText = false
    var isFile = false
    /// The seconds by which the server's clock is wrong.
    var serverError = 0.0
    /// Whether what is cancelled is answered all the same.
    var answersCancelled = false
    /// The objects that there are in the beginning, with their folders.
    var objects: [Int: Int] = [:]
    var steps: [HistoryStep] = []

    var description: String {
        let objects = objects.sorted { $0.key < $1.key }.map { "\($0.key) in \($0.value)" }
        var setting = "\(way) by \(pageSize), validator \(validator), control \(control)"
        setting += ", objects \(objects)"
        if isBrief { setting += ", brief" }
        if tellsTombstones { setting += ", tombstones" }
        if hasCache { setting += ", cache" }
        if isText { setting += ", text" }
        if isFile { setting += ", file" }
        if answersCancelled { setting += ", answers what is cancelled" }
        if serverError != 0 { setting += ", server's clock wrong by \(serverError)" }
        return setting + "\n" + steps.map { "    \($0)" }.joined(separator: "\n")
    }
}

import Foundation
import LarderClient
import LarderObjectStore

/// What an object says, on the server's side and in a row.
///
/// Each text is of one account, one object and one change, and so tells whose it is and how old.
struct HistoryRow: Equatable, Sendable, CustomStringConvertible {
    var title: String
    /// Nil in a row of which only briefer lists have spoken.
    var body: String?
    var folder: Int
    /// The number of the server's change by which it is as it is.
    var stamp: Int

    var description: String { "\(title)/\(body ?? "-")/\(folder)/\(stamp)" }
}

/// An entity that the histories are about.
protocol HistoryObject: Entity {
    /// The number by which the server knows it.
    var number: Int { get }
    var row: HistoryRow { get }
    /// Whether its rows have numbers of their own, rather than those that identify objects.
    static var hasOwnNumbers: Bool { get }
    /// The identity as it stands in JSON.
    static func identity(_ number: Int) -> String
    static func whole(inFolder folder: Int?) -> Completeness
    static func removal(of number: Int) -> Removal
}

extension HistoryObject {
    static var eviction: Eviction { Eviction(Self.self, by: "stamp", olderThan: .zero) }
}

/// An object whose identity is the number of its row.
@Entity(tombstone: "deleted") struct Sheet {
    @Identity var id: Int
    var title: String
    var body: String?
    var folder: Int
    @Attribute(.unix) var stamp: Date
}

extension Sheet: HistoryObject {
    var number: Int { id }
    var row: HistoryRow {
        HistoryRow(
            title: title, body: body, folder: folder, stamp: Int(stamp.timeIntervalSince1970))
    }
    static let hasOwnNumbers = false

    static func identity(_ number: Int) -> String { "\(number)" }

    static func whole(inFolder folder: Int?) -> Completeness {
        guard let folder else { return .whole(Sheet.all) }
        return .whole(Sheet.where { $0.folder == folder })
    }

    static func removal(of number: Int) -> Removal { .of(One<Sheet>(id: number)) }
}

/// An object whose identity is text, so that its row has a number of its own.
@Entity(tombstone: "deleted") struct Card {
    @Identity var id: String
    var title: String
    var body: String?
    var folder: Int
    @Attribute(.unix) var stamp: Date
}

extension Card: HistoryObject {
    var number: Int { Int(id.dropFirst()) ?? 0 }
    var row: HistoryRow {
        HistoryRow(
            title: title, body: body, folder: folder, stamp: Int(stamp.timeIntervalSince1970))
    }
    static let hasOwnNumbers = true

    static func identity(_ number: Int) -> String { "\"c\(number)\"" }

    static func whole(inFolder folder: Int?) -> Completeness {
        guard let folder else { return .whole(Card.all) }
        return .whole(Card.where { $0.folder == folder })
    }

    static func removal(of number: Int) -> Removal { .of(One<Card>(id: "c\(number)")) }
}

/// A list in a wrapper, with the cursor of the next page and the token of all changes so far.
struct HistoryFeed<Object: HistoryObject>: Wrapper {
    var next: String?
    var token: String
    @Stored var items: Many<Object>
}

public import Foundation

/// What a list that arrives is the whole of, so that what it lacks has vanished.
///
/// What the store has of it and the list does not name, is deleted by its delete rules, in the transaction that
/// stores the list, or is marked:
///
///     Completeness.whole(Issue.where { $0.isOpen == true })
///     Completeness.whole(\.comments, of: One<Issue>(id: 7))
///     Completeness.whole(Note.all, marking: \.isGone)
///
/// An object is named by all that it holds, by a bare identity, or inside another one. A list of which
/// elements were left out, such as a ``LossyList``, and JSON that has no list of the kind, show nothing.
public struct Completeness: Sendable {
    /// Some of the objects of an entity.
    struct Scope: Sendable {
        enum Objects: Sendable {
            case query(QueryDescription)
            case relationship(String, of: EntityValues.Link, entity: String)
        }

        /// The name of the entity.
        let entity: String
        let objects: Objects
        /// The column that marks what has vanished, nil where that is deleted.
        let mark: VanishingMark?
        /// The rule by which a list is refused, nil where any is taken.
        var limit: EmptyingLimit? = EmptyingLimit()
    }

    private(set) var scopes: [Scope]
    /// The key paths at which a document says that there is more.
    private(set) var signsOfMore: [String] = []

    /// A list of some objects, which says nothing of others.
    public static let partial = Completeness(scopes: [])

    /// Whether it says nothing of objects that a list does not name.
    package var isPartial: Bool { scopes.isEmpty }
}

extension Completeness {
    /// A list of all objects that a query finds; what it lacks of them is deleted.
    ///
    /// The query is asked of the store before the list is asked for, and again once the list is stored: what
    /// both find, and the list does not name, has vanished. A limit or an offset is an error.
    public static func whole<Object: Entity>(_ query: Query<Object>) -> Completeness {
        Completeness(query, nil)
    }

    /// A list of all objects that a query finds; what it lacks of them gets true in a column, and what it
    /// names gets false.
    public static func whole<Object: Entity>(
        _ query: Query<Object>, marking column: KeyPath<Object.Columns, Column<Bool>>
    ) -> Completeness {
        Completeness(query, VanishingMark(Object.self, column))
    }

    /// A list of all objects that a query finds; what it lacks of them gets the date in a column, and what it
    /// names gets none.
    public static func whole<Object: Entity>(
        _ query: Query<Object>, marking column: KeyPath<Object.Columns, Column<Date?>>
    ) -> Completeness {
        Completeness(query, VanishingMark(Object.self, column))
    }

    /// A list of all objects that a relationship of an object links; what it lacks of them is deleted, or
    /// loses the link where others are linked to it too.
    ///
    /// The objects of the list are linked, in its order where the relationship has one; they need not name
    /// the owner, also where they can't be without one. The owner need not have arrived.
    public static func whole<Owner: Entity, Object: Entity>(
        _ relationship: KeyPath<Owner.Columns, ToManyColumn<Object>>, of owner: One<Owner>
    ) -> Completeness {
        Completeness(relationship, owner, nil)
    }

    /// A list of all objects that a relationship of an object links; what it lacks of them gets true in a
    /// column, and what it names gets false.
    public static func whole<Owner: Entity, Object: Entity>(
        _ relationship: KeyPath<Owner.Columns, ToManyColumn<Object>>, of owner: One<Owner>,
        marking column: KeyPath<Object.Columns, Column<Bool>>
    ) -> Completeness {
        Completeness(relationship, owner, VanishingMark(Object.self, column))
    }

    /// A list of all objects that a relationship of an object links; what it lacks of them gets the date in a
    /// column, and what it names gets none.
    public static func whole<Owner: Entity, Object: Entity>(
        _ relationship: KeyPath<Owner.Columns, ToManyColumn<Object>>, of owner: One<Owner>,
        marking column: KeyPath<Object.Columns, Column<Date?>>
    ) -> Completeness {
        Completeness(relationship, owner, VanishingMark(Object.self, column))
    }

    private init<Object: Entity>(_ query: Query<Object>, _ mark: VanishingMark?) {
        self.init(scopes: [
            Scope(
                entity: Object.entityName, objects: .query(query.description), mark: mark)
        ])
    }

    private init<Owner: Entity, Object: Entity>(
        _ relationship: KeyPath<Owner.Columns, ToManyColumn<Object>>, _ owner: One<Owner>,
        _ mark: VanishingMark?
    ) {
        let column = Owner.Columns(path: ColumnPath())[keyPath: relationship]
        let name = ToManyColumn.place(of: column).name
        self.init(scopes: [
            Scope(
                entity: Object.entityName,
                objects: .relationship(
                    name, of: EntityValues.link(owner), entity: Owner.entityName),
                mark: mark)
        ])
    }
}

extension Completeness {
    /// What is the whole of both, each by its own rule for lists that are refused: such as of issues, and of the
    /// labels inside them.
    public func and(_ other: Completeness) -> Completeness {
        var both = self
        both.scopes += other.scopes
        both.signsOfMore += other.signsOfMore
        return both
    }

    /// The same, unless the document says that there is more: at one of these dotted key paths stands anything
    /// but `null`, `false`, 0, nothing in quotes, or an empty list.
    ///
    ///     .whole(Note.all).unless("has_more", "paging.next")
    public func unless(_ keyPaths: String...) -> Completeness {
        var completeness = self
        completeness.signsOfMore += keyPaths
        return completeness
    }

    /// The same, of any list however little is in it.
    ///
    /// Unless told so, a list that keeps fewer than one in ten objects of more than twenty is refused by
    /// ``CompletenessError/Reason/nearlyEmpty(known:kept:)``, and nothing is stored: it may come from a server
    /// that has lost them.
    public func allowingEmptying() -> Completeness { limited(by: nil) }

    /// The same with another rule for lists that are refused: those that keep a smaller share, between 0 and
    /// 1, of the objects that the store has, where these are more than a number.
    public func refusingEmptying(
        ofMoreThan count: Int, keepingLessThan share: Double
    ) -> Completeness {
        limited(by: EmptyingLimit(count: count, share: share))
    }

    private func limited(by limit: EmptyingLimit?) -> Completeness {
        var completeness = self
        for index in completeness.scopes.indices { completeness.scopes[index].limit = limit }
        return completeness
    }
}

extension Completeness {
    /// Whether a document says that there is more than it has.
    package func saysMore(_ document: JSONValue) -> Bool {
        signsOfMore.contains { document.value(at: $0)?.isTruth ?? false }
    }
}

/// A rule by which a list is refused that would empty the store of much.
struct EmptyingLimit: Sendable {
    /// The number of objects up to which all may go.
    var count = 20
    /// The share of them that has to stay.
    var share = 0.1

    /// Whether a list keeps enough.
    func allows(keeping kept: Int, of known: Int) -> Bool {
        known <= count || Double(kept) >= share * Double(known)
    }
}

/// A column that says of an object whether it has vanished.
struct VanishingMark: Sendable {
    let column: QueryExpression
    let isDate: Bool

    init<Object: Entity>(
        _ type: Object.Type, _ column: KeyPath<Object.Columns, Column<Bool>>
    ) {
        self.column = Object.Columns(path: ColumnPath())[keyPath: column].expression
        isDate = false
    }

    init<Object: Entity>(
        _ type: Object.Type, _ column: KeyPath<Object.Columns, Column<Date?>>
    ) {
        self.column = Object.Columns(path: ColumnPath())[keyPath: column].expression
        isDate = true
    }

    /// The condition for objects that have no mark.
    var isMissing: QueryExpression {
        isDate ? .infix(column, "IS", .value(.null)) : .truth(column, false)
    }

    /// Gives the mark, or takes it away.
    func assignment(hasVanished: Bool) -> ColumnAssignment {
        let value: SQLValue =
            isDate ? (hasVanished ? Date().sqlValue : .null) : .integer(hasVanished ? 1 : 0)
        return ColumnAssignment(target: column, source: .value(value))
    }
}

/// A list that can't be taken for the whole of what it is said to be.
public struct CompletenessError: Error, Hashable, Sendable {
    /// A reason for the refusal; the list may grow.
    public enum Reason: Hashable, Sendable {
        /// The list keeps so few of the objects that there are that the server may have lost them.
        case nearlyEmpty(known: Int, kept: Int)
        /// The query has a limit, an offset or a cursor.
        case limitedQuery
    }

    /// The name of the entity whose objects the list is the whole of.
    public let entity: String
    /// The reason for the refusal.
    public let reason: Reason
}

extension CompletenessError: CustomStringConvertible {
    /// A sentence that names the entity and the reason.
    public var description: String {
        switch reason {
        case .nearlyEmpty(let known, let kept):
            """
            \(entity): the list keeps \(kept) of \(known) objects, which may be a server's loss; \
            allowingEmptying() takes it all the same
            """
        case .limitedQuery:
            "\(entity): no list is the whole of a query with a limit, an offset or a cursor"
        }
    }
}

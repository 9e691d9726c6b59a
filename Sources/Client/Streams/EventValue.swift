/// What an event's data became, along with the event.
///
/// ```swift
/// for try await event in client.events(.get("notes/changes"), as: EventValue<Note>.self) {
///     print(event.id, event.value.title)
/// }
/// ```
public struct EventValue<Value: Sendable>: Sendable {
    /// What the data became; objects in it are stored.
    public var value: Value

    /// The event as the server has sent it.
    public var event: ServerSentEvent

    /// Creates one.
    public init(_ value: Value, of event: ServerSentEvent) {
        (self.value, self.event) = (value, event)
    }

    /// The last event's id that the server has set, up to this one, to go on behind it the next time; empty where it
    /// has set none.
    public var id: String { event.id }
}

extension EventValue: Equatable where Value: Equatable {}
extension EventValue: Hashable where Value: Hashable {}

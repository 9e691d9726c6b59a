/// An event that a server has sent (WHATWG HTML, section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The last event's id that the server has set, up to this one; empty where it has set none.
    ///
    /// It is what a connection that follows is begun with, as `Last-Event-ID`.
    public var id: String

    /// The type; `message` unless the server names another.
    public var event: String

    /// The data; several lines are joined by LF.
    public var data: String

    /// The time to wait before a lost connection is made again, where the server sets it along with this event.
    public var retry: Duration?

    /// Creates an event.
    public init(
        id: String = "", event: String = "message", data: String = "", retry: Duration? = nil
    ) {
        self.id = id
        self.event = event
        self.data = data
        self.retry = retry
    }
}

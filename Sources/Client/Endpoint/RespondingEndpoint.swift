/// An endpoint that says what comes back, so that the call site need not.
///
/// ```swift
/// struct AllUsers: RespondingEndpoint {
///     typealias Response = Many<User>
///     let path = "users"
/// }
///
/// client.enqueue(AllUsers()).then { users in print(users) }
/// ```
public protocol RespondingEndpoint: Endpoint {
    /// What the response becomes: anything that ``Client`` can enqueue for.
    associatedtype Response: Sendable
}

import Larder

/// The answer to a log-in: the token is handed over and forgotten, the user is in the store.
struct LogIn: Wrapper {
    var token: String
    @Stored var user: Person
}
